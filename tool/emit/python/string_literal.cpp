#include "emit/python/string_literal.h"

#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

std::string python_string(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/true, /*Width=*/2);
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace structured::gen
