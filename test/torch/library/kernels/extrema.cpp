// A reduction with two outputs and a precomputed value.
#include "extrema.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <structured/torch.h>

namespace trial {

/// Smallest and largest elements along `dim`.
[[structured::meta("extrema", "extrema.out"), structured::returns("low", "high")]]
WrappedDim extrema_meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t dim = -1, bool keepdim = false) {
  const int64_t wrapped = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(self.dim() > 0 && self.size(wrapped) > 0, "extrema: expected elements along dim ", dim);
  auto sizes = self.sizes().vec();
  if (keepdim) {
    sizes[wrapped] = 1;
  } else {
    sizes.erase(sizes.begin() + wrapped);
  }
  op.set_output_raw_strided(0, sizes, {}, self.options());
  op.set_output_raw_strided(1, sizes, {}, self.options());
  return {wrapped};
}

[[structured::impl("extrema.out", "CPU")]]
void extrema_cpu(const at::Tensor& self, bool keepdim, const WrappedDim& wrapped, const at::Tensor& low,
                 const at::Tensor& high) {
  at::Tensor low_out = low;
  at::Tensor high_out = high;
  at::amin_out(low_out, self, wrapped.dim, keepdim);
  at::amax_out(high_out, self, wrapped.dim, keepdim);
}

}  // namespace trial
