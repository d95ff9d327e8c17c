// Upsampling by output size or scale factors.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/_upsample_bicubic2d_aa.h>
#include <structured/ops/_upsample_bilinear2d_aa.h>
#include <structured/ops/_upsample_nearest_exact1d.h>
#include <structured/ops/_upsample_nearest_exact2d.h>
#include <structured/ops/_upsample_nearest_exact3d.h>
#include <structured/ops/upsample_bicubic2d.h>
#include <structured/ops/upsample_bilinear2d.h>
#include <structured/ops/upsample_linear1d.h>
#include <structured/ops/upsample_nearest1d.h>
#include <structured/ops/upsample_nearest2d.h>
#include <structured/ops/upsample_nearest3d.h>
#include <structured/ops/upsample_trilinear3d.h>

#include <optional>

namespace structured::kernels {
namespace {

// Output size and scales, derived from whichever of `output_size` and `scale_factors` is given.
class UpsampledSize {
 public:
  UpsampledSize(const char* name, const Tensor& input, OptionalIntArrayRef output_size,
                const std::optional<ArrayRef<double>>& scale_factors, size_t spatial)
      : scale_factors_(scale_factors) {
    STRUCTURED_CHECK(output_size.has_value() != scale_factors.has_value(), name,
                     ": expected one of `output_size` and `scale_factors`, got ",
                     output_size.has_value() ? "both" : "none");
    const size_t count = output_size.has_value() ? output_size->size() : scale_factors->size();
    STRUCTURED_CHECK(input.sizes().size() == spatial + 2 && count == spatial, name, ": expected `input` to have ",
                     spatial + 2, " dimensions and ", spatial, " sizes or factors, got sizes ", input.sizes(), " and ",
                     count);
    for (size_t d = 0; d < spatial; ++d) {
      if (output_size.has_value()) {
        sizes_.push_back((*output_size)[d]);
        continue;
      }
      const double size = static_cast<double>(input.sizes()[d + 2]) * (*scale_factors)[d];
      STRUCTURED_CHECK(size >= 0 && size < 0x1p63, name, ": expected a factor that scales input size ",
                       input.sizes()[d + 2], " to a valid size, got ", (*scale_factors)[d]);
      sizes_.push_back(static_cast<int64_t>(size));
    }
  }

  const DimVector& sizes() const { return sizes_; }
  std::optional<double> scale(size_t d) const {
    return scale_factors_ ? std::optional<double>((*scale_factors_)[d]) : std::nullopt;
  }

 private:
  DimVector sizes_;
  std::optional<ArrayRef<double>> scale_factors_;
};

}  // namespace

/// Nearest-neighbour upsampling of `input` [N, C, W] to `output_size`, or by `scale_factors`. Exactly one of the two is
/// given, with 1 element. See `upsample_nearest1d`. Floating-point dtypes and Byte only.
[[structured::composite("upsample_nearest1d.vec")]]
Tensor upsample_nearest1d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                              std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_nearest1d", input, output_size, scale_factors, 1);
  return structured::upsample_nearest1d(input, size.sizes(), size.scale(0));
}

/// Nearest-neighbour upsampling of `input` [N, C, H, W] to `output_size`, or by `scale_factors`. Exactly one of the two
/// is given, with 2 elements. See `upsample_nearest2d`. Floating-point dtypes and Byte only.
[[structured::composite("upsample_nearest2d.vec"), structured::variants("upsample_nearest2d.vec_out")]]
Tensor upsample_nearest2d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                              std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_nearest2d", input, output_size, scale_factors, 2);
  return structured::upsample_nearest2d(input, size.sizes(), size.scale(0), size.scale(1));
}

/// Nearest-neighbour upsampling of `input` [N, C, D, H, W] to `output_size`, or by `scale_factors`. Exactly one of the
/// two is given, with 3 elements. See `upsample_nearest3d`. Floating-point dtypes and Byte only.
[[structured::composite("upsample_nearest3d.vec")]]
Tensor upsample_nearest3d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                              std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_nearest3d", input, output_size, scale_factors, 3);
  return structured::upsample_nearest3d(input, size.sizes(), size.scale(0), size.scale(1), size.scale(2));
}

/// Nearest-neighbour upsampling by element centres of `input` [N, C, W] to `output_size`, or by `scale_factors`.
/// Exactly one of the two is given, with 1 element. See `_upsample_nearest_exact1d`. Floating-point dtypes and Byte
/// only.
[[structured::composite("_upsample_nearest_exact1d.vec")]]
Tensor upsample_nearest_exact1d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                    std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("_upsample_nearest_exact1d", input, output_size, scale_factors, 1);
  return structured::_upsample_nearest_exact1d(input, size.sizes(), size.scale(0));
}

/// Nearest-neighbour upsampling by element centres of `input` [N, C, H, W] to `output_size`, or by `scale_factors`.
/// Exactly one of the two is given, with 2 elements. See `_upsample_nearest_exact2d`. Floating-point dtypes and Byte
/// only.
[[structured::composite("_upsample_nearest_exact2d.vec")]]
Tensor upsample_nearest_exact2d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                    std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("_upsample_nearest_exact2d", input, output_size, scale_factors, 2);
  return structured::_upsample_nearest_exact2d(input, size.sizes(), size.scale(0), size.scale(1));
}

/// Nearest-neighbour upsampling by element centres of `input` [N, C, D, H, W] to `output_size`, or by `scale_factors`.
/// Exactly one of the two is given, with 3 elements. See `_upsample_nearest_exact3d`. Floating-point dtypes and Byte
/// only.
[[structured::composite("_upsample_nearest_exact3d.vec")]]
Tensor upsample_nearest_exact3d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                    std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("_upsample_nearest_exact3d", input, output_size, scale_factors, 3);
  return structured::_upsample_nearest_exact3d(input, size.sizes(), size.scale(0), size.scale(1), size.scale(2));
}

/// Linear interpolation of `input` [N, C, W] to `output_size`, or by `scale_factors`. Exactly one of the two is given,
/// with 1 element. See `upsample_linear1d`. Floating-point dtypes only.
[[structured::composite("upsample_linear1d.vec")]]
Tensor upsample_linear1d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                             bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_linear1d", input, output_size, scale_factors, 1);
  return structured::upsample_linear1d(input, size.sizes(), align_corners, size.scale(0));
}

/// Bilinear interpolation of `input` [N, C, H, W] to `output_size`, or by `scale_factors`. Exactly one of the two is
/// given, with 2 elements. See `upsample_bilinear2d`. Floating-point dtypes and Byte only.
[[structured::composite("upsample_bilinear2d.vec"), structured::variants("upsample_bilinear2d.vec_out")]]
Tensor upsample_bilinear2d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                               bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_bilinear2d", input, output_size, scale_factors, 2);
  return structured::upsample_bilinear2d(input, size.sizes(), align_corners, size.scale(0), size.scale(1));
}

/// Trilinear interpolation of `input` [N, C, D, H, W] to `output_size`, or by `scale_factors`. Exactly one of the two
/// is given, with 3 elements. See `upsample_trilinear3d`. Floating-point dtypes only.
[[structured::composite("upsample_trilinear3d.vec")]]
Tensor upsample_trilinear3d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_trilinear3d", input, output_size, scale_factors, 3);
  return structured::upsample_trilinear3d(input, size.sizes(), align_corners, size.scale(0), size.scale(1),
                                          size.scale(2));
}

/// Bicubic interpolation of `input` [N, C, H, W] to `output_size`, or by `scale_factors`. Exactly one of the two is
/// given, with 2 elements. See `upsample_bicubic2d`. Floating-point dtypes and Byte only.
[[structured::composite("upsample_bicubic2d.vec")]]
Tensor upsample_bicubic2d_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                              bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("upsample_bicubic2d", input, output_size, scale_factors, 2);
  return structured::upsample_bicubic2d(input, size.sizes(), align_corners, size.scale(0), size.scale(1));
}

/// Antialiased bilinear interpolation of `input` [N, C, H, W] to `output_size`, or by `scale_factors`. Exactly one of
/// the two is given, with 2 elements. See `_upsample_bilinear2d_aa`. Float, Double and Byte only.
[[structured::composite("_upsample_bilinear2d_aa.vec")]]
Tensor upsample_bilinear2d_aa_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                  bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("_upsample_bilinear2d_aa", input, output_size, scale_factors, 2);
  return structured::_upsample_bilinear2d_aa(input, size.sizes(), align_corners, size.scale(0), size.scale(1));
}

/// Antialiased bicubic interpolation of `input` [N, C, H, W] to `output_size`, or by `scale_factors`. Exactly one of
/// the two is given, with 2 elements. See `_upsample_bicubic2d_aa`. Float, Double and Byte only.
[[structured::composite("_upsample_bicubic2d_aa.vec")]]
Tensor upsample_bicubic2d_aa_vec(const Tensor& input, [[structured::symint]] OptionalIntArrayRef output_size,
                                 bool align_corners, std::optional<ArrayRef<double>> scale_factors) {
  const UpsampledSize size("_upsample_bicubic2d_aa", input, output_size, scale_factors, 2);
  return structured::_upsample_bicubic2d_aa(input, size.sizes(), align_corners, size.scale(0), size.scale(1));
}

}  // namespace structured::kernels
