#include "uri.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace structured::lsp {
namespace {

bool is_plain(char c) { return llvm::isAlnum(c) || llvm::StringRef("/-_.~").contains(c); }

}  // namespace

std::optional<std::string> path_of_uri(llvm::StringRef uri) {
  if (!uri.consume_front_insensitive("file://")) return std::nullopt;
  uri = uri.drop_front(std::min(uri.size(), uri.find('/')));  // skips the host
  std::string path;
  while (!uri.empty()) {
    if (uri.size() >= 3 && uri.front() == '%' && llvm::isHexDigit(uri[1]) && llvm::isHexDigit(uri[2])) {
      path += static_cast<char>(llvm::hexFromNibbles(uri[1], uri[2]));
      uri = uri.drop_front(3);
    } else {
      path += uri.front();
      uri = uri.drop_front();
    }
  }
  if (!llvm::sys::path::is_absolute(path) || path.find('\0') != std::string::npos) return std::nullopt;
  llvm::SmallString<256> result(path);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

std::string uri_of_path(llvm::StringRef path) {
  std::string result = "file://";
  for (char c : path) {
    if (is_plain(c)) {
      result += c;
    } else {
      result += '%';
      result += llvm::toHex(llvm::StringRef(&c, 1));
    }
  }
  return result;
}

}  // namespace structured::lsp
