// Meta and impl with a class of precomputed values, an optional tensor, a list of fixed length and named results.
#include "fir.h"

#include <algorithm>

namespace acme::sigproc::kernels {

/// Filters each row of `self` [channels, n] by `taps` [m], and returns the result [channels, n / stride] with the last
/// m - 1 samples, `state` for the next block. `history` [channels, m - 1] has the samples before the first; zeros if it
/// is missing.
[[structured::meta("fir", "fir.out"), structured::returns("filtered", "state"),
  structured::allow("missing-derivative")]]
FirPlan fir_meta(MetaBase& op, [[structured::requires("rank 2")]] const Tensor& self,
                 [[structured::requires("rank 1")]] const Tensor& taps,
                 const std::optional<Tensor>& history = std::nullopt,
                 [[structured::kwonly, structured::size(1), structured::schema_default("1")]] IntArrayRef stride = 1) {
  STRUCTURED_CHECK(taps.size(0) > 0, "fir: expected `taps` to have at least 1 element, got none");
  STRUCTURED_CHECK(taps.scalar_type() == self.scalar_type(), "fir: expected `taps` of dtype ", self.scalar_type(),
                   ", got ", taps.scalar_type());
  STRUCTURED_CHECK(stride[0] > 0, "fir: expected a positive `stride`, got ", stride[0]);
  const int64_t channels = self.size(0);
  const int64_t before = taps.size(0) - 1;
  STRUCTURED_CHECK(!history || history->sizes() == IntArrayRef({channels, before}),
                   "fir: expected `history` of shape [", channels, ", ", before, "], got ", history->sizes());
  op.set_output_contiguous(0, {channels, (self.size(1) + stride[0] - 1) / stride[0]}, self.options());
  op.set_output_contiguous(1, {channels, before}, self.options());
  return {stride[0]};
}

[[structured::impl("fir", "CPU"), structured::dtypes("float", "double")]]
void fir_cpu(const Tensor& self, const Tensor& taps, const std::optional<Tensor>& history, const FirPlan& plan,
             const Tensor& filtered, const Tensor& state) {
  const int64_t before = taps.size(0) - 1;
  const Tensor past = history ? *history : zeros({self.size(0), before}, self.options());
  const Tensor padded = contiguous(cat({past, self}, 1));
  Tensor newest = state;
  copy_(newest, slice(padded, 1, padded.size(1) - before, padded.size(1)));
  visit<kFloatingTypes>("fir", self.scalar_type(), [&]<class T>() {
    const Tensor weights = contiguous(taps);
    const int64_t outputs = filtered.size(1);
    parallel_for(0, self.size(0), 1, [&](int64_t first, int64_t last) {
      for (int64_t channel = first; channel < last; ++channel) {
        const T* in = padded.data_ptr<T>() + channel * padded.size(1);
        T* out = filtered.data_ptr<T>() + channel * outputs;
        for (int64_t i = 0; i < outputs; ++i) {
          // The newest sample meets the first tap.
          T sum = 0;
          for (int64_t k = 0; k <= before; ++k) sum += weights.data_ptr<T>()[k] * in[i * plan.stride + before - k];
          out[i] = sum;
        }
      }
    });
  });
}

}  // namespace acme::sigproc::kernels
