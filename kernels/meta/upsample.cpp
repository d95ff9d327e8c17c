// Meta functions of upsampling: the last dimensions of [N, C, ...] are resized to `output_size`.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

#include <optional>

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kCopiedTypes = kAllFloatingTypes | kByte;

// The result keeps the memory format of `self` if `keeps_format`.
void set_upsampled(const char* name, MetaBase& op, const Tensor& self, IntArrayRef output_size, size_t spatial,
                   ScalarTypeSet types, bool keeps_format = true) {
  STRUCTURED_CHECK(output_size.size() == spatial, name, ": expected `output_size` to have ", spatial,
                   spatial == 1 ? " element, got " : " elements, got ", output_size.size());
  STRUCTURED_CHECK(types.contains(self.scalar_type()), name, ": expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
  const char* const shapes[] = {"[batch, channels, width]", "[batch, channels, height, width]",
                                "[batch, channels, depth, height, width]"};
  bool has_elements = self.sizes().size() == spatial + 2;
  for (size_t d = 1; has_elements && d < spatial + 2; ++d) has_elements = self.sizes()[d] != 0;
  STRUCTURED_CHECK(has_elements, name, ": expected `self` to be ", shapes[spatial - 1],
                   " with only the batch possibly empty, got sizes ", self.sizes());
  DimVector sizes;
  sizes.push_back(self.sizes()[0]);
  sizes.push_back(self.sizes()[1]);
  for (size_t d = 0; d < spatial; ++d) {
    STRUCTURED_CHECK(output_size[d] > 0, name, ": expected a positive output size, got ", output_size);
    sizes.push_back(output_size[d]);
  }
  const bool is_plain = spatial == 1 || !keeps_format || self.is_contiguous();
  op.set_output_raw_strided(0, sizes, {},
                            is_plain ? self.options() : self.options().memory_format(self.suggest_memory_format()));
}

}  // namespace

/// Nearest-neighbour upsampling of `self` [N, C, W] to `output_size` = [W_out]: element i copies element floor(i * W /
/// W_out). `scales`, if given, replaces W_out / W. Floating-point dtypes and Byte only.
[[structured::meta("upsample_nearest1d", "upsample_nearest1d.out")]]
void upsample_nearest1d_meta(MetaBase& op, const Tensor& self,
                             [[structured::size(1), structured::symint]] IntArrayRef output_size,
                             [[maybe_unused]] std::optional<double> scales = std::nullopt) {
  set_upsampled("upsample_nearest1d", op, self, output_size, 1, kCopiedTypes);
}

/// Nearest-neighbour upsampling of `self` [N, C, H, W] to `output_size` = [H_out, W_out]: along each dimension, element
/// i copies element floor(i * in / out). `scales_h` and `scales_w`, if given, replace the ratios out / in. The result
/// keeps the memory format. Floating-point dtypes and Byte only.
[[structured::meta("upsample_nearest2d", "upsample_nearest2d.out")]]
void upsample_nearest2d_meta(MetaBase& op, const Tensor& self,
                             [[structured::size(2), structured::symint]] IntArrayRef output_size,
                             [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                             [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("upsample_nearest2d", op, self, output_size, 2, kCopiedTypes);
}

/// Nearest-neighbour upsampling of `self` [N, C, D, H, W] to `output_size` = [D_out, H_out, W_out]: along each
/// dimension, element i copies element floor(i * in / out). `scales_d`, `scales_h` and `scales_w`, if given, replace
/// the ratios out / in. The result keeps the memory format. Floating-point dtypes and Byte only.
[[structured::meta("upsample_nearest3d", "upsample_nearest3d.out")]]
void upsample_nearest3d_meta(MetaBase& op, const Tensor& self,
                             [[structured::size(3), structured::symint]] IntArrayRef output_size,
                             [[maybe_unused]] std::optional<double> scales_d = std::nullopt,
                             [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                             [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("upsample_nearest3d", op, self, output_size, 3, kCopiedTypes);
}

/// Nearest-neighbour upsampling of `self` [N, C, W] to `output_size` = [W_out] by element centres: element i copies
/// element floor((i + 0.5) * W / W_out). `scales`, if given, replaces W_out / W. Floating-point dtypes and Byte only.
[[structured::meta("_upsample_nearest_exact1d", "_upsample_nearest_exact1d.out")]]
void upsample_nearest_exact1d_meta(MetaBase& op, const Tensor& self,
                                   [[structured::size(1), structured::symint]] IntArrayRef output_size,
                                   [[maybe_unused]] std::optional<double> scales = std::nullopt) {
  set_upsampled("_upsample_nearest_exact1d", op, self, output_size, 1, kCopiedTypes);
}

/// Nearest-neighbour upsampling of `self` [N, C, H, W] to `output_size` = [H_out, W_out] by element centres: along each
/// dimension, element i copies element floor((i + 0.5) * in / out). `scales_h` and `scales_w`, if given, replace the
/// ratios out / in. The result keeps the memory format. Floating-point dtypes and Byte only.
[[structured::meta("_upsample_nearest_exact2d", "_upsample_nearest_exact2d.out")]]
void upsample_nearest_exact2d_meta(MetaBase& op, const Tensor& self,
                                   [[structured::size(2), structured::symint]] IntArrayRef output_size,
                                   [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                                   [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("_upsample_nearest_exact2d", op, self, output_size, 2, kCopiedTypes);
}

/// Nearest-neighbour upsampling of `self` [N, C, D, H, W] to `output_size` = [D_out, H_out, W_out] by element centres:
/// along each dimension, element i copies element floor((i + 0.5) * in / out). `scales_d`, `scales_h` and `scales_w`,
/// if given, replace the ratios out / in. The result keeps the memory format. Floating-point dtypes and Byte only.
[[structured::meta("_upsample_nearest_exact3d", "_upsample_nearest_exact3d.out")]]
void upsample_nearest_exact3d_meta(MetaBase& op, const Tensor& self,
                                   [[structured::size(3), structured::symint]] IntArrayRef output_size,
                                   [[maybe_unused]] std::optional<double> scales_d = std::nullopt,
                                   [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                                   [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("_upsample_nearest_exact3d", op, self, output_size, 3, kCopiedTypes);
}

/// Linear interpolation of `self` [N, C, W] to `output_size` = [W_out].
///
/// With `align_corners`, the centres of the first and last elements coincide; otherwise the outer edges do, and values
/// beyond the outermost centres are constant. `scales`, if given, replaces W_out / W unless `align_corners`.
/// Floating-point dtypes only.
[[structured::meta("upsample_linear1d", "upsample_linear1d.out")]]
void upsample_linear1d_meta(MetaBase& op, const Tensor& self,
                            [[structured::size(1), structured::symint]] IntArrayRef output_size,
                            [[maybe_unused]] bool align_corners,
                            [[maybe_unused]] std::optional<double> scales = std::nullopt) {
  set_upsampled("upsample_linear1d", op, self, output_size, 1, kAllFloatingTypes);
}

/// Bilinear interpolation of `self` [N, C, H, W] to `output_size` = [H_out, W_out].
///
/// With `align_corners`, the centres of the first and last elements coincide; otherwise the outer edges do, and values
/// beyond the outermost centres are constant. `scales_h` and `scales_w`, if given, replace the ratios of output to
/// input size unless `align_corners`. The result keeps the memory format. Floating-point dtypes and Byte, which is
/// computed in fixed point and rounded after each dimension, W first.
[[structured::meta("upsample_bilinear2d", "upsample_bilinear2d.out")]]
void upsample_bilinear2d_meta(MetaBase& op, const Tensor& self,
                              [[structured::size(2), structured::symint]] IntArrayRef output_size,
                              [[maybe_unused]] bool align_corners,
                              [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                              [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("upsample_bilinear2d", op, self, output_size, 2, kCopiedTypes);
}

/// Trilinear interpolation of `self` [N, C, D, H, W] to `output_size` = [D_out, H_out, W_out].
///
/// With `align_corners`, the centres of the first and last elements coincide; otherwise the outer edges do, and values
/// beyond the outermost centres are constant. `scales_d`, `scales_h` and `scales_w`, if given, replace the ratios of
/// output to input size unless `align_corners`. The result keeps the memory format. Floating-point dtypes only.
[[structured::meta("upsample_trilinear3d", "upsample_trilinear3d.out")]]
void upsample_trilinear3d_meta(MetaBase& op, const Tensor& self,
                               [[structured::size(3), structured::symint]] IntArrayRef output_size,
                               [[maybe_unused]] bool align_corners,
                               [[maybe_unused]] std::optional<double> scales_d = std::nullopt,
                               [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                               [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("upsample_trilinear3d", op, self, output_size, 3, kAllFloatingTypes);
}

/// Bicubic interpolation of `self` [N, C, H, W] to `output_size` = [H_out, W_out] with Keys' cubic convolution kernel,
/// a = -0.75.
///
/// With `align_corners`, the centres of the first and last elements coincide; otherwise the outer edges do. Elements
/// outside `self` are those at its border. `scales_h` and `scales_w`, if given, replace the ratios of output to input
/// size unless `align_corners`. The result is contiguous. Floating-point dtypes and Byte, which is computed in fixed
/// point and rounded after each dimension, W first. Source: R. G. Keys, "Cubic convolution interpolation for digital
/// image processing", 1981.
[[structured::meta("upsample_bicubic2d", "upsample_bicubic2d.out")]]
void upsample_bicubic2d_meta(MetaBase& op, const Tensor& self,
                             [[structured::size(2), structured::symint]] IntArrayRef output_size,
                             [[maybe_unused]] bool align_corners,
                             [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                             [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("upsample_bicubic2d", op, self, output_size, 2, kCopiedTypes, /*keeps_format=*/false);
}

/// Antialiased bilinear interpolation of `self` [N, C, H, W] to `output_size` = [H_out, W_out]: along each dimension,
/// an element is a weighted mean of the elements within the ratio of input to output size, at least 1, of its centre.
///
/// With `align_corners`, the ratio is (input - 1) / (output - 1). `scales_h` and `scales_w`, if given, replace the
/// ratios of output to input size unless `align_corners`. The result keeps the memory format. Float, Double and Byte,
/// which is computed in fixed point and rounded after each dimension, W first.
[[structured::meta("_upsample_bilinear2d_aa", "_upsample_bilinear2d_aa.out")]]
void upsample_bilinear2d_aa_meta(MetaBase& op, const Tensor& self,
                                 [[structured::size(2), structured::symint]] IntArrayRef output_size,
                                 [[maybe_unused]] bool align_corners,
                                 [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                                 [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("_upsample_bilinear2d_aa", op, self, output_size, 2, kFloatingTypes | kByte);
}

/// Antialiased bicubic interpolation of `self` [N, C, H, W] to `output_size` = [H_out, W_out]: along each dimension, an
/// element is a weighted mean of the elements within twice the ratio of input to output size, at least 2, of its
/// centre. Weights are those of Keys' cubic convolution kernel, a = -0.5.
///
/// With `align_corners`, the ratio is (input - 1) / (output - 1). `scales_h` and `scales_w`, if given, replace the
/// ratios of output to input size unless `align_corners`. The result keeps the memory format. Float, Double and Byte,
/// which is computed in fixed point and rounded after each dimension, W first.
[[structured::meta("_upsample_bicubic2d_aa", "_upsample_bicubic2d_aa.out")]]
void upsample_bicubic2d_aa_meta(MetaBase& op, const Tensor& self,
                                [[structured::size(2), structured::symint]] IntArrayRef output_size,
                                [[maybe_unused]] bool align_corners,
                                [[maybe_unused]] std::optional<double> scales_h = std::nullopt,
                                [[maybe_unused]] std::optional<double> scales_w = std::nullopt) {
  set_upsampled("_upsample_bicubic2d_aa", op, self, output_size, 2, kFloatingTypes | kByte);
}

}  // namespace structured::kernels
