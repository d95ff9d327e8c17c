// Shapes of Fourier transforms.
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
  reduced_dims(name, dim, self.dim());  // each exists, and is listed once
  for (const int64_t d : dim) {
    STRUCTURED_CHECK(self.dim() == 0 || self.size(wrap_dim(d, self.dim())) != 0, name,
                     ": expected elements along dimension ", d, ", got sizes ", self.sizes());
  }
}

}  // namespace

/// The discrete Fourier transform of real numbers (Float or Double) over the dimensions `dim`: the sum of x_k
/// exp(-2 pi i j k / n) at j. It is divided by nothing if `normalization` is 0, by the square root of how many elements
/// there are along `dim` if it is 1, and by that number if it is 2. If `onesided`, only the first half of the last of
/// `dim`, n / 2 + 1 numbers, of which the others are the conjugates.
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

/// The same of complex numbers, or, unless `forward`, the inverse: with exp(2 pi i j k / n), and divided by the same.
[[structured::meta("_fft_c2c", "_fft_c2c.out")]]
void fft_c2c_meta(MetaBase& op, const Tensor& self, IntArrayRef dim, int64_t normalization,
                  [[maybe_unused]] bool forward) {
  check_transform("_fft_c2c", self, dim, normalization, kComplexTypes);
  op.set_output_contiguous(0, self.sizes(), self.options());
}

/// The inverse of what has a real result, whose last of the dimensions `dim` has `last_dim_size` elements: of it, the
/// first `last_dim_size` / 2 + 1 numbers are given at least, and others are not looked at.
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
