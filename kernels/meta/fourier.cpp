// Meta functions of discrete Fourier transforms.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "meta/dim_order.h"

namespace structured::kernels {
namespace {

void check_transform(const char* name, const Tensor& self, IntArrayRef dim, int64_t normalization,
                     ScalarTypeSet dtypes) {
  check_dtype(name, self.scalar_type(), dtypes);
  STRUCTURED_CHECK(normalization >= 0 && normalization <= 2, name, ": expected `normalization` from 0 to 2, got ",
                   normalization);
  reduced_dims(name, dim, self.dim());  // checks that each dimension exists and occurs once
  for (const int64_t d : dim) {
    STRUCTURED_CHECK(self.dim() == 0 || self.size(wrap_dim(d, self.dim())) != 0, name,
                     ": expected elements along dimension ", d, ", got sizes ", self.sizes());
  }
}

// Dtype of the result: that of `out` if it is one of `dtypes`, which the result is converted to.
ScalarType result_dtype(MetaBase& op, ScalarType dtype, ScalarTypeSet dtypes) {
  const Tensor& out = op.maybe_get_output();
  return out.defined() && dtypes.contains(out.scalar_type()) ? out.scalar_type() : dtype;
}

// Strides of a result of these sizes that is dense in the order of dimensions in which the transform proceeds: from the
// outermost dimension inwards, those that are not transformed by their strides in the input, then those of `dim`, but
// for the last `fixed` ones by their strides, too.
DimVector result_strides(IntArrayRef input_strides, IntArrayRef sizes, IntArrayRef dim, size_t fixed) {
  const auto rank = static_cast<int64_t>(sizes.size());
  DimVector transformed;
  for (const int64_t d : dim) {
    if (rank != 0) transformed.push_back(wrap_dim(d, rank));
  }
  const auto is_further_out = [&](int64_t a, int64_t b) {
    return input_strides[static_cast<size_t>(a)] > input_strides[static_cast<size_t>(b)];
  };
  DimVector order;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::find(transformed.begin(), transformed.end(), d) == transformed.end()) order.push_back(d);
  }
  sort_dims(order.begin(), order.end(), is_further_out);
  if (transformed.size() > fixed) {
    sort_dims(transformed.begin(), transformed.end() - static_cast<std::ptrdiff_t>(fixed), is_further_out);
  }
  for (const int64_t d : transformed) order.push_back(d);
  DimVector strides(sizes.size(), 1);
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(order[i]);
    strides[d] = step;
    step *= std::max<int64_t>(1, sizes[d]);
  }
  return strides;
}

}  // namespace

/// Discrete Fourier transform of real input over the dimensions `dim`: `X[j] = sum over k of x[k] * exp(-2 * pi * i * j
/// * k / n)`. Float gives ComplexFloat, Double gives ComplexDouble; `out` may have either dtype.
///
/// The result is scaled by 1 if `normalization` is 0, by 1 / sqrt(n) if it is 1 and by 1 / n if it is 2, where n is the
/// number of transformed elements. With `onesided`, the last of `dim` keeps only its first n / 2 + 1 elements; the
/// others are their complex conjugates.
[[structured::meta("_fft_r2c", "_fft_r2c.out"), structured::tags("core")]]
void fft_r2c_meta(MetaBase& op, const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided) {
  constexpr const char* name = "_fft_r2c";
  STRUCTURED_CHECK(!dim.empty(), name, ": expected a dimension in `dim`, got none");
  check_transform(name, self, dim, normalization, kFloatingTypes);
  DimVector sizes(self.sizes());
  if (onesided && !sizes.empty()) {
    int64_t& last = sizes[static_cast<size_t>(wrap_dim(dim[dim.size() - 1], self.dim()))];
    last = last / 2 + 1;
  }
  op.set_output_strided(0, sizes, result_strides(self.strides(), sizes, dim, 1),
                        self.options().dtype(result_dtype(op, to_complex(self.scalar_type()), kComplexTypes)));
}

/// Discrete Fourier transform of complex input over the dimensions `dim`:
/// `X[j] = sum over k of x[k] * exp(-2 * pi * i * j * k / n)`, or the inverse transform, with the opposite sign of the
/// exponent, unless `forward`. ComplexFloat and ComplexDouble only; `out` may have either dtype.
///
/// The result is scaled by 1 if `normalization` is 0, by 1 / sqrt(n) if it is 1 and by 1 / n if it is 2, where n is the
/// number of transformed elements.
[[structured::meta("_fft_c2c", "_fft_c2c.out")]]
void fft_c2c_meta(MetaBase& op, const Tensor& self, IntArrayRef dim, int64_t normalization,
                  [[maybe_unused]] bool forward) {
  check_transform("_fft_c2c", self, dim, normalization, kComplexTypes);
  op.set_output_strided(0, self.sizes(), result_strides(self.strides(), self.sizes(), dim, 0),
                        self.options().dtype(result_dtype(op, self.scalar_type(), kComplexTypes)));
}

/// Inverse discrete Fourier transform over the dimensions `dim` with a real result; `self` is one-sided along the last
/// of `dim`. ComplexFloat gives Float, ComplexDouble gives Double; `out` may have either dtype.
///
/// The result has size `last_dim_size` along the last of `dim`; `self` must hold at least its first last_dim_size / 2 +
/// 1 elements, and further elements are ignored. The result is scaled by 1 if `normalization` is 0, by 1 / sqrt(n) if
/// it is 1 and by 1 / n if it is 2, where n is the number of elements of the transformed dimensions of the result.
[[structured::meta("_fft_c2r", "_fft_c2r.out"), structured::tags("core")]]
void fft_c2r_meta(MetaBase& op, const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size) {
  constexpr const char* name = "_fft_c2r";
  STRUCTURED_CHECK(!dim.empty() && self.dim() != 0, name, ": expected a dimension in `dim`, got none");
  check_transform(name, self, dim, normalization, kComplexTypes);
  DimVector sizes(self.sizes());
  int64_t& last = sizes[static_cast<size_t>(wrap_dim(dim[dim.size() - 1], self.dim()))];
  STRUCTURED_CHECK(last_dim_size >= 1 && last >= last_dim_size / 2 + 1, name, ": expected a `last_dim_size` from 1 to ",
                   2 * last - 1, " for ", last, " numbers, got ", last_dim_size);
  last = last_dim_size;
  // The dimensions before the last one are transformed first.
  const IntArrayRef first = dim.slice(0, dim.size() - 1);
  const DimVector halfway =
      first.empty() ? DimVector(self.strides()) : result_strides(self.strides(), self.sizes(), first, 0);
  op.set_output_strided(0, sizes, result_strides(halfway, sizes, dim.slice(dim.size() - 1, 1), 1),
                        self.options().dtype(result_dtype(op, to_real(self.scalar_type()), kFloatingTypes)));
}

}  // namespace structured::kernels
