#include "target/native_defaults.h"

#include <limits>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/schema_default.h"
#include "model/schema_words.h"

namespace structured::gen {
namespace {

std::optional<CppDefault> constant(Type::Base base, llvm::StringRef word, llvm::StringRef header = "") {
  if (const std::optional<llvm::StringRef> enumerator = enumerator_of(base, word)) {
    return CppDefault{("::structured::" + enumeration_of(base) + "::" + *enumerator).str(), header.str()};
  }
  return std::nullopt;
}

std::optional<CppDefault> number(llvm::StringRef text) {
  if (text == "True" || text == "False") {
    return CppDefault{text.lower(), ""};
  }
  if (text == "inf" || text == "-inf") {
    return CppDefault{(text.drop_back(3) + "std::numeric_limits<double>::infinity()").str(), "<limits>"};
  }
  if (text == "nan") {
    return CppDefault{"std::numeric_limits<double>::quiet_NaN()", "<limits>"};
  }
  if (text == "-9223372036854775808") {  // the literal without its sign overflows
    return CppDefault{"std::numeric_limits<int64_t>::min()", "<limits>"};
  }
  std::int64_t integer = 0;
  double value = 0;
  if (!text.getAsInteger(10, integer) || !text.getAsDouble(value)) {
    return CppDefault{text.str(), ""};
  }
  return std::nullopt;
}

// An integer that may not be exact as a double, or fit an integer type, is spelled as a double.
std::optional<CppDefault> real(llvm::StringRef text) {
  constexpr std::size_t exact_digits = std::numeric_limits<double>::digits10;
  const llvm::StringRef digits = text.starts_with("-") ? text.drop_front() : text;
  if (digits.size() > exact_digits && llvm::all_of(digits, llvm::isDigit)) {
    return CppDefault{text.str() + ".0", ""};
  }
  return number(text);
}

// Converts to a C++ literal; schemas may use single quotes.
std::optional<CppDefault> string(llvm::StringRef text) {
  if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.front() != text.back()) {
    return std::nullopt;
  }
  std::string literal = "\"";
  bool is_escaped = false;
  for (const char c : text.drop_front().drop_back()) {
    if (c == '"' && !is_escaped) {
      literal += '\\';
    }
    literal += c;
    is_escaped = c == '\\' && !is_escaped;
  }
  return CppDefault{literal + '"', ""};
}

std::optional<CppDefault> list(const Type& element_type, llvm::ArrayRef<llvm::StringRef> elements) {
  CppDefault result;
  for (const llvm::StringRef text : elements) {
    const std::optional<CppDefault> element = native_default(element_type, text);
    if (!element) {
      return std::nullopt;
    }
    result.expression.append(result.expression.empty() ? "" : ", ").append(element->expression);
    result.header = element->header;
  }
  result.expression = "{" + result.expression + "}";
  result.form = CppDefault::Form::braces;
  return result;
}

}  // namespace

std::optional<CppDefault> native_default(const Type& type, llvm::StringRef text) {
  if (text == "None" && type.is_optional()) {
    return CppDefault{"std::nullopt", "<optional>", CppDefault::Form::none};
  }
  Type inner = type;
  if (type.is_optional()) {
    inner.wrappers.pop_back();
    return native_default(inner, text);
  }
  if (type.is_list()) {
    inner.wrappers.pop_back();
    if (const auto elements = schema_default_elements(text)) {
      return list(inner, *elements);
    }
    // A single number is the default of all elements of a fixed-length list.
    return native_default(inner, text);
  }
  switch (type.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      if (std::optional<CppDefault> named = constant(type.base, text, "<structured/core/reduction.h>")) {
        return named;
      }
      return number(text);
    case Type::Base::Float:
      return real(text);
    case Type::Base::Bool:
    case Type::Base::Scalar:
      return number(text);
    case Type::Base::Str:
      return string(text);
    case Type::Base::ScalarType:
    case Type::Base::MemoryFormat:
    case Type::Base::Layout:
      return constant(type.base, text);
    case Type::Base::Device:
      return constant(type.base, text.trim("\"'"));
    default:
      return std::nullopt;
  }
}

}  // namespace structured::gen
