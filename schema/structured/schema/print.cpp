// Printing of schemas. The parser is in parse.cpp.
#include "structured/schema/schema.h"

#include <cstddef>
#include <string_view>

namespace structured::schema {
namespace {

template <class Elements, class Print>
void print_separated(std::string& text, const Elements& elements, std::string_view separator, Print&& print_one) {
  std::string_view before;
  for (const auto& element : elements) {
    text += before;
    print_one(element);
    before = separator;
  }
}

void print_names(std::string& text, const std::vector<std::string>& names) {
  print_separated(text, names, "|", [&](const std::string& name) { text += name; });
}

void print(std::string& text, const AliasSet& alias) {
  text += '(';
  print_names(text, alias.before);
  if (alias.is_write) text += '!';
  if (!alias.after.empty()) {
    text += " -> ";
    print_names(text, alias.after);
  }
  text += ')';
}

// An alias set belongs to the base type, so it comes before the wrappers.
void print(std::string& text, const Type& type, const std::optional<AliasSet>& alias) {
  const std::string type_text = to_string(type);
  const std::size_t base_length = to_string(type.base).size();
  text.append(type_text, 0, base_length);
  if (alias) print(text, *alias);
  text.append(type_text, base_length);
}

void print(std::string& text, const Argument& argument) {
  print(text, argument.type, argument.alias);
  text += ' ';
  text += argument.name;
  if (argument.default_value) {
    text += '=';
    text += *argument.default_value;
  }
}

void print(std::string& text, const Return& result) {
  print(text, result.type, result.alias);
  if (!result.name.empty()) {
    text += ' ';
    text += result.name;
  }
}

void print_arguments(std::string& text, const Schema& schema) {
  bool is_first = true;
  const auto separate = [&] {
    if (!is_first) text += ", ";
    is_first = false;
  };
  const auto print_all = [&](const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      separate();
      print(text, argument);
    }
  };
  print_all(schema.positional);
  if (!schema.keyword_only.empty() || !schema.out.empty()) {
    separate();
    text += '*';
  }
  print_all(schema.keyword_only);
  print_all(schema.out);
}

}  // namespace

bool OperatorName::is_dunder() const { return base.size() > 4 && base.starts_with("__") && base.ends_with("__"); }

bool OperatorName::is_inplace() const {
  if (is_dunder()) return base[2] == 'i' && base.size() > 5;
  return base.ends_with('_');
}

OperatorName OperatorName::inplace() const {
  OperatorName name = *this;
  name.base = is_dunder() ? "__i" + base.substr(2) : base + "_";
  return name;
}

std::string to_string(const Argument& argument) {
  std::string text;
  print(text, argument);
  return text;
}

std::string to_string(const OperatorName& name) {
  std::string text;
  if (!name.ns.empty()) text += name.ns + "::";
  text += name.base;
  if (!name.overload.empty()) text += "." + name.overload;
  return text;
}

std::string to_string(const Schema& schema) {
  std::string text = to_string(schema.name);
  text += '(';
  print_arguments(text, schema);
  text += ") -> ";
  const bool has_parentheses = schema.returns.size() != 1;
  if (has_parentheses) text += '(';
  print_separated(text, schema.returns, ", ", [&](const Return& result) { print(text, result); });
  if (has_parentheses) text += ')';
  return text;
}

}  // namespace structured::schema
