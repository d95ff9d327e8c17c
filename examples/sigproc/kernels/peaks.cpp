// A kernel whose results' sizes depend on the elements, so that it has no shapes without data.
#include <structured/operators.h>
#include <structured/structured.h>

#include <vector>

namespace acme::sigproc::kernels {
using namespace structured;

/// Strict local maxima of a vector [n] above `threshold` (default: none): their indices [m] as Long, and values [m].
[[structured::kernel("peaks", "CPU"), structured::returns("indices", "values"), structured::allow("no-meta-kernel"),
  structured::not_differentiable]]
std::tuple<Tensor, Tensor> peaks(const Tensor& self, const std::optional<Scalar>& threshold = std::nullopt) {
  STRUCTURED_CHECK(self.dim() == 1, "peaks: expected `self` to be a vector, got ", self.dim(), " dimensions");
  const Tensor signal = contiguous(self);
  std::vector<int64_t> found;
  visit<kFloatingTypes>("peaks", signal.scalar_type(), [&]<class T>() {
    const T* x = signal.data_ptr<T>();
    for (int64_t i = 1; i + 1 < signal.size(0); ++i) {
      if (x[i - 1] < x[i] && x[i] > x[i + 1] && (!threshold || x[i] > threshold->to<T>())) found.push_back(i);
    }
  });
  const Tensor indices = tensor<int64_t>(found);
  return {indices, index_select(signal, 0, indices)};
}

}  // namespace acme::sigproc::kernels
