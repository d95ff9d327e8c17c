// Meta functions of discrete Fourier transforms.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>

#include <cstdint>

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

}  // namespace

/// Discrete Fourier transform of real input over the dimensions `dim`: `X[j] = sum over k of x[k] * exp(-2 * pi * i * j
/// * k / n)`. Float gives ComplexFloat, Double gives ComplexDouble.
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
  op.set_output_contiguous(0, sizes, self.options().dtype(to_complex(self.scalar_type())));
}

/// Discrete Fourier transform of complex input over the dimensions `dim`:
/// `X[j] = sum over k of x[k] * exp(-2 * pi * i * j * k / n)`, or the inverse transform, with the opposite sign of the
/// exponent, unless `forward`. ComplexFloat and ComplexDouble only.
///
/// The result is scaled by 1 if `normalization` is 0, by 1 / sqrt(n) if it is 1 and by 1 / n if it is 2, where n is the
/// number of transformed elements.
[[structured::meta("_fft_c2c", "_fft_c2c.out")]]
void fft_c2c_meta(MetaBase& op, const Tensor& self, IntArrayRef dim, int64_t normalization,
                  [[maybe_unused]] bool forward) {
  check_transform("_fft_c2c", self, dim, normalization, kComplexTypes);
  op.set_output_contiguous(0, self.sizes(), self.options());
}

/// Inverse discrete Fourier transform over the dimensions `dim` with a real result; `self` is one-sided along the last
/// of `dim`. ComplexFloat gives Float, ComplexDouble gives Double.
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
  op.set_output_contiguous(0, sizes, self.options().dtype(to_real(self.scalar_type())));
}

}  // namespace structured::kernels
