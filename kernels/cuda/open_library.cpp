#include "cuda/open_library.h"

#include <structured/core/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace structured::kernels {

void* open_library(const std::string& soname, const char* instead) {
  std::string folders;
  if (const char* const given = std::getenv("STRUCTURED_CUDA_LIBRARIES")) folders = given;
#if defined(STRUCTURED_CUDA_EMULATOR)
  constexpr bool is_emulated = true;
#else
  constexpr bool is_emulated = false;
  folders += ":/usr/local/cuda/lib64";
#endif
  std::string reason;
  const auto open = [&](const std::string& path) {
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (const char* const error = opened == nullptr ? dlerror() : nullptr) reason += std::string("; ") + error;
    return opened;
  };
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    if (!folder.empty()) {
      if (void* const opened = open(folder + "/" + soname)) return opened;
    }
    begin = end + 1;
  }
  if (!is_emulated) {
    if (void* const opened = open(soname)) return opened;
  }
  if (!reason.empty()) warn("`", soname, "` cannot be opened, ", instead, reason);
  return nullptr;
}

void warn_of_missing_function(const std::string& soname, const char* instead) {
  const char* const reason = dlerror();
  warn("`", soname, "` cannot be used, ", instead, "; ", reason != nullptr ? reason : "a function is missing");
}

}  // namespace structured::kernels
