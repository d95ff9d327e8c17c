#pragma once
// Strings of JSON, for code that writes it without a library.
#include <cstddef>
#include <string>
#include <string_view>

namespace structured::detail {

/// Appends `value`, which is UTF-8, in double quotes, with the escapes that JSON requires.
inline void append_json_string(std::string& text, std::string_view value) {
  constexpr std::string_view special = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  constexpr std::string_view digits = "0123456789abcdef";
  text += '"';
  std::size_t plain = 0;  // start of the characters that need no escape
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') continue;
    text.append(value, plain, i - plain);
    plain = i + 1;
    const std::size_t letter = special.find(c);
    if (letter != std::string_view::npos) {
      text += {'\\', letters[letter]};
    } else {
      text += {'\\', 'u', '0', '0', digits[byte / 16], digits[byte % 16]};
    }
  }
  text.append(value, plain);
  text += '"';
}

inline std::string json_string(std::string_view value) {
  std::string text;
  append_json_string(text, value);
  return text;
}

}  // namespace structured::detail
