#include "structured/schema/default_value.h"

#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

#include "structured/schema/parser.h"
#include "structured/schema/words.h"

namespace structured::schema {
namespace {

using detail::Literal;
using Meaning = std::optional<DefaultValue>;

template <class T>
std::optional<T> number_in(std::string_view text) {
  T result{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<T>(result) : std::nullopt;
}

bool is_fractional(std::string_view number) { return number.find_first_of(".eE") != std::string_view::npos; }

// C++ reads an integer with a leading zero as an octal one.
bool has_leading_zero(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return number.size() > 1 && number.front() == '0' && !is_fractional(number);
}

template <class T>
Meaning meaning(T value, std::string_view text) {
  return DefaultValue{std::move(value), text};
}

Meaning integer(std::string_view text) {
  const std::optional<int64_t> number = has_leading_zero(text) ? std::nullopt : number_in<int64_t>(text);
  return number ? meaning(*number, text) : std::nullopt;
}

Meaning real(std::string_view text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return meaning(infinity, text);
  if (text == "-inf") return meaning(-infinity, text);
  if (text == "nan") return meaning(std::numeric_limits<double>::quiet_NaN(), text);
  // std::from_chars also accepts other spellings of these.
  const bool has_digits = text.find_first_of("0123456789") <= 1 && !has_leading_zero(text);
  const std::optional<double> number = has_digits ? number_in<double>(text) : std::nullopt;
  return number ? meaning(*number, text) : std::nullopt;
}

Meaning boolean(std::string_view text) {
  if (text == "True") return meaning(true, text);
  if (text == "False") return meaning(false, text);
  return std::nullopt;
}

constexpr int digit_of(char c, int base) {
  int digit = base;
  if (c >= '0' && c <= '9') digit = c - '0';
  if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
  return digit < base ? digit : -1;
}

// Removes up to `longest` digits from `text`. Returns nullopt unless there is one and they are the code of a byte.
std::optional<char> take_code(std::string_view& text, int base, std::size_t longest) {
  std::size_t count = 0;
  int code = 0;
  for (; count < text.size() && count < longest && digit_of(text[count], base) >= 0; ++count) {
    code = code * base + digit_of(text[count], base);
    if (code > 255) return std::nullopt;
  }
  text.remove_prefix(count);
  return count == 0 ? std::nullopt : std::optional(static_cast<char>(code));
}

constexpr std::string_view escape_letters = "\\\"abfnrtv'?";
constexpr std::string_view escaped_characters = "\\\"\a\b\f\n\r\t\v'?";
constexpr std::string_view plain_characters = "'?";  // need no escape between double quotes

// Decodes the escape sequence at the start of `text`, after its backslash, and removes it. As in C++, a hexadecimal
// escape takes all digits that follow.
std::optional<char> take_escape(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  if (const std::size_t letter = escape_letters.find(text.front()); letter != std::string_view::npos) {
    text.remove_prefix(1);
    return escaped_characters[letter];
  }
  if (text.front() != 'x') return take_code(text, 8, 3);
  text.remove_prefix(1);
  return take_code(text, 16, std::string_view::npos);
}

Meaning string(std::string_view text) {
  std::string result;
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    const char first = rest.front();
    if (first == '\n') return std::nullopt;  // the text must be a C++ literal, too
    rest.remove_prefix(1);
    const std::optional<char> character = first == '\\' ? take_escape(rest) : first;
    if (!character) return std::nullopt;
    result += *character;
  }
  return meaning(std::move(result), text);
}

Meaning enumerator(Type::Base base, std::string_view text) {
  const std::string_view enumeration = enumeration_of(base);
  const std::optional<std::string_view> name = find_word(enumeration, text);
  return name ? meaning(DefaultValue::Enumerator{enumeration, *name}, text) : std::nullopt;
}

Meaning base_meaning(Type::Base base, const Literal& literal) {
  if (literal.kind == Literal::Kind::list) return std::nullopt;
  if (literal.kind == Literal::Kind::string) return base == Type::Base::Str ? string(literal.text) : std::nullopt;
  switch (base) {
    case Type::Base::Float:
    case Type::Base::SymFloat:
      return real(literal.text);
    case Type::Base::Scalar:
      if (Meaning truth = boolean(literal.text)) return truth;
      if (Meaning whole = integer(literal.text)) return whole;
      return real(literal.text);  // also an integer that int64_t cannot hold
    case Type::Base::Bool:
      return boolean(literal.text);
    default:
      if (Meaning named = enumerator(base, literal.text)) return named;
      return base == Type::Base::Int || base == Type::Base::SymInt ? integer(literal.text) : std::nullopt;
  }
}

// `depth` counts the wrappers of the type that are left.
Meaning meaning_of(const Type& type, std::size_t depth, const Literal& literal) {
  if (depth == 0) return base_meaning(type.base, literal);
  const Type::Wrapper& wrapper = type.wrappers[depth - 1];
  if (wrapper.kind == Type::Wrapper::Kind::optional) {
    const bool is_none = literal.kind == Literal::Kind::word && literal.text == "None";
    return is_none ? meaning(DefaultValue::None(), literal.text) : meaning_of(type, depth - 1, literal);
  }
  if (literal.kind != Literal::Kind::list) return wrapper.size ? meaning_of(type, depth - 1, literal) : std::nullopt;
  // A list of fixed length is an array if its elements are booleans. PyTorch's schemas have shorter lists of numbers.
  const bool is_array = wrapper.size && type.base == Type::Base::Bool && depth == 1;
  if (is_array && literal.elements.size() != static_cast<std::size_t>(*wrapper.size)) return std::nullopt;
  DefaultValue::List elements;
  for (const Literal& element : literal.elements) {
    Meaning value = meaning_of(type, depth - 1, element);
    if (!value) return std::nullopt;
    elements.push_back(*std::move(value));
  }
  return meaning(std::move(elements), literal.text);
}

std::string quoted(std::string_view content) {
  std::string text = "\"";
  for (const char c : content) {
    const bool is_plain = plain_characters.find(c) != std::string_view::npos;
    const std::size_t letter = is_plain ? std::string_view::npos : escaped_characters.find(c);
    const auto code = static_cast<unsigned char>(c);
    if (letter != std::string_view::npos) {
      text += {'\\', escape_letters[letter]};
    } else if (code < 0x20 || code == 0x7f) {  // in three digits, so that a digit may follow
      text += {'\\', static_cast<char>('0' + code / 64), static_cast<char>('0' + code / 8 % 8),
               static_cast<char>('0' + code % 8)};
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string shortest(double number) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, number);
  std::string text(buffer, end.ptr);
  if (text == "-nan") return "nan";
  // A number without a fraction would be an integer as a Scalar.
  return is_fractional(text) || text.ends_with("inf") || text == "nan" ? text : text + ".0";
}

}  // namespace

std::optional<DefaultValue> parse_default(const Type& type, std::string_view text) {
  detail::Parser parser(text, nullptr);
  Literal literal;
  // Blanks around the text are a part of no default.
  if (!parser.parse_default(&literal) || literal.text.size() != text.size()) return std::nullopt;
  return meaning_of(type, type.wrappers.size(), literal);
}

std::string to_string(const DefaultValue& value) {
  if (value.as<DefaultValue::None>() != nullptr) return "None";
  if (const bool* truth = value.as<bool>()) return *truth ? "True" : "False";
  if (const std::string* content = value.as<std::string>()) return quoted(*content);
  if (const auto* named = value.as<DefaultValue::Enumerator>()) {
    return std::string(word_of(named->enumeration, named->name).value_or(named->name));
  }
  if (const auto* elements = value.as<DefaultValue::List>()) {
    std::string text = "[";
    for (const DefaultValue& element : *elements) text += (text.size() > 1 ? "," : "") + to_string(element);
    return text + "]";
  }
  if (!value.text.empty()) return std::string(value.text);
  const int64_t* whole = value.as<int64_t>();
  return whole != nullptr ? std::to_string(*whole) : shortest(*value.as<double>());
}

}  // namespace structured::schema
