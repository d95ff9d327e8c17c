// Opens the library of the CUDA backend.
#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "structured/device/device_library.h"

namespace structured::detail {
namespace {

// Returns the folder of this library, with a slash, or an empty string.
std::string own_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&open_device_library), &info) == 0 || info.dli_fname == nullptr) return "";
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// Returns null, or the message of the dynamic linker. The library is never closed.
const char* open_cuda() {
  static std::string text;
  const std::string name = STRUCTURED_CUDA_SONAME;
  for (const std::string& path : {own_folder() + name, name}) {
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return nullptr;
    const char* const error = dlerror();
    // The error of a library that exists says more than that there is no other.
    if (text.empty() || access(text.substr(0, text.find(':')).c_str(), F_OK) != 0) {
      text = error != nullptr ? error : name + ": cannot be opened";
    }
  }
  return text.c_str();
}

}  // namespace

const char* open_device_library(DeviceType type) {
  if (type != DeviceType::CUDA) return "there is no library for this device type";
  static const char* const error = open_cuda();
  return error;
}

}  // namespace structured::detail
