// A view: no elements are copied, and an alias set says so in the schema.
#include <structured/operators.h>
#include <structured/structured.h>

namespace acme::sigproc::kernels {
using namespace structured;

/// Overlapping windows of a signal [..., n] as a view [..., frames, length]; the first samples of neighbouring frames
/// are `hop` samples apart.
[[structured::kernel("frame", "CPU", "Meta"), structured::method, structured::sharding("... _ -> ... _ _"),
  structured::allow("missing-derivative")]]
Tensor frame([[structured::alias("a")]] const Tensor& self, [[structured::symint]] int64_t length,
             [[structured::symint]] int64_t hop = 1) {
  return unfold(self, -1, length, hop);
}

}  // namespace acme::sigproc::kernels
