// Meta functions of searching, membership tests, histc and aminmax.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

void set_positions(const char* name, MetaBase& op, const Tensor& sequence, const Tensor& self, bool out_int32) {
  const bool looks_at_elements = sequence.numel() != 0 && self.numel() != 0;
  for (const Tensor* tensor : {&sequence, &self}) {
    STRUCTURED_CHECK(!looks_at_elements || kRealTypes.contains(tensor->scalar_type()), name,
                     ": expected tensors of dtype ", kRealTypes, ", got ", tensor->scalar_type());
  }
  STRUCTURED_CHECK(!out_int32 || sequence.size(-1) < std::numeric_limits<int32_t>::max(), name,
                   ": expected positions that fit 32 bits, got ", sequence.size(-1), " elements to search");
  op.set_output_contiguous(0, self.sizes(), self.options().dtype(out_int32 ? kInt : kLong));
}

void check_comparable(ScalarType dtype) {
  STRUCTURED_CHECK(kRealTypes.contains(dtype), "isin: expected elements of dtype ", kRealTypes, ", got ", dtype);
}

}  // namespace

/// Binary search: for each element of `self` its insertion index in the ascending last dimension of `sorted_sequence`,
/// before equal elements, or after them if `right` or `side` is "right".
///
/// `sorted_sequence` is 1-d or has the sizes of `self` except the last. `sorter` (Long) gives the order that sorts an
/// unsorted sequence. Returns Long, or Int if `out_int32`. Bool and complex inputs are not supported.
[[structured::meta("searchsorted.Tensor", "searchsorted.Tensor_out"), structured::not_differentiable]]
void searchsorted_meta(MetaBase& op, const Tensor& sorted_sequence, const Tensor& self,
                       [[structured::kwonly]] bool out_int32 = false, bool right = false,
                       std::optional<std::string_view> side = std::nullopt,
                       const std::optional<Tensor>& sorter = std::nullopt) {
  STRUCTURED_CHECK(!side || *side == "left" || *side == "right",
                   "searchsorted: expected `side` to be \"left\" or \"right\", got \"", side.value_or(""), "\"");
  STRUCTURED_CHECK(!right || !side || *side == "right",
                   "searchsorted: expected `right` and `side` to agree, got true and \"", side.value_or(""), "\"");
  STRUCTURED_CHECK(sorted_sequence.dim() > 0, "searchsorted: expected `sorted_sequence` to have dimensions");
  if (sorted_sequence.dim() != 1) {
    bool fits = self.dim() == sorted_sequence.dim();
    for (int64_t d = 0; fits && d + 1 < self.dim(); ++d) fits = self.size(d) == sorted_sequence.size(d);
    STRUCTURED_CHECK(fits,
                     "searchsorted: expected `self` to have the sizes of `sorted_sequence` but for the last, got ",
                     self.sizes(), " and ", sorted_sequence.sizes());
  }
  if (sorter && sorter->defined()) {
    STRUCTURED_CHECK(sorter->sizes() == sorted_sequence.sizes(), "searchsorted: expected `sorter` of sizes ",
                     sorted_sequence.sizes(), ", got ", sorter->sizes());
    STRUCTURED_CHECK(sorter->scalar_type() == kLong, "searchsorted: expected `sorter` of dtype Long, got ",
                     sorter->scalar_type());
  }
  set_positions("searchsorted", op, sorted_sequence, self, out_int32);
}

/// Index of the bucket between the ascending `boundaries` [B] that contains each element of `self`. An element equal to
/// a boundary is in the bucket before it, or after it if `right`. Returns Long, or Int if `out_int32`. Bool and complex
/// inputs are not supported.
[[structured::meta("bucketize.Tensor", "bucketize.Tensor_out"), structured::not_differentiable]]
void bucketize_meta(MetaBase& op, const Tensor& self, const Tensor& boundaries,
                    [[structured::kwonly]] bool out_int32 = false, [[maybe_unused]] bool right = false) {
  STRUCTURED_CHECK(boundaries.dim() == 1, "bucketize: expected `boundaries` to be a vector, got ", boundaries.dim(),
                   " dimensions");
  set_positions("bucketize", op, boundaries, self, out_int32);
}

/// Whether each element of `elements` is in `test_elements`, negated if `invert`. Returns Bool; NaN is in nothing.
/// `assume_unique` has no effect. Bool and complex inputs are not supported.
[[structured::meta("isin.Tensor_Tensor", "isin.Tensor_Tensor_out"), structured::not_differentiable]]
void isin_meta(MetaBase& op, const Tensor& elements, const Tensor& test_elements,
               [[structured::kwonly, maybe_unused]] bool assume_unique = false, [[maybe_unused]] bool invert = false) {
  check_comparable(elements.scalar_type());
  check_comparable(test_elements.scalar_type());
  op.set_output_contiguous(0, elements.sizes(), elements.options().dtype(kBool));
}

/// Whether each element of `elements` equals the scalar `test_element`, negated if `invert`. Returns Bool.
/// `assume_unique` has no effect. Bool and complex inputs are not supported.
[[structured::meta("isin.Tensor_Scalar", "isin.Tensor_Scalar_out"), structured::not_differentiable]]
void isin_scalar_meta(MetaBase& op, const Tensor& elements, const Scalar& test_element,
                      [[structured::kwonly, maybe_unused]] bool assume_unique = false,
                      [[maybe_unused]] bool invert = false) {
  check_comparable(elements.scalar_type());
  check_comparable(test_element.type());
  op.set_output_contiguous(0, elements.sizes(), elements.options().dtype(kBool));
}

/// Whether the scalar `element` is in `test_elements`, negated if `invert`: a scalar tensor of dtype Bool.
/// `assume_unique` has no effect. Bool and complex inputs are not supported.
[[structured::meta("isin.Scalar_Tensor", "isin.Scalar_Tensor_out"), structured::not_differentiable]]
void isin_element_meta(MetaBase& op, const Scalar& element, const Tensor& test_elements,
                       [[structured::kwonly, maybe_unused]] bool assume_unique = false,
                       [[maybe_unused]] bool invert = false) {
  check_comparable(element.type());
  check_comparable(test_elements.scalar_type());
  op.set_output_contiguous(0, {}, test_elements.options().dtype(kBool));
}

/// Histogram of all elements of `self` with `bins` bins of equal width between `min` and `max`: [bins], of the dtype of
/// `self`.
///
/// If `min` equals `max`, the range is the minimum to the maximum of `self`, widened by 1 on both sides if these are
/// equal. The last bin includes `max`; elements outside the range and NaN are ignored. Floating-point
/// dtypes only.
[[structured::meta("histc", "histc.out"), structured::not_differentiable]]
void histc_meta(MetaBase& op, const Tensor& self, int64_t bins = 100, [[maybe_unused]] const Scalar& min = 0,
                [[maybe_unused]] const Scalar& max = 0) {
  STRUCTURED_CHECK(kAllFloatingTypes.contains(self.scalar_type()), "histc: expected `self` of dtype ",
                   kAllFloatingTypes, ", got ", self.scalar_type());
  STRUCTURED_CHECK(bins > 0, "histc: expected a positive number of `bins`, got ", bins);
  op.set_output_contiguous(0, bins, self.options());
}

/// Minimum and maximum along `dim`, or of all elements without `dim`; NaN if any element is NaN. The dimension is
/// removed, or kept with size 1 if `keepdim`. Complex inputs are not supported.
[[structured::meta("aminmax", "aminmax.out"), structured::returns("min", "max")]]
void aminmax_meta(MetaBase& op, const Tensor& self, [[structured::kwonly]] std::optional<int64_t> dim = std::nullopt,
                  bool keepdim = false) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), "aminmax: expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  const int64_t wrapped = dim ? wrap_dim(*dim, self.dim()) : 0;
  STRUCTURED_CHECK(dim && self.dim() != 0 ? self.size(wrapped) != 0 : self.numel() != 0,
                   "aminmax: expected a nonempty `self`, got sizes ", self.sizes());
  const DimMask mask =
      dim ? reduced_dims("aminmax", wrapped, self.dim()) : reduced_dims("aminmax", std::nullopt, self.dim());
  const DimVector sizes = reduced_sizes(self.sizes(), mask, keepdim);
  op.set_output_raw_strided(0, sizes, {}, self.options());
  op.set_output_raw_strided(1, sizes, {}, self.options());
}

}  // namespace structured::kernels
