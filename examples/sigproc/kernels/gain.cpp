// Kernels over lists of tensors, with and without outputs of the caller.
#include <structured/operators.h>
#include <structured/structured.h>

namespace acme::sigproc::kernels {
using namespace structured;

/// Multiplies each signal by a factor, in place. The signals may be on different devices.
[[structured::kernel("_foreach_gain_", "CPU", "Meta"), structured::device_check(false)]]
void foreach_gain_([[structured::alias("a!")]] TensorList self, const Scalar& factor) {
  for (Tensor each : self) mul_(each, factor);
}

/// Writes each signal times a factor to the tensor of `out` at the same place.
[[structured::kernel("_foreach_gain.out", "CPU", "Meta"), structured::out]]
void foreach_gain_out(TensorList self, const Scalar& factor, [[structured::alias("a!")]] TensorList out) {
  STRUCTURED_CHECK(self.size() == out.size(), "_foreach_gain: expected ", self.size(), " tensors in `out`, got ",
                   out.size());
  for (std::size_t i = 0; i < self.size(); ++i) {
    Tensor each = out[i];
    mul_out(each, self[i], factor);
  }
}

}  // namespace acme::sigproc::kernels
