#include "structured/schema/parse.h"

#include <iterator>
#include <utility>

#include "structured/schema/parser.h"

namespace structured::schema {
namespace {

OperatorName name_of(const SchemaView& view) {
  return {std::string(view.ns), std::string(view.base), std::string(view.overload)};
}

Argument argument_of(const ArgumentView& view) {
  Argument argument{std::string(view.name), type_of(view), alias_of(view), std::nullopt};
  if (!view.default_value.empty()) argument.default_value = view.default_value;
  return argument;
}

Schema schema_of(const SchemaView& view) {
  Schema schema;
  schema.name = name_of(view);
  for (const ArgumentView& argument : view.arguments) {
    (argument.is_keyword_only ? schema.keyword_only : schema.positional).push_back(argument_of(argument));
  }
  for (const ArgumentView& result : view.returns) {
    schema.returns.push_back({type_of(result), alias_of(result), std::string(result.name)});
  }
  auto first_out = schema.keyword_only.end();
  while (first_out != schema.keyword_only.begin() && std::prev(first_out)->is_mutable()) --first_out;
  schema.out.assign(std::make_move_iterator(first_out), std::make_move_iterator(schema.keyword_only.end()));
  schema.keyword_only.erase(first_out, schema.keyword_only.end());
  return schema;
}

}  // namespace

std::string ParseError::message() const {
  return "column " + std::to_string(column) + ": expected " + expected + ", found " + found;
}

std::optional<SchemaView> view_schema(std::string_view text, ParseError* error) {
  detail::Parser parser(text, error);
  SchemaView view;
  if (!parser.parse_schema(view) || !parser.parse_end()) return std::nullopt;
  return view;
}

std::optional<ArgumentView> view_argument(std::string_view text, ParseError* error) {
  detail::Parser parser(text, error);
  ArgumentView view;
  if (!parser.parse_result(view) || !parser.parse_end()) return std::nullopt;
  return view;
}

std::optional<Schema> parse_schema(std::string_view text, ParseError* error) {
  const std::optional<SchemaView> view = view_schema(text, error);
  return view ? std::optional(schema_of(*view)) : std::nullopt;
}

std::optional<OperatorName> parse_operator_name(std::string_view text, ParseError* error) {
  detail::Parser parser(text, error);
  SchemaView view;
  if (!parser.parse_name(view) || !parser.parse_end()) return std::nullopt;
  return name_of(view);
}

std::optional<Type> parse_type(std::string_view text, ParseError* error) {
  detail::Parser parser(text, error);
  ArgumentView view;
  if (!parser.parse_type(view, false) || !parser.parse_end()) return std::nullopt;
  return type_of(view);
}

// The texts of views have been parsed before.
Type type_of(const ArgumentView& argument) {
  Type type{argument.base, {}};
  detail::Parser(argument.wrappers, nullptr).parse_wrappers(&type.wrappers);
  return type;
}

std::optional<AliasSet> alias_of(const ArgumentView& argument) {
  if (argument.alias.empty()) return std::nullopt;
  AliasSet alias;
  detail::Parser(argument.alias, nullptr).parse_alias(&alias);
  return alias;
}

}  // namespace structured::schema
