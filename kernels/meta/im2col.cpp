// Meta functions of im2col and col2im.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include "window_geometry.h"

namespace structured::kernels {
namespace {

int64_t element(const char* name, const char* argument, IntArrayRef list, size_t d, int64_t least) {
  STRUCTURED_CHECK(list.size() == 2, name, ": expected `", argument, "` to have 2 elements, got ", list.size());
  STRUCTURED_CHECK(list[d] >= least, name, ": expected `", argument, "` of ", least, " or more, got ", list);
  return list[d];
}

}  // namespace

ConvGeometry window_geometry(const char* name, IntArrayRef image, const WindowArguments& arguments) {
  ConvGeometry result;
  result.samples = 1;
  for (size_t d = 0; d < 2; ++d) {
    WindowAxis& axis = result.axes[d + 1];
    axis.input = image[d];
    axis.kernel = element(name, "kernel_size", arguments.kernel, d, 1);
    axis.dilation = element(name, "dilation", arguments.dilation, d, 1);
    axis.padding = element(name, "padding", arguments.padding, d, 0);
    axis.stride = element(name, "stride", arguments.stride, d, 1);
    int64_t padded = 0;
    int64_t reach = 0;
    const bool fits = !__builtin_mul_overflow(axis.padding, 2, &padded) &&
                      !__builtin_add_overflow(padded, axis.input, &padded) &&
                      !__builtin_mul_overflow(axis.dilation, axis.kernel - 1, &reach);
    STRUCTURED_CHECK(fits && padded > reach, name,
                     ": expected the padded image to be no smaller than a window, got sizes ", image,
                     " for `kernel_size` ", arguments.kernel);
    axis.output = (padded - reach - 1) / axis.stride + 1;
  }
  return result;
}

/// Unfolds the sliding windows of `self` [N, C, H, W] or [C, H, W] into columns: [N, C * kh * kw, L] or [C * kh * kw,
/// L] for L windows of `kernel_size` = [kh, kw].
///
/// The input is zero-padded by `padding`; windows are `stride` apart and their elements `dilation` apart.
/// Integers are not supported.
[[structured::meta("im2col", "im2col.out")]]
void im2col_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                 [[structured::size(2)]] IntArrayRef dilation, [[structured::size(2)]] IntArrayRef padding,
                 [[structured::size(2)]] IntArrayRef stride) {
  constexpr const char* name = "im2col";
  const IntArrayRef sizes = self.sizes();
  STRUCTURED_CHECK(sizes.size() == 3 || sizes.size() == 4, name, ": expected `self` to have 3 or 4 dimensions, got ",
                   sizes.size());
  const size_t first = sizes.size() - 3;
  STRUCTURED_CHECK(sizes[first] != 0 && sizes[first + 1] != 0 && sizes[first + 2] != 0, name,
                   ": expected dimensions after the batch to have elements, got sizes ", sizes);
  check_dtype(name, self.scalar_type(), kAllFloatingTypes | kComplexTypes | kBool);
  const ConvGeometry geometry =
      window_geometry(name, {sizes[first + 1], sizes[first + 2]}, {kernel_size, dilation, padding, stride});
  DimVector result;
  if (first == 1) result.push_back(sizes[0]);
  result.push_back(sizes[first] * geometry.kernel_size());
  result.push_back(geometry.output_size());
  op.set_output_contiguous(0, result, self.options());
}

/// Folds columns `self` [N, C * kh * kw, L] or [C * kh * kw, L] into images [N, C, ...] or [C, ...] of size
/// `output_size`: overlapping elements of windows are summed. Adjoint of im2col.
///
/// `kernel_size` = [kh, kw], `dilation`, `padding` and `stride` are those of im2col; L must be the number of windows
/// that they give. Floating-point and complex dtypes only.
[[structured::meta("col2im", "col2im.out")]]
void col2im_meta(MetaBase& op, const Tensor& self, [[structured::size(2), structured::symint]] IntArrayRef output_size,
                 [[structured::size(2)]] IntArrayRef kernel_size, [[structured::size(2)]] IntArrayRef dilation,
                 [[structured::size(2)]] IntArrayRef padding, [[structured::size(2)]] IntArrayRef stride) {
  constexpr const char* name = "col2im";
  const IntArrayRef sizes = self.sizes();
  STRUCTURED_CHECK(sizes.size() == 2 || sizes.size() == 3, name, ": expected `self` to have 2 or 3 dimensions, got ",
                   sizes.size());
  STRUCTURED_CHECK(output_size.size() == 2 && output_size[0] > 0 && output_size[1] > 0, name,
                   ": expected `output_size` to be two positive sizes, got ", output_size);
  check_dtype(name, self.scalar_type(), kAllFloatingTypes | kComplexTypes);
  const ConvGeometry geometry = window_geometry(name, output_size, {kernel_size, dilation, padding, stride});
  const int64_t rows = self.size(-2);
  STRUCTURED_CHECK(rows != 0 && rows % geometry.kernel_size() == 0, name, ": expected a multiple of ",
                   geometry.kernel_size(), " rows of windows, got sizes ", sizes);
  STRUCTURED_CHECK(self.size(-1) == geometry.output_size(), name, ": expected ", geometry.output_size(),
                   " windows for these arguments, got sizes ", sizes);
  DimVector result;
  if (sizes.size() == 3) result.push_back(sizes[0]);
  result.push_back(rows / geometry.kernel_size());
  result.push_back(output_size[0]);
  result.push_back(output_size[1]);
  op.set_output_contiguous(0, result, self.options());
}

}  // namespace structured::kernels
