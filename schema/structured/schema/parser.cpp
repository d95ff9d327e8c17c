#include "structured/schema/parser.h"

#include <charconv>
#include <system_error>
#include <utility>

namespace structured::schema::detail {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool starts_identifier(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool continues_identifier(char c) { return starts_identifier(c) || is_digit(c); }
// Names of arguments and results are C++ identifiers, which may contain UTF-8 letters.
constexpr bool starts_cpp_name(char c) { return starts_identifier(c) || (c & 0x80) != 0; }
constexpr bool continues_cpp_name(char c) { return continues_identifier(c) || (c & 0x80) != 0; }

// Limits recursion. Valid defaults are never nested as deeply.
constexpr int max_list_depth = 16;

}  // namespace

bool Parser::fail_at(std::size_t position, std::string_view expected, std::string found) {
  if (error_ != nullptr) *error_ = {position + 1, std::string(expected), std::move(found)};
  return false;
}

// Returns the token at a position, truncated for a message.
std::string Parser::found_at(std::size_t position) const {
  constexpr std::size_t longest = 40;
  if (error_ == nullptr) return {};
  if (position == text_.size()) return "the end of the text";
  const char first = text_[position];
  if (first < ' ' || first > '~') {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(first);
    return std::string("byte 0x") + digits[byte / 16] + digits[byte % 16];
  }
  std::size_t end = position;
  while (end < text_.size() && continues_identifier(text_[end])) ++end;
  const std::string word(text_.substr(position, end == position ? 1 : end - position));
  return word.size() > longest ? "`" + word.substr(0, longest) + "...`" : "`" + word + "`";
}

bool Parser::parse_identifier(std::string_view& identifier, std::string_view expected) {
  if (!starts_identifier(peek())) return fail(expected);
  identifier = take_while(continues_identifier);
  return true;
}

bool Parser::parse_cpp_name(std::string_view& name, std::string_view expected) {
  if (!starts_cpp_name(peek())) return fail(expected);
  name = take_while(continues_cpp_name);
  return true;
}

bool Parser::parse_name(SchemaView& name) {
  skip_blanks();
  if (!parse_identifier(name.base, "an operator name")) return false;
  if (take("::")) {
    name.ns = name.base;
    if (!parse_identifier(name.base, "an operator name")) return false;
  }
  if (!take(".")) return true;
  name.overload = take_while(continues_identifier);
  return !name.overload.empty() || fail("an overload name");
}

bool Parser::parse_type(ArgumentView& type, bool has_alias) {
  skip_blanks();
  const std::size_t start = position_;
  std::string_view name;
  if (!parse_identifier(name, "a type")) return false;
  const std::optional<Type::Base> base = find_base(name);
  if (!base) return fail_at(start, "a type");
  type.base = *base;
  if (has_alias && peek() == '(') {
    if (type.base != Type::Base::Tensor) return fail("no alias set on `" + std::string(name) + "`");
    ++position_;
    skip_blanks();
    const std::size_t alias_start = position_;
    if (!parse_alias(nullptr)) return false;
    type.alias = taken_since(alias_start);
    if (!take_after_blanks(")")) return fail(type.alias.find("->") == std::string_view::npos ? "`)` or `->`" : "`)`");
  }
  const std::size_t wrappers_start = position_;
  if (!parse_wrappers(nullptr)) return false;
  type.wrappers = taken_since(wrappers_start);
  type.type = taken_since(start);
  return true;
}

bool Parser::parse_wrappers(std::vector<Type::Wrapper>* wrappers) {
  while (peek() == '?' || peek() == '[') {
    Type::Wrapper wrapper;
    if (!take("?")) {
      ++position_;  // the `[`
      wrapper.kind = Type::Wrapper::Kind::list;
      if (!parse_list_size(wrapper.size)) return false;
      if (!take("]")) return fail("`]`");
    }
    if (wrappers != nullptr) wrappers->push_back(wrapper);
  }
  return true;
}

bool Parser::parse_list_size(std::optional<int64_t>& size) {
  if (peek() == ']') return true;
  const std::size_t start = position_;
  const std::string_view digits = take_while(is_digit);
  int64_t number = 0;
  const std::errc error = std::from_chars(digits.data(), digits.data() + digits.size(), number).ec;
  // Numbers print without leading zeros, so these are rejected.
  if (error != std::errc() || digits.front() == '0') return fail_at(start, "the length of a list or `]`");
  size = number;
  return true;
}

bool Parser::parse_alias(AliasSet* alias) {
  if (!parse_alias_names(alias == nullptr ? nullptr : &alias->before)) return false;
  const bool is_write = take("!");
  if (alias != nullptr) alias->is_write = is_write;
  const std::size_t end = position_;
  if (take_after_blanks("->")) return parse_alias_names(alias == nullptr ? nullptr : &alias->after);
  position_ = end;  // before blanks
  return true;
}

bool Parser::parse_alias_names(std::vector<std::string>* names) {
  do {
    skip_blanks();
    std::string_view name = "*";
    if (!take("*") && !parse_identifier(name, "the name of an alias set")) return false;
    if (names != nullptr) names->emplace_back(name);
  } while (take("|"));
  return true;
}

bool Parser::parse_argument(ArgumentView& argument) {
  if (!parse_type(argument, true)) return false;
  skip_blanks();
  if (!parse_cpp_name(argument.name, "the name of an argument")) return false;
  if (!take_after_blanks("=")) return true;
  skip_blanks();
  const std::size_t start = position_;
  if (!parse_default(nullptr)) return false;
  argument.default_value = taken_since(start);
  return true;
}

bool Parser::parse_default(Literal* literal, int depth) {
  const std::size_t start = position_;
  const char c = peek();
  Literal::Kind kind = Literal::Kind::word;
  std::string_view word;
  bool is_parsed = false;
  if (c == '[') {
    kind = Literal::Kind::list;
    is_parsed = parse_default_list(literal, depth + 1);
  } else if (c == '"' || c == '\'') {
    kind = Literal::Kind::string;
    is_parsed = parse_string();
  } else if (c == '-' || is_digit(c)) {
    kind = Literal::Kind::number;
    is_parsed = parse_number();
  } else {
    is_parsed = parse_identifier(word, "a default");
  }
  if (literal != nullptr) {
    literal->kind = kind;
    literal->text = taken_since(start);
  }
  return is_parsed;
}

bool Parser::parse_default_list(Literal* literal, int depth) {
  if (depth > max_list_depth) return fail("no more than " + std::to_string(max_list_depth) + " nested lists");
  ++position_;  // the `[`
  if (take_after_blanks("]")) return true;
  do {
    skip_blanks();
    if (!parse_default(literal == nullptr ? nullptr : &literal->elements.emplace_back(), depth)) return false;
  } while (take_after_blanks(","));
  return take("]") || fail("`,` or `]`");
}

bool Parser::parse_string() {
  const std::size_t start = position_;
  const char quote = peek();
  for (++position_; !at_end(); ++position_) {
    if (peek() == quote) {
      ++position_;
      return true;
    }
    if (peek() == '\\') ++position_;
    if (at_end()) break;
  }
  return fail_at(start, quote == '"' ? "a string that ends in `\"`" : "a string that ends in `'`",
                 "the end of the text");
}

bool Parser::parse_number() {
  take("-");
  if (starts_identifier(peek())) {  // -inf
    std::string_view identifier;
    return parse_identifier(identifier, "a number");
  }
  if (take_while(is_digit).empty()) return fail("a number");
  if (take(".")) take_while(is_digit);
  if (peek() != 'e' && peek() != 'E') return true;
  ++position_;
  if (peek() == '-' || peek() == '+') ++position_;
  return !take_while(is_digit).empty() || fail("an exponent");
}

bool Parser::parse_arguments(SchemaView& schema) {
  if (!take("(")) {
    if (!schema.overload.empty()) return fail("`(`");
    return fail(schema.ns.empty() ? "`(`, `.` or `::`" : "`(` or `.`");
  }
  if (take_after_blanks(")")) return true;
  bool after_star = false;
  do {
    skip_blanks();
    while (peek() == '*') {
      if (after_star) return fail("only one `*`");
      after_star = true;
      ++position_;
      if (!take_after_blanks(",")) return fail("`,` and a keyword-only argument");
      skip_blanks();
    }
    ArgumentView& argument = schema.arguments.emplace_back();
    argument.is_keyword_only = after_star;
    if (!parse_argument(argument)) return false;
  } while (take_after_blanks(","));
  return take(")") || fail("`,` or `)`");
}

bool Parser::parse_result(ArgumentView& result) {
  if (!parse_type(result, true)) return false;
  skip_blanks();
  return !starts_cpp_name(peek()) || parse_cpp_name(result.name, "the name of a result");
}

bool Parser::parse_returns(std::vector<ArgumentView>& returns) {
  skip_blanks();
  if (!take("(")) return parse_result(returns.emplace_back());
  if (take_after_blanks(")")) return true;
  do {
    if (!parse_result(returns.emplace_back())) return false;
  } while (take_after_blanks(","));
  // A single result prints without parentheses, so they are rejected.
  if (returns.size() == 1) return fail("`,` and another result");
  return take(")") || fail("`,` or `)`");
}

bool Parser::parse_schema(SchemaView& schema) {
  if (!parse_name(schema) || !parse_arguments(schema)) return false;
  if (!take_after_blanks("->")) return fail("`->`");
  return parse_returns(schema.returns);
}

}  // namespace structured::schema::detail
