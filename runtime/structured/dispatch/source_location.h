#pragma once
// Source location of a registration, for error messages and dispatch_table().
#include <string>

namespace structured::detail {

struct SourceLocation {
  std::string file;
  int line;  // 0: unknown
};

inline std::string text_of(const SourceLocation& location) {
  return location.line == 0 ? location.file : location.file + ":" + std::to_string(location.line);
}

}  // namespace structured::detail
