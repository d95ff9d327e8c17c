// Meta functions of fractional max pooling.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>

namespace structured::kernels {
namespace {

void set_fractional_max_pool(const char* name, MetaBase& op, const Tensor& self, size_t rank, IntArrayRef kernel_size,
                             IntArrayRef output_size, const Tensor& random_samples) {
  STRUCTURED_CHECK(kernel_size.size() == rank && output_size.size() == rank, name, ": expected `kernel_size` and ",
                   "`output_size` to have ", rank, " elements, got ", kernel_size.size(), " and ", output_size.size());
  const IntArrayRef sizes = self.sizes();
  STRUCTURED_CHECK(sizes.size() == rank + 1 || sizes.size() == rank + 2, name, ": expected `self` to have ", rank + 1,
                   " or ", rank + 2, " dimensions, got sizes ", sizes);
  check_dtype(name, self.scalar_type(), kAllFloatingTypes);
  const size_t first = sizes.size() - rank;
  DimVector result(sizes);
  for (size_t d = 0; d < rank; ++d) {
    STRUCTURED_CHECK(output_size[d] > 0 && kernel_size[d] > 0, name,
                     ": expected positive `kernel_size` and `output_size`, got ", kernel_size, " and ", output_size);
    STRUCTURED_CHECK(output_size[d] <= sizes[first + d] && kernel_size[d] <= sizes[first + d] - output_size[d] + 1,
                     name, ": expected windows to fit into the input, got sizes ", sizes, " for `kernel_size` ",
                     kernel_size, " and `output_size` ", output_size);
    result[first + d] = output_size[d];
  }
  STRUCTURED_CHECK(sizes[first - 1] != 0, name, ": expected channels, got sizes ", sizes);
  const int64_t samples = first == 2 ? sizes[0] : 1;
  const DimVector expected{samples, sizes[first - 1], static_cast<int64_t>(rank)};
  STRUCTURED_CHECK(random_samples.sizes() == IntArrayRef(expected), name, ": expected `random_samples` to have sizes ",
                   IntArrayRef(expected), ", got ", random_samples.sizes());
  STRUCTURED_CHECK(random_samples.scalar_type() == self.scalar_type(), name, ": expected `random_samples` of dtype ",
                   self.scalar_type(), ", as `self` is, got ", random_samples.scalar_type());
  op.set_output_contiguous(0, result, self.options());
  op.set_output_contiguous(1, result, self.options().dtype(kLong));
}

}  // namespace

/// Fractional max pooling of `self` [N, C, H, W] or [C, H, W] to `output_size`: maxima of pseudo-randomly placed
/// windows of `kernel_size`, and their indices in the plane (Long).
///
/// `random_samples` [N, C, 2] holds numbers in [0, 1) that place the windows along width and height; it has the dtype
/// of `self`, which is floating-point. Source: B. Graham, "Fractional Max-Pooling", 2014.
[[structured::meta("fractional_max_pool2d", "fractional_max_pool2d.output")]]
void fractional_max_pool2d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                                [[structured::size(2)]] IntArrayRef output_size, const Tensor& random_samples) {
  set_fractional_max_pool("fractional_max_pool2d", op, self, 2, kernel_size, output_size, random_samples);
}

/// Fractional max pooling of `self` [N, C, D, H, W] or [C, D, H, W] to `output_size`: maxima of pseudo-randomly placed
/// windows of `kernel_size`, and their indices in the volume (Long).
///
/// `random_samples` [N, C, 3] holds numbers in [0, 1) that place the windows along depth, height and width; it has the
/// dtype of `self`, which is floating-point. Source: B. Graham, "Fractional Max-Pooling", 2014.
[[structured::meta("fractional_max_pool3d", "fractional_max_pool3d.output")]]
void fractional_max_pool3d_meta(MetaBase& op, const Tensor& self, [[structured::size(3)]] IntArrayRef kernel_size,
                                [[structured::size(3)]] IntArrayRef output_size, const Tensor& random_samples) {
  set_fractional_max_pool("fractional_max_pool3d", op, self, 3, kernel_size, output_size, random_samples);
}

}  // namespace structured::kernels
