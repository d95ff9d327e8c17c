#pragma once
// Functions of the stable ABI that came after the first version that a library works with. They are looked up when the
// library runs, so that one binary does without them in earlier versions.
#include <dlfcn.h>

#include <string>

namespace structured::torch_stable::detail {

/// Returns a function of libtorch; null if this PyTorch has none of that name.
template <class Function>
Function* later_function(const std::string& name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name.c_str()));
}

/// Returns the text of the error of the last call of this thread, which PyTorch 2.13 and later tell; else nothing.
inline std::string last_error() {
  auto* what = later_function<const char*()>("torch_exception_get_what_without_backtrace");
  const char* text = what == nullptr ? nullptr : what();
  return text == nullptr ? std::string() : std::string(text);
}

}  // namespace structured::torch_stable::detail
