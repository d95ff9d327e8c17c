#pragma once
// Separable resampling of images whose output elements are weighted sums of windows: antialiased interpolation, and
// interpolation of Byte images in fixed point.
#include <structured/core/tensor.h>

#include <optional>

namespace structured::kernels {

enum class WindowFilter { triangle, cubic };

struct WindowResampling {
  WindowFilter filter = WindowFilter::triangle;
  bool align_corners = false;
  bool is_antialiased = false;  ///< windows grow with the ratio of input to output size
};

/// Resamples `self` [N, C, H, W] (Float, Double or Byte) along both dimensions to the size of `out`. Sums of Byte are
/// computed in fixed point and rounded after each dimension, W first.
void resample_windows(const char* name, const Tensor& self, const WindowResampling& resampling,
                      std::optional<double> scale_h, std::optional<double> scale_w, const Tensor& out);

}  // namespace structured::kernels
