#include "structured/dispatch/schema.h"

#include <utility>

namespace structured {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Tracks whether characters are inside string literals, which may contain brackets, commas and escaped quotes.
class Strings {
 public:
  /// Whether `c`, the next character, is outside string literals.
  bool is_outside(char c) {
    if (quote_ == 0) {
      quote_ = c == '"' || c == '\'' ? c : 0;
      return quote_ == 0;
    }
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == quote_) {
      quote_ = 0;
    }
    return false;
  }

 private:
  char quote_ = 0;
  bool is_escaped_ = false;
};

// Position of the bracket that closes the one at `open`; npos if there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  Strings strings;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (!strings.is_outside(c)) {
      continue;
    }
    if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

// Parses `Scalar alpha=1`, or a type alone.
SchemaArgument read_argument(std::string_view piece) {
  SchemaArgument result;
  if (const std::size_t equals = piece.find('='); equals != std::string_view::npos) {
    result.default_value = trimmed(piece.substr(equals + 1));
    piece = trimmed(piece.substr(0, equals));
  }
  const std::size_t blank = piece.rfind(' ');
  result.type = trimmed(piece.substr(0, blank));
  if (blank != std::string_view::npos) {
    result.name = piece.substr(blank + 1);
  }
  return result;
}

}  // namespace

std::string_view detail::next_piece(std::string_view& rest) {
  int depth = 0;
  Strings strings;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (!strings.is_outside(c)) {
      continue;
    }
    if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      const std::string_view piece = rest.substr(0, i);
      rest.remove_prefix(i + 1);
      return trimmed(piece);
    }
  }
  return trimmed(std::exchange(rest, {}));
}

SchemaText read_schema(std::string_view text) {
  SchemaText schema;
  const std::size_t open = text.find('(');
  const std::size_t close = open == std::string_view::npos ? open : closing(text, open);
  if (close == std::string_view::npos) {
    return schema;
  }
  bool is_keyword_only = false;
  for (std::string_view rest = text.substr(open + 1, close - open - 1); !rest.empty();) {
    const std::string_view piece = detail::next_piece(rest);
    if (piece == "*") {
      is_keyword_only = true;
    } else if (!piece.empty()) {
      schema.arguments.push_back(read_argument(piece));
      schema.arguments.back().is_keyword_only = is_keyword_only;
    }
  }
  std::string_view results = text.substr(close + 1);
  const std::size_t arrow = results.find("->");
  results = arrow == std::string_view::npos ? std::string_view() : trimmed(results.substr(arrow + 2));
  if (results.starts_with('(') && results.ends_with(')')) {
    results = results.substr(1, results.size() - 2);
  }
  while (!results.empty()) {
    if (const std::string_view piece = detail::next_piece(results); !piece.empty()) {
      schema.returns.push_back(read_argument(piece));
    }
  }
  return schema;
}

}  // namespace structured
