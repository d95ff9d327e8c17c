#include "structured/dispatch/backend.h"

#include <array>

#include "structured/base/error.h"

namespace structured {

std::string_view to_string(Backend backend) {
  static constexpr std::array<std::string_view, backend_count> names{
#define STRUCTURED_BACKEND(name, ...) #name,
#include "structured/schema/backends.def"
  };
  return backend < Backend::count ? names[static_cast<std::size_t>(backend)] : "unknown backend";
}

namespace detail {

void throw_no_backend(DeviceType device, Layout layout) {
  fail("no backend serves ", layout != Layout::Strided ? "sparse" : "quantized", " tensors on `",
       to_string(find_backend(device, Layout::Strided, ScalarType::Float)), "`");
}

}  // namespace detail
}  // namespace structured
