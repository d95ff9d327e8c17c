// A factory: it takes the four options that say how to make a tensor.
#include <structured/operators.h>
#include <structured/structured.h>

namespace acme::sigproc::kernels {
using namespace structured;

/// A Hann window of `length` samples, for spectra: `sin(pi * i / length)` squared.
[[structured::kernel("window", "CompositeExplicitAutograd"), structured::variants("window.out"),
  structured::no_cpp_default("dtype")]]
Tensor window(int64_t length, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
              std::optional<bool> pin_memory = std::nullopt) {
  STRUCTURED_CHECK(length > 0, "window: expected a positive `length`, got ", length);
  const Tensor position = arange(length, dtype, layout, device, pin_memory);
  const Tensor root = sin(mul(position, 3.141592653589793 / static_cast<double>(length)));
  return mul(root, root);
}

}  // namespace acme::sigproc::kernels
