// Meta functions of histogram.
#include <structured/base/error.h>
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

void check_counted(const Tensor& self, const std::optional<Tensor>& weight, ScalarTypeSet types) {
  STRUCTURED_CHECK(types.contains(self.scalar_type()), "histogram: expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
  if (!weight || !weight->defined()) return;
  STRUCTURED_CHECK(weight->scalar_type() == self.scalar_type(), "histogram: expected `weight` of dtype ",
                   self.scalar_type(), ", got ", weight->scalar_type());
  STRUCTURED_CHECK(weight->numel() == self.numel(), "histogram: expected as many elements in `weight` as in `self`, ",
                   self.numel(), ", got ", weight->numel());
}

}  // namespace

/// Histogram of all elements of `self` with `bins` bins of equal width: the counts [bins] and the bin edges [bins + 1],
/// both of the dtype of `self`.
///
/// Bins span [range[0], range[1]], or the minimum to the maximum of `self` without `range`; the last bin includes its
/// upper edge. With `weight`, which has as many elements as `self`, weights are summed instead of counted. With
/// `density`, the result is divided by its sum and the bin widths. Float and Double only, unless `self` is empty.
[[structured::meta("histogram.bin_ct", "histogram.bin_ct_out"), structured::returns("hist", "bin_edges")]]
void histogram_meta(MetaBase& op, const Tensor& self, int64_t bins = 100,
                    [[structured::kwonly]] std::optional<ArrayRef<double>> range = std::nullopt,
                    const std::optional<Tensor>& weight = std::nullopt, [[maybe_unused]] bool density = false) {
  check_counted(self, weight, self.numel() == 0 ? kAllFloatingTypes : kFloatingTypes);
  STRUCTURED_CHECK(bins > 0, "histogram: expected a positive number of `bins`, got ", bins);
  STRUCTURED_CHECK(!range || range->size() == 2, "histogram: expected 2 numbers in `range`, got ", range->size());
  op.set_output_contiguous(0, bins, self.options());
  op.set_output_contiguous(1, bins + 1, self.options());
}

/// Histogram of all elements of `self` with the ascending bin edges `bins` [B + 1]: the counts [B] and the edges, both
/// of the dtype of `self`.
///
/// The last bin includes its upper edge. With `weight`, which has as many elements as `self`, weights are summed
/// instead of counted. With `density`, the result is divided by its sum and the bin widths. Floating-point dtypes only.
[[structured::meta("histogram.bins_tensor", "histogram.bins_tensor_out"), structured::returns("hist", "bin_edges")]]
void histogram_edges_meta(MetaBase& op, const Tensor& self, const Tensor& bins,
                          [[structured::kwonly]] const std::optional<Tensor>& weight = std::nullopt,
                          [[maybe_unused]] bool density = false) {
  check_counted(self, weight, kAllFloatingTypes);
  STRUCTURED_CHECK(bins.dim() == 1 && bins.numel() > 0,
                   "histogram: expected `bins` to be a vector of edges, got sizes ", bins.sizes());
  STRUCTURED_CHECK(bins.scalar_type() == self.scalar_type(), "histogram: expected `bins` of dtype ", self.scalar_type(),
                   ", got ", bins.scalar_type());
  op.set_output_contiguous(0, bins.numel() - 1, self.options());
  op.set_output_contiguous(1, bins.numel(), self.options());
}

}  // namespace structured::kernels
