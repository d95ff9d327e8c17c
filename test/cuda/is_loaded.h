#pragma once
// Libraries that the program has loaded.
#include <fstream>
#include <sstream>
#include <string>

/// Whether the program has loaded a library whose path contains `name`.
inline bool is_loaded(const std::string& name) {
  std::stringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  return text.str().find(name) != std::string::npos;
}
