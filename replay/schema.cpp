#include "schema.h"

namespace structured::replay {
namespace {

// The text between the first bracket and the one that closes it.
std::string_view arguments_text(std::string_view schema) {
  const std::size_t begin = schema.find('(') + 1;
  int depth = 1;
  std::size_t end = begin;
  for (; end < schema.size(); ++end) {
    depth += schema[end] == '(' ? 1 : schema[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  return schema.substr(begin, end - begin);
}

// At commas that are in no bracket and no string.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"' || c == '\'') is_quoted = !is_quoted;
    if (is_quoted) continue;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    std::string_view part = text.substr(begin, i - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

SchemaArgument argument(std::string_view text) {
  SchemaArgument result;
  std::size_t space = 0;
  for (int depth = 0; space < text.size() && (depth > 0 || text[space] != ' '); ++space) {
    depth += text[space] == '(' ? 1 : text[space] == ')' ? -1 : 0;
  }
  const std::string_view type = text.substr(0, space);
  const std::size_t alias = type.find('(');
  result.type = type.substr(0, alias);
  if (alias != std::string_view::npos) {
    const std::size_t closing = type.find(')');
    result.is_mutable = type.substr(alias, closing - alias).find('!') != std::string_view::npos;
    result.type += type.substr(closing + 1);
  }
  std::string_view rest = text.substr(space + 1);
  const std::size_t equals = rest.find('=');
  result.name = rest.substr(0, equals);
  if (equals != std::string_view::npos) result.default_value = rest.substr(equals + 1);
  return result;
}

}  // namespace

std::vector<SchemaArgument> schema_arguments(std::string_view schema) {
  std::vector<SchemaArgument> arguments;
  for (const std::string_view part : split(arguments_text(schema))) {
    if (part != "*") arguments.push_back(argument(part));
  }
  return arguments;
}

}  // namespace structured::replay
