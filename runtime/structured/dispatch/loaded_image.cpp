#include "structured/dispatch/loaded_image.h"

#include <dlfcn.h>

namespace structured::detail {

std::string image_suffix(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return "";
  }
  return std::string(" (") + info.dli_fname + ")";
}

const void* image_base(const void* address) {
  Dl_info info;
  return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

}  // namespace structured::detail
