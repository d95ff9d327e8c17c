// Derivatives of linear transforms: Fourier transforms, resampling, padding and windows.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/_fft_c2c.h>
#include <structured/ops/_fft_r2c.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/_upsample_bicubic2d_aa.h>
#include <structured/ops/_upsample_bilinear2d_aa.h>
#include <structured/ops/_upsample_nearest_exact1d.h>
#include <structured/ops/arange.h>
#include <structured/ops/col2im.h>
#include <structured/ops/contiguous.h>
#include <structured/ops/eye.h>
#include <structured/ops/im2col.h>
#include <structured/ops/index_add.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/reflection_pad1d.h>
#include <structured/ops/replication_pad1d.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/upsample_bicubic2d.h>
#include <structured/ops/upsample_linear1d.h>
#include <structured/ops/upsample_nearest1d.h>
#include <structured/ops/view_as_real.h>

#include <cstdint>
#include <optional>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("_fft_c2c")]]
Tensor fft_c2c(const Tensor& grad, IntArrayRef dim, int64_t normalization, bool forward) {
  return structured::_fft_c2c(grad, dim, normalization, !forward);
}

[[structured::backward("_fft_r2c")]]
Tensor fft_r2c(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef dim, int64_t normalization, bool onesided) {
  Tensor whole = grad;
  if (onesided) {
    const int64_t last = wrap_dim(dim.back(), grad.dim());
    DimVector sizes(grad.sizes());
    sizes[static_cast<std::size_t>(last)] = self_sizes[static_cast<std::size_t>(last)];
    whole = structured::slice_scatter(structured::zeros(sizes, grad.options()), grad, last, 0, grad.size(last), 1);
  }
  const Tensor result = structured::_fft_c2c(whole, dim, normalization, false);
  return structured::select(structured::view_as_real(result), -1, 0);
}

/// Elements of the half spectrum that stand for two of the whole one count twice.
[[structured::backward("_fft_c2r")]]
Tensor fft_c2r(const Tensor& grad, IntArrayRef dim, int64_t normalization) {
  const Tensor half = structured::_fft_r2c(grad, dim, normalization, true);
  const int64_t last = wrap_dim(dim.back(), grad.dim());
  const int64_t doubled = grad.size(last) - half.size(last);
  const Tensor twice = structured::mul(structured::slice(half, last, 1, 1 + doubled, 1), 2);
  return structured::slice_scatter(half, twice, last, 1, 1 + doubled, 1);
}

namespace {

/// Gradient of a function that is linear and separable: `grad` times the matrix of each of the last dimensions.
/// `matrix_of(axis)` returns the matrix [inputs, outputs] of spatial dimension `axis`.
template <class MatrixOf>
Tensor separable(const Tensor& grad, int64_t spatial, const MatrixOf& matrix_of) {
  Tensor result = grad;
  for (int64_t axis = 0; axis < spatial; ++axis) {
    const int64_t dim = grad.dim() - spatial + axis;
    const Tensor last = structured::transpose(result, dim, -1);
    result = structured::transpose(structured::matmul(last, structured::transpose(matrix_of(axis), 0, 1)), dim, -1);
  }
  return structured::contiguous(result);
}

Tensor identity(int64_t size, const Tensor& like) { return structured::eye(size, like.options()); }

/// Matrix of a resampling of one dimension; `resample` takes a tensor [inputs, 1, inputs].
template <class Resample>
Tensor matrix_of(int64_t inputs, const Tensor& like, const Resample& resample) {
  return structured::squeeze(resample(structured::unsqueeze(identity(inputs, like), 1)), 1);
}

using Scales = std::initializer_list<std::optional<double>>;

/// Gradient of a resampling of the last dimensions, one after another; `resample` is the one of one dimension.
template <class Resample>
Tensor resampled(const Tensor& grad, IntArrayRef self_sizes, Scales scales, const Resample& resample) {
  const auto spatial = static_cast<int64_t>(scales.size());
  return separable(grad, spatial, [&](int64_t axis) {
    const int64_t dim = grad.dim() - spatial + axis;
    return matrix_of(self_sizes[static_cast<std::size_t>(dim)], grad, [&](const Tensor& unit) {
      return resample(unit, IntArrayRef{grad.size(dim)}, scales.begin()[axis]);
    });
  });
}

constexpr auto nearest = [](const Tensor& unit, IntArrayRef size, std::optional<double> scale) {
  return structured::upsample_nearest1d(unit, size, scale);
};
constexpr auto nearest_exact = [](const Tensor& unit, IntArrayRef size, std::optional<double> scale) {
  return structured::_upsample_nearest_exact1d(unit, size, scale);
};
auto linear(bool align_corners) {
  return [align_corners](const Tensor& unit, IntArrayRef size, std::optional<double> scale) {
    return structured::upsample_linear1d(unit, size, align_corners, scale);
  };
}
// `resample` resamples images [N, C, 1, W] along W.
template <class Resample>
auto of_images(bool align_corners, const Resample& resample) {
  return [=](const Tensor& unit, IntArrayRef size, std::optional<double> scale) {
    const Tensor rows = structured::unsqueeze(unit, 2);
    return structured::squeeze(resample(rows, IntArrayRef{1, size[0]}, align_corners, scale), 2);
  };
}
auto cubic(bool align_corners) {
  return of_images(align_corners, [](const Tensor& rows, IntArrayRef size, bool corners, std::optional<double> scale) {
    return structured::upsample_bicubic2d(rows, size, corners, std::nullopt, scale);
  });
}
auto antialiased_linear(bool align_corners) {
  return of_images(align_corners, [](const Tensor& rows, IntArrayRef size, bool corners, std::optional<double> scale) {
    return structured::_upsample_bilinear2d_aa(rows, size, corners, std::nullopt, scale);
  });
}
auto antialiased_cubic(bool align_corners) {
  return of_images(align_corners, [](const Tensor& rows, IntArrayRef size, bool corners, std::optional<double> scale) {
    return structured::_upsample_bicubic2d_aa(rows, size, corners, std::nullopt, scale);
  });
}

}  // namespace

[[structured::backward("upsample_nearest1d")]]
Tensor upsample_nearest1d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales) {
  return resampled(grad, self_sizes, {scales}, nearest);
}
[[structured::backward("upsample_nearest2d")]]
Tensor upsample_nearest2d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales_h,
                          std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, nearest);
}
[[structured::backward("upsample_nearest3d")]]
Tensor upsample_nearest3d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales_d,
                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_d, scales_h, scales_w}, nearest);
}
[[structured::backward("_upsample_nearest_exact1d")]]
Tensor upsample_nearest_exact1d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales) {
  return resampled(grad, self_sizes, {scales}, nearest_exact);
}
[[structured::backward("_upsample_nearest_exact2d")]]
Tensor upsample_nearest_exact2d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales_h,
                                std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, nearest_exact);
}
[[structured::backward("_upsample_nearest_exact3d")]]
Tensor upsample_nearest_exact3d(const Tensor& grad, IntArrayRef self_sizes, std::optional<double> scales_d,
                                std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_d, scales_h, scales_w}, nearest_exact);
}
[[structured::backward("upsample_linear1d")]]
Tensor upsample_linear1d(const Tensor& grad, IntArrayRef self_sizes, bool align_corners, std::optional<double> scales) {
  return resampled(grad, self_sizes, {scales}, linear(align_corners));
}
[[structured::backward("upsample_bilinear2d")]]
Tensor upsample_bilinear2d(const Tensor& grad, IntArrayRef self_sizes, bool align_corners,
                           std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, linear(align_corners));
}
[[structured::backward("upsample_trilinear3d")]]
Tensor upsample_trilinear3d(const Tensor& grad, IntArrayRef self_sizes, bool align_corners,
                            std::optional<double> scales_d, std::optional<double> scales_h,
                            std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_d, scales_h, scales_w}, linear(align_corners));
}
[[structured::backward("upsample_bicubic2d")]]
Tensor upsample_bicubic2d(const Tensor& grad, IntArrayRef self_sizes, bool align_corners,
                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, cubic(align_corners));
}
[[structured::backward("_upsample_bilinear2d_aa")]]
Tensor upsample_bilinear2d_aa(const Tensor& grad, IntArrayRef self_sizes, bool align_corners,
                              std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, antialiased_linear(align_corners));
}
[[structured::backward("_upsample_bicubic2d_aa")]]
Tensor upsample_bicubic2d_aa(const Tensor& grad, IntArrayRef self_sizes, bool align_corners,
                             std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(grad, self_sizes, {scales_h, scales_w}, antialiased_cubic(align_corners));
}

namespace {

/// Gradient of a padding that repeats elements: the sum of the gradients of the copies. `pad` pads one dimension.
template <class Pad>
Tensor padded(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef padding, const Pad& pad) {
  Tensor result = grad;
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    const int64_t dim = grad.dim() - 1 - static_cast<int64_t>(i);
    const int64_t size = self_sizes[static_cast<std::size_t>(dim)];
    const Tensor numbers = structured::arange(size, grad.options().dtype(kDouble));
    const Tensor padded_numbers =
        pad(structured::reshape(numbers, {1, size}), IntArrayRef{padding[2 * i], padding[2 * i + 1]});
    const Tensor sources = structured::_to_copy(structured::reshape(padded_numbers, -1), kLong);
    DimVector sizes(result.sizes());
    sizes[static_cast<std::size_t>(dim)] = size;
    result = structured::index_add(structured::zeros(sizes, grad.options()), dim, sources, result);
  }
  return result;
}

constexpr auto reflect = [](const Tensor& numbers, IntArrayRef padding) {
  return structured::reflection_pad1d(numbers, padding);
};
constexpr auto replicate = [](const Tensor& numbers, IntArrayRef padding) {
  return structured::replication_pad1d(numbers, padding);
};

}  // namespace

[[structured::backward("reflection_pad1d")]] [[structured::backward("reflection_pad2d")]] [[structured::backward(
    "reflection_pad3d")]]
Tensor reflection_pad(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef padding) {
  return padded(grad, self_sizes, padding, reflect);
}

[[structured::backward("replication_pad1d")]] [[structured::backward("replication_pad2d")]] [[structured::backward(
    "replication_pad3d")]]
Tensor replication_pad(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef padding) {
  return padded(grad, self_sizes, padding, replicate);
}

[[structured::backward("im2col")]]
Tensor im2col(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride) {
  const IntArrayRef size(self_sizes.data() + self_sizes.size() - 2, 2);
  return structured::col2im(grad, size, kernel_size, dilation, padding, stride);
}

[[structured::backward("col2im")]]
Tensor col2im(const Tensor& grad, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride) {
  return structured::im2col(grad, kernel_size, dilation, padding, stride);
}

}  // namespace structured::derivatives
