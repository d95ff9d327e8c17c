#pragma once
// Text of PTX: words, lists, numbers and declarations.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx.h"

namespace emulator {

using Strings = std::vector<std::string_view>;

inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
inline std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end])) ++end;
  return text.substr(0, end);
}
/// Removes comments and keeps line breaks.
inline std::string without_comments(std::string text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '/') continue;
    if (text[i + 1] == '/') {
      for (; i < text.size() && text[i] != '\n'; ++i) text[i] = ' ';
    } else if (text[i + 1] == '*') {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2);
      for (; i < end + 2; ++i) {
        if (text[i] != '\n') text[i] = ' ';
      }
    }
  }
  return text;
}
/// Splits at commas outside of brackets and braces.
inline Strings split_list(std::string_view text) {
  Strings parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (i == text.size() || (c == ',' && depth == 0)) {
      const std::string_view part = trim(text.substr(begin, i - begin));
      if (!part.empty()) parts.push_back(part);
      begin = i + 1;
    }
  }
  return parts;
}
inline Strings split_dots(std::string_view word) {
  Strings parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= word.size(); ++i) {
    if (i == word.size() || word[i] == '.') {
      parts.push_back(word.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}
inline std::size_t matching(std::string_view text, std::size_t open) {
  const char opening = text[open];
  const char closing = opening == '(' ? ')' : opening == '{' ? '}' : ']';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    if (text[i] == closing && --depth == 0) return i;
  }
  throw Fault("PTX: unmatched bracket");
}
inline int64_t integer(std::string_view text) {
  bool is_negative = false;
  if (!text.empty() && text.front() == '-') is_negative = true, text.remove_prefix(1);
  if (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw Fault("PTX: expected a number, got `" + std::string(text) + "`");
  }
  return static_cast<int64_t>(is_negative ? 0 - value : value);
}

inline int32_t bits_of(std::string_view type) {
  if (type == "pred") return 8;
  if (type == "f16x2" || type == "bf16x2") return 32;
  if (type == "bf16") return 16;
  return static_cast<int32_t>(integer(type.substr(1)));
}

/// `.align 8 .b8 name[64]`, `.b32 name`, with or without an initialiser.
struct Declaration {
  std::string_view name;
  std::string_view type;
  std::string_view initialiser;
  int32_t align = 1;
  int64_t size = 0;
  bool has_unknown_size = false;
};
inline Declaration read_declaration(std::string_view text) {
  Declaration result;
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    result.initialiser = trim(text.substr(equals + 1));
    text = trim(text.substr(0, equals));
  }
  int64_t count = 1;
  const std::size_t bracket = text.find('[');
  std::string_view head = text.substr(0, bracket);
  for (std::size_t open = bracket; open != std::string_view::npos; open = text.find('[', open + 1)) {
    const std::string_view inner = trim(text.substr(open + 1, text.find(']', open) - open - 1));
    if (inner.empty()) {
      result.has_unknown_size = true;
    } else {
      count *= integer(inner);
    }
  }
  int64_t vector = 1;
  for (std::string_view rest = trim(head); !rest.empty();) {
    const std::string_view word = first_word(rest);
    rest = trim(rest.substr(word.size()));
    if (word == ".align") {
      result.align = static_cast<int32_t>(integer(first_word(rest)));
      rest = trim(rest.substr(first_word(rest).size()));
    } else if (word == ".v2" || word == ".v4") {
      vector = integer(word.substr(2));
    } else if (word == ".ptr") {  // `.ptr .global .align 1`: a promise about the pointer
      while (!rest.empty() && rest.front() == '.') {
        const std::string_view each = first_word(rest);
        rest = trim(rest.substr(each.size()));
        if (each == ".align") rest = trim(rest.substr(first_word(rest).size()));
      }
    } else if (word.front() == '.') {
      if (std::isdigit(static_cast<unsigned char>(word.back())) != 0 || word == ".pred" || word == ".f16x2") {
        result.type = word.substr(1);
      }
    } else {
      result.name = word;
    }
  }
  const int32_t bytes = bits_of(result.type) / 8;
  result.align = std::max(result.align, static_cast<int32_t>(bytes * vector));
  result.size = bytes * vector * count;
  return result;
}

inline int32_t aligned(int32_t offset, int32_t align) { return (offset + align - 1) / align * align; }

}  // namespace emulator
