#include "model/schema_default.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/schema_words.h"

namespace structured::gen {
namespace {

Type unwrapped(Type type) {
  type.wrappers.pop_back();
  return type;
}

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

bool is_decimal(llvm::StringRef text) { return decimal(text) == text.str(); }

/// Whether the text is a decimal integer that fits an int64_t.
bool is_integer(llvm::StringRef text) {
  std::int64_t number = 0;
  return is_decimal(text) && !text.getAsInteger(10, number);
}

std::optional<double> real(llvm::StringRef text) {
  double number = 0;
  if (!is_decimal(text) || text.getAsDouble(number) || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Whether the number has a fraction or an exponent, so that a Scalar made of it is not integral.
bool is_fractional(llvm::StringRef number) { return number.contains_insensitive('e') || number.contains('.'); }

bool is_scalar_number(llvm::StringRef text) { return is_fractional(text) ? real(text).has_value() : is_integer(text); }

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

/// Returns the length of the escape sequence at the front of `text`, or 0 unless it denotes one byte.
std::size_t escape_size(llvm::StringRef text) {
  if (!text.consume_front("\\") || text.empty()) return 0;
  if (llvm::StringRef("\\\"'abfnrtv").contains(text.front())) return 2;
  bool is_hex = text.consume_front("x");
  llvm::StringRef digits = text.take_while(is_hex ? llvm::isHexDigit : [](char c) { return c >= '0' && c <= '7'; });
  if (!is_hex) digits = digits.take_front(3);
  std::uint8_t byte = 0;
  return digits.getAsInteger(is_hex ? 16 : 8, byte) ? 0 : 1 + is_hex + digits.size();
}

/// Whether the text is one quoted string with valid escape sequences.
bool is_quoted(llvm::StringRef text) {
  if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.front() != text.back()) return false;
  char quote = text.front();
  text = text.drop_front().drop_back();
  while (!text.empty()) {
    std::size_t size = text.front() == '\\' ? escape_size(text) : 1;
    if (size == 0 || text.front() == quote || text.front() == '\n') return false;
    text = text.drop_front(size);
  }
  return true;
}

std::optional<std::string> string(const DefaultValue& value) {
  if (is_made_of_nothing(value)) return "\"\"";
  if (value.literal && is_quoted(*value.literal)) return value.literal;
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
  if (!scope.consume_back(enumeration_of(base)) || !scope.consume_back("::")) return std::nullopt;
  if (scope != "structured" && scope != "at" && scope != "c10") return std::nullopt;
  if (auto found = word_of(base, name)) return found->str();
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

}  // namespace

std::optional<std::string> schema_default(const Type& type, const DefaultArgument& written) {
  return schema_default(type, written.value);
}

bool is_schema_default(const Type& type, llvm::StringRef text) {
  if (text != text.trim() || text.empty()) return false;
  if (type.is_optional()) return text == "None" || is_schema_default(unwrapped(type), text);
  if (type.is_list()) {
    Type element = unwrapped(type);
    auto elements = schema_default_elements(text);
    if (!elements) return type.wrappers.back().size && is_schema_default(element, text);
    return llvm::all_of(*elements, [&](llvm::StringRef part) { return is_schema_default(element, part); });
  }
  if (enumerator_of(type.base, text)) return true;
  switch (type.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return is_integer(text);
    case Type::Base::Float:
    case Type::Base::SymFloat:
      return real(text).has_value();
    case Type::Base::Scalar:
      return text == "True" || text == "False" || is_scalar_number(text);
    case Type::Base::Bool:
      return text == "True" || text == "False";
    case Type::Base::Str:
      return is_quoted(text);
    default:
      return false;
  }
}

std::optional<llvm::SmallVector<llvm::StringRef, 4>> schema_default_elements(llvm::StringRef text) {
  if (!text.consume_front("[") || !text.consume_back("]")) return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 4> elements;
  std::size_t begin = 0;
  char quote = 0;  // quote of the current string
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ',') {
      elements.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  llvm::StringRef last = text.drop_front(begin).trim();
  if (!last.empty()) elements.push_back(last);
  return elements;
}

}  // namespace structured::gen
