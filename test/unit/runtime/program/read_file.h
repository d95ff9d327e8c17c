#pragma once
// Files of samples.
#include <cstdio>
#include <string>

#include "structured/base/error.h"

namespace structured::test {

/// The bytes of a file. Throws Error if it cannot be read.
inline std::string read_file(const std::string& path) {
  std::FILE* const in = std::fopen(path.c_str(), "rb");
  if (in == nullptr) fail("cannot read ", path);
  std::string bytes;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, in)) bytes.append(buffer, count);
  std::fclose(in);
  return bytes;
}

}  // namespace structured::test
