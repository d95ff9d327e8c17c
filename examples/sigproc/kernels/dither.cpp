// An in-place kernel with a random generator.
#include <structured/operators.h>
#include <structured/structured.h>

#include <cmath>

namespace acme::sigproc::kernels {
using namespace structured;

/// Adds triangular noise of one step of `bits` bits to a contiguous signal, so that rounding to that many bits leaves
/// no harmonics. `generator` defaults to the process's.
[[structured::kernel("dither_", "CPU"), structured::dtypes("CPU", "float", "double"),
  structured::allow("no-meta-kernel", "missing-derivative")]]
Tensor& dither_(Tensor& self, int64_t bits = 16,
                [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(bits >= 1 && bits <= 32, "dither_: expected `bits` from 1 to 32, got ", bits);
  const Tensor first = rand(self.sizes(), generator, self.options());
  const Tensor second = rand(self.sizes(), generator, self.options());
  return add_(self, sub(first, second), std::ldexp(1.0, static_cast<int>(1 - bits)));
}

}  // namespace acme::sigproc::kernels
