#include "check/text.h"

#include "llvm/ADT/Twine.h"

namespace structured::gen {

std::string code(llvm::StringRef text) {
  constexpr std::size_t longest = 400;
  constexpr llvm::StringLiteral digits = "0123456789abcdef";
  bool is_cut = text.size() > longest;
  if (is_cut) {
    std::size_t end = longest;
    while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // inside a UTF-8 sequence
    text = text.take_front(end);
  }
  std::string result = "`";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      result += c;
    }
  }
  return result + (is_cut ? "...`" : "`");
}

std::string count_of(std::size_t count, llvm::StringRef noun) {
  return (llvm::Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

std::string list_of(llvm::ArrayRef<std::string> names, llvm::StringRef conjunction) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? (" " + conjunction + " ").str() : ", ";
    list += code(names[i]);
  }
  return list;
}

std::string without_const(llvm::StringRef type) {
  type = type.ltrim();
  if (type.consume_front("const ")) type = type.ltrim();
  return type.str();
}

}  // namespace structured::gen
