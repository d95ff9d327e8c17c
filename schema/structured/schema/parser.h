#pragma once
// Recursive-descent parser, with one function for each rule of the grammar. For parse.cpp and default_value.cpp.
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
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "structured/schema/parse.h"

namespace structured::schema::detail {

/// A default as a schema spells it, before a type gives it a meaning.
struct Literal {
  enum class Kind { word, number, string, list };
  Kind kind = Kind::word;
  std::string_view text;
  std::vector<Literal> elements;
};

/// Each parsing function returns whether it succeeded. The first failure is kept and ends the parse. Pointers to
/// results may be null, where only the extent of the text is of interest.
class Parser {
 public:
  /// Sets `error`, which may be null, on failure.
  Parser(std::string_view text, ParseError* error) : text_(text), error_(error) {}

  bool parse_name(SchemaView& name);
  bool parse_type(ArgumentView& type, bool has_alias);
  bool parse_argument(ArgumentView& argument);
  bool parse_result(ArgumentView& result);
  bool parse_schema(SchemaView& schema);
  /// Parses the part of an alias set between its parentheses.
  bool parse_alias(AliasSet* alias);
  bool parse_wrappers(std::vector<Type::Wrapper>* wrappers);
  bool parse_default(Literal* literal, int depth = 0);
  bool parse_end() {
    skip_blanks();
    return at_end() || fail("the end of the text");
  }

 private:
  bool parse_default_list(Literal* literal, int depth);
  bool parse_string();
  bool parse_number();
  bool parse_alias_names(std::vector<std::string>* names);
  bool parse_list_size(std::optional<int64_t>& size);
  bool parse_arguments(SchemaView& schema);
  bool parse_returns(std::vector<ArgumentView>& returns);
  bool parse_identifier(std::string_view& identifier, std::string_view expected);
  bool parse_cpp_name(std::string_view& name, std::string_view expected);

  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool at_end() const { return position_ == text_.size(); }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++position_;
  }
  bool take(std::string_view token) {
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  bool take_after_blanks(std::string_view token) {
    skip_blanks();
    return take(token);
  }
  template <class Predicate>
  std::string_view take_while(Predicate&& is_taken) {
    const std::size_t start = position_;
    while (!at_end() && is_taken(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
  }
  std::string_view taken_since(std::size_t start) const { return text_.substr(start, position_ - start); }

  bool fail(std::string_view expected) { return fail_at(position_, expected); }
  bool fail_at(std::size_t position, std::string_view expected) {
    return fail_at(position, expected, found_at(position));
  }
  bool fail_at(std::size_t position, std::string_view expected, std::string found);
  std::string found_at(std::size_t position) const;

  std::string_view text_;
  ParseError* error_;
  std::size_t position_ = 0;
};

}  // namespace structured::schema::detail
