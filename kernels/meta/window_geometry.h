#pragma once
// Sliding windows of an image, for im2col.
#include "convolution_geometry.h"

namespace structured::kernels {

struct WindowArguments {
  IntArrayRef kernel;
  IntArrayRef dilation;
  IntArrayRef padding;
  IntArrayRef stride;
};

/// Geometry of the sliding windows of an image [H, W]; channels are not set. Throws Error, with `name` as prefix, if
/// there is no window or an argument is not a pair of positive numbers (non-negative for the padding).
STRUCTURED_API ConvGeometry window_geometry(const char* name, IntArrayRef image, const WindowArguments& arguments);

}  // namespace structured::kernels
