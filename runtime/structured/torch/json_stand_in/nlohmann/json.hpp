#pragma once
// Declarations of nlohmann-json that ATen/functorch/Interpreter.h of PyTorch 2.10 and later needs, and that PyTorch's
// wheel lacks. Only the emitted source support.cpp, or a source that includes it, is compiled with this folder in its
// include path; it calls none of them.
#include <string>

namespace nlohmann {

struct json {
  json() = default;
  template <class T>
  explicit json(const T& value);
  static json parse(const std::string& text);
  std::string dump() const;
  template <class T>
  T get() const;
};

}  // namespace nlohmann
