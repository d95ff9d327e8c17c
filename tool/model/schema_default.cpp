#include "model/schema_default.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "structured/schema/default_value.h"
#include "structured/schema/words.h"

namespace structured::gen {
namespace {

/// Returns the number without digit separators and suffix; std::nullopt unless `text` is a decimal literal with an
/// optional sign.
std::optional<std::string> decimal(llvm::StringRef text) {
  std::string number;
  if (text.consume_front("-")) number = "-";
  text = text.ltrim();
  std::string digits;
  bool is_fractional = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'') continue;
    bool is_exponent_sign = (c == '+' || c == '-') && !digits.empty() && (digits.back() == 'e' || digits.back() == 'E');
    if (c == '.' || c == 'e' || c == 'E') is_fractional = true;
    if (!llvm::isDigit(c) && c != '.' && c != 'e' && c != 'E' && !is_exponent_sign) break;
    digits += c;
  }
  llvm::StringRef suffix = text.drop_front(i);
  bool is_octal = digits.size() > 1 && digits[0] == '0' && !is_fractional;
  if (digits.empty() || !llvm::any_of(digits, llvm::isDigit) || is_octal) return std::nullopt;
  if (!llvm::all_of(suffix, [&](char c) { return llvm::StringRef(is_fractional ? "fFlL" : "uUlLzZ").contains(c); })) {
    return std::nullopt;
  }
  return number + digits;
}

/// Returns the value of a default of the type; nullopt if `text` is none, or one of another kind than `T`.
template <class T>
std::optional<T> parsed(Type::Base base, llvm::StringRef text) {
  const std::optional<schema::DefaultValue> value = schema::parse_default(Type{base, {}}, text);
  const T* content = value ? value->as<T>() : nullptr;
  return content ? std::optional(*content) : std::nullopt;
}

/// Whether the text is a decimal integer that fits an int64_t.
bool is_integer(llvm::StringRef text) { return parsed<int64_t>(Type::Base::Int, text).has_value(); }

std::optional<double> real(llvm::StringRef text) {
  const std::optional<double> number = parsed<double>(Type::Base::Float, text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Whether the number has a fraction or an exponent, so that a Scalar made of it is not integral.
bool is_fractional(llvm::StringRef number) { return number.contains_insensitive('e') || number.contains('.'); }

/// Returns the literal in the source if it has the evaluated value, else that value: `0.1f` is not 0.1.
std::optional<std::string> real_as_written(const DefaultValue& value) {
  if (!value.evaluated || !real(*value.evaluated)) return std::nullopt;
  auto literal = value.literal ? decimal(*value.literal) : std::nullopt;
  return literal && real(*literal) == real(*value.evaluated) ? literal : value.evaluated;
}

std::optional<std::string> integer(const DefaultValue& value) {
  return value.evaluated && is_integer(*value.evaluated) ? value.evaluated : std::nullopt;
}

std::optional<std::string> boolean(const DefaultValue& value) {
  if (value.evaluated == "true") return "True";
  if (value.evaluated == "false") return "False";
  return std::nullopt;
}

bool is_made_of_nothing(const DefaultValue& value) {
  return value.is_initial || (value.elements && value.elements->empty());
}

std::optional<std::string> scalar(const DefaultValue& value) {
  if (is_made_of_nothing(value)) return "0";
  if (auto truth = boolean(value)) return truth;
  if (auto whole = integer(value)) return whole;
  if (!value.evaluated || !is_fractional(*value.evaluated)) return std::nullopt;
  auto written = real_as_written(value);
  return written && !is_fractional(*written) ? value.evaluated : written;  // keeps `double(1)` fractional
}

std::optional<std::string> string(const DefaultValue& value) {
  if (is_made_of_nothing(value)) return "\"\"";
  // PyTorch does not know the escape `\?`, so a literal with it is spelled anew.
  const bool is_portable = value.literal && !llvm::StringRef(*value.literal).contains("\\?");
  if (is_portable && parsed<std::string>(Type::Base::Str, *value.literal)) return value.literal;
  if (!value.evaluated) return std::nullopt;
  std::string quoted = "\"";
  for (char c : *value.evaluated) {
    if (!llvm::isPrint(c) && static_cast<unsigned char>(c) < 0x80) return std::nullopt;
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// Returns `float` for `structured::ScalarType::Float`; nullopt for enumerations of the author.
std::optional<std::string> word(Type::Base base, const DefaultValue& value) {
  if (!value.enumerator) return std::nullopt;
  auto [scope, name] = llvm::StringRef(*value.enumerator).rsplit("::");
  const llvm::StringRef enumeration = schema::enumeration_of(base);
  if (!scope.consume_back(enumeration) || !scope.consume_back("::")) return std::nullopt;
  if (scope != "structured" && scope != "at" && scope != "c10") return std::nullopt;
  if (auto found = schema::word_of(enumeration, name)) return std::string(*found);
  return std::nullopt;
}

std::optional<std::string> base_default(Type::Base base, const DefaultValue& value) {
  switch (base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      if (auto reduction = word(base, value)) return reduction;
      return integer(value);
    case Type::Base::Float:
    case Type::Base::SymFloat:
      return real_as_written(value);
    case Type::Base::Scalar:
      return scalar(value);
    case Type::Base::Bool:
      return boolean(value);
    case Type::Base::Str:
      return string(value);
    case Type::Base::ScalarType:
    case Type::Base::Layout:
    case Type::Base::MemoryFormat:
    case Type::Base::Device:
      return word(base, value);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> schema_default(const Type& type, const DefaultValue& value) {
  if (type.is_optional()) return value.is_initial ? "None" : schema_default(unwrapped(type), value);
  if (!type.is_list()) return base_default(type.base, value);
  Type element = unwrapped(type);
  if (value.is_initial) return "[]";
  if (!value.elements) {
    auto single = schema_default(element, value);
    // Only a list of fixed length may have a single number as default, which all elements get.
    if (!single || type.wrappers.back().size) return single;
    return "[" + *single + "]";
  }
  std::string list;
  for (const DefaultValue& part : *value.elements) {
    auto text = schema_default(element, part);
    if (!text) return std::nullopt;
    list += (list.empty() ? "" : ",") + *text;
  }
  return "[" + list + "]";
}

bool is_finite(const schema::DefaultValue& value) {
  if (const auto* elements = value.as<schema::DefaultValue::List>()) return llvm::all_of(*elements, is_finite);
  const double* number = value.as<double>();
  return number == nullptr || std::isfinite(*number);
}

}  // namespace

std::optional<std::string> schema_default(const Type& type, const DefaultArgument& written) {
  return schema_default(type, written.value);
}

// PyTorch's parser of schemas has no infinities and no NaN.
bool is_schema_default(const Type& type, llvm::StringRef text) {
  const std::optional<schema::DefaultValue> value = schema::parse_default(type, text);
  return value && is_finite(*value);
}

}  // namespace structured::gen
