// Recursive-descent parser for schemas, with one function for each rule of the grammar.
//
//   schema   = name "(" [argument ("," argument)*] ")" "->" results
//   name     = [identifier "::"] identifier ["." word]
//   argument = "*" | type cpp_name ["=" default]
//   type     = base [alias] ("?" | "[" [size] "]")*
//   alias    = "(" sets ["!"] ["->" sets] ")"            sets = set ("|" set)*      set = identifier | "*"
//   default  = identifier | number | string | "[" [default ("," default)*] "]"
//   results  = "(" ")" | result | "(" result ("," result)+ ")"        result = type [cpp_name]
//
// Blanks are allowed between the parts of a schema, and not within names and types.
#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "model/cpp_names.h"
#include "model/schema.h"

namespace structured::gen {

namespace {

bool starts_identifier(char c) { return llvm::isAlpha(c) || c == '_'; }
// Names of arguments and results are C++ identifiers, which may contain UTF-8 letters.
bool starts_name(char c) { return starts_identifier(c) || (c & 0x80) != 0; }
bool continues_name(char c) { return is_word_character(c) || (c & 0x80) != 0; }

// Each parsing function returns whether it succeeded. The first failure is kept and ends the parse.
class Parser {
 public:
  explicit Parser(llvm::StringRef text) : text_(text) {}

  bool parse(OperatorName& name);
  bool parse(Type& type, std::optional<AliasSet>* alias);
  bool parse(Schema& schema);
  bool parse_end() {
    skip_blanks();
    return position_ == text_.size() || fail("the end of the text");
  }

  llvm::Error take_error() const { return llvm::createStringError(llvm::inconvertibleErrorCode(), error_); }

 private:
  // Limits recursion. Valid defaults are never nested as deeply.
  static constexpr int max_list_depth = 16;

  bool parse_arguments(Schema& schema);
  bool parse(Argument& argument);
  bool parse_default_list(int depth);
  bool parse_default_value(int depth);
  bool parse_string();
  bool parse_number();
  bool parse(AliasSet& alias);
  bool parse_alias_names(std::vector<std::string>& names);
  bool parse_wrapper(Type& type);
  bool parse_list_size(Type::Wrapper& wrapper);
  bool parse_returns(std::vector<Return>& returns);
  bool parse(Return& result);
  bool parse_identifier(std::string& identifier, llvm::StringRef expected);
  bool parse_name(std::string& name, llvm::StringRef expected);

  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  bool at_end() const { return position_ == text_.size(); }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++position_;
  }
  bool take(llvm::StringRef token) {
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  bool take_after_blanks(llvm::StringRef token) {
    skip_blanks();
    return take(token);
  }
  llvm::StringRef take_digits() {
    const llvm::StringRef digits = text_.substr(position_).take_while(llvm::isDigit);
    position_ += digits.size();
    return digits;
  }

  bool fail(llvm::StringRef expected) { return fail_at(position_, expected, found()); }
  bool fail_at(std::size_t position, llvm::StringRef expected, llvm::StringRef found) {
    error_ = ("column " + llvm::Twine(position + 1) + ": expected " + expected + ", found " + found).str();
    return false;
  }
  std::string found() const;

  llvm::StringRef text_;
  std::size_t position_ = 0;
  std::string error_;
};

// Returns the token at the current position, truncated for a message.
std::string Parser::found() const {
  constexpr std::size_t longest = 40;
  if (at_end()) return "the end of the text";
  if (!llvm::isPrint(peek())) {
    std::string text;
    llvm::raw_string_ostream(text) << "byte " << llvm::format_hex(static_cast<unsigned char>(peek()), 4);
    return text;
  }
  llvm::StringRef word = text_.substr(position_).take_while(is_word_character);
  if (word.empty()) word = text_.substr(position_, 1);
  if (word.size() > longest) return ("`" + word.take_front(longest) + "...`").str();
  return ("`" + word + "`").str();
}

bool Parser::parse_identifier(std::string& identifier, llvm::StringRef expected) {
  if (!starts_identifier(peek())) return fail(expected);
  const llvm::StringRef word = text_.substr(position_).take_while(is_word_character);
  position_ += word.size();
  identifier = word.str();
  return true;
}

bool Parser::parse_name(std::string& name, llvm::StringRef expected) {
  if (!starts_name(peek())) return fail(expected);
  name = text_.substr(position_).take_while(continues_name).str();
  position_ += name.size();
  return true;
}

bool Parser::parse(OperatorName& name) {
  skip_blanks();
  if (!parse_identifier(name.base, "an operator name")) return false;
  if (take("::")) {
    name.ns = std::move(name.base);
    if (!parse_identifier(name.base, "an operator name")) return false;
  }
  if (!take(".")) return true;
  const llvm::StringRef overload = text_.substr(position_).take_while(is_word_character);
  if (overload.empty()) return fail("an overload name");
  position_ += overload.size();
  name.overload = overload.str();
  return true;
}

bool Parser::parse(Type& type, std::optional<AliasSet>* alias) {
  skip_blanks();
  const std::size_t start = position_;
  const std::string found_here = found();
  std::string name;
  if (!parse_identifier(name, "a type")) return false;
  const std::optional<Type::Base> base = find_base(name);
  if (!base) return fail_at(start, "a type", found_here);
  type.base = *base;
  if (alias && peek() == '(') {
    if (type.base != Type::Base::Tensor) return fail("no alias set on `" + name + "`");
    if (!parse(alias->emplace())) return false;
  }
  while (peek() == '?' || peek() == '[') {
    if (!parse_wrapper(type)) return false;
  }
  return true;
}

bool Parser::parse_wrapper(Type& type) {
  Type::Wrapper wrapper;
  if (!take("?")) {
    ++position_;  // the `[`
    wrapper.kind = Type::Wrapper::Kind::list;
    if (!parse_list_size(wrapper)) return false;
    if (!take("]")) return fail("`]`");
  }
  type.wrappers.push_back(wrapper);
  return true;
}

bool Parser::parse_list_size(Type::Wrapper& wrapper) {
  if (peek() == ']') return true;
  const std::size_t start = position_;
  const std::string found_here = found();
  const llvm::StringRef digits = take_digits();
  std::int64_t size = 0;
  // Numbers print without leading zeros, so these are rejected.
  if (digits.empty() || digits.front() == '0' || digits.getAsInteger(10, size)) {
    return fail_at(start, "the length of a list or `]`", found_here);
  }
  wrapper.size = size;
  return true;
}

bool Parser::parse(AliasSet& alias) {
  ++position_;  // the `(`
  if (!parse_alias_names(alias.before)) return false;
  alias.is_write = take("!");
  if (take_after_blanks("->") && !parse_alias_names(alias.after)) return false;
  return take_after_blanks(")") || fail(alias.after.empty() ? "`)` or `->`" : "`)`");
}

bool Parser::parse_alias_names(std::vector<std::string>& names) {
  do {
    skip_blanks();
    std::string name = "*";
    if (!take("*") && !parse_identifier(name, "the name of an alias set")) return false;
    names.push_back(std::move(name));
  } while (take("|"));
  return true;
}

bool Parser::parse(Argument& argument) {
  if (!parse(argument.type, &argument.alias)) return false;
  skip_blanks();
  if (!parse_name(argument.name, "the name of an argument")) return false;
  if (!take_after_blanks("=")) return true;
  skip_blanks();
  const std::size_t start = position_;
  if (!parse_default_value(0)) return false;
  argument.default_value = text_.slice(start, position_).str();
  return true;
}

bool Parser::parse_default_value(int depth) {
  const char c = peek();
  if (c == '[') return parse_default_list(depth + 1);
  if (c == '"' || c == '\'') return parse_string();
  if (c == '-' || llvm::isDigit(c)) return parse_number();
  std::string identifier;
  return parse_identifier(identifier, "a default");
}

bool Parser::parse_default_list(int depth) {
  if (depth > max_list_depth) return fail("no more than " + std::to_string(max_list_depth) + " nested lists");
  ++position_;  // the `[`
  if (take_after_blanks("]")) return true;
  do {
    skip_blanks();
    if (!parse_default_value(depth)) return false;
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
  return fail_at(start, llvm::StringRef(quote == '"' ? "a string that ends in `\"`" : "a string that ends in `'`"),
                 "the end of the text");
}

bool Parser::parse_number() {
  take("-");
  if (starts_identifier(peek())) {  // -inf
    std::string identifier;
    return parse_identifier(identifier, "a number");
  }
  if (take_digits().empty()) return fail("a number");
  if (take(".")) take_digits();
  if (peek() != 'e' && peek() != 'E') return true;
  ++position_;
  if (peek() == '-' || peek() == '+') ++position_;
  return !take_digits().empty() || fail("an exponent");
}

bool Parser::parse_arguments(Schema& schema) {
  if (!take("(")) {
    if (!schema.name.overload.empty()) return fail("`(`");
    return fail(schema.name.ns.empty() ? "`(`, `.` or `::`" : "`(` or `.`");
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
    std::vector<Argument>& arguments = after_star ? schema.keyword_only : schema.positional;
    if (!parse(arguments.emplace_back())) return false;
  } while (take_after_blanks(","));
  return take(")") || fail("`,` or `)`");
}

bool Parser::parse(Return& result) {
  if (!parse(result.type, &result.alias)) return false;
  skip_blanks();
  return !starts_name(peek()) || parse_name(result.name, "the name of a result");
}

bool Parser::parse_returns(std::vector<Return>& returns) {
  skip_blanks();
  if (!take("(")) return parse(returns.emplace_back());
  if (take_after_blanks(")")) return true;
  do {
    if (!parse(returns.emplace_back())) return false;
  } while (take_after_blanks(","));
  // A single result prints without parentheses, so they are rejected.
  if (returns.size() == 1) return fail("`,` and another result");
  return take(")") || fail("`,` or `)`");
}

bool Parser::parse(Schema& schema) {
  if (!parse(schema.name) || !parse_arguments(schema)) return false;
  if (!take_after_blanks("->")) return fail("`->`");
  if (!parse_returns(schema.returns)) return false;
  const auto first_out = [&] {
    auto position = schema.keyword_only.end();
    while (position != schema.keyword_only.begin() && std::prev(position)->is_mutable()) --position;
    return position;
  }();
  schema.out.assign(std::make_move_iterator(first_out), std::make_move_iterator(schema.keyword_only.end()));
  schema.keyword_only.erase(first_out, schema.keyword_only.end());
  return true;
}

}  // namespace

llvm::Expected<Type> parse_type(llvm::StringRef text) {
  Parser parser(text);
  Type type;
  if (!parser.parse(type, nullptr) || !parser.parse_end()) return parser.take_error();
  return type;
}

llvm::Expected<OperatorName> parse_operator_name(llvm::StringRef text) {
  Parser parser(text);
  OperatorName name;
  if (!parser.parse(name) || !parser.parse_end()) return parser.take_error();
  return name;
}

llvm::Expected<Schema> parse_schema(llvm::StringRef text) {
  Parser parser(text);
  Schema schema;
  if (!parser.parse(schema) || !parser.parse_end()) return parser.take_error();
  return schema;
}

}  // namespace structured::gen
