#pragma once
// Where in somebody's source a registration stands.
#include <string>

namespace structured::detail {

struct Place {
  std::string file;
  int line;  // 0: the file alone is the place
};

inline std::string text_of(const Place& place) {
  return place.line == 0 ? place.file : place.file + ":" + std::to_string(place.line);
}

/// ` (PATH)` for the shared library or program that `address` is in.
std::string file_of(const void* address);

/// Where the shared library or program that `address` is in begins; null if it is in none.
const void* image_of(const void* address);

}  // namespace structured::detail
