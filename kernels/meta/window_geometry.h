#pragma once
// The windows of an image.
#include "convolution_geometry.h"

namespace structured::kernels {

struct WindowArguments {
  IntArrayRef kernel;
  IntArrayRef dilation;
  IntArrayRef padding;
  IntArrayRef stride;
};

/// Those of an image [height, width]; the geometry's channels are left open. Throws Error, which starts with `name`, if
/// there are none, and for arguments that are not two positive numbers (of 0 or more in the case of the padding).
ConvGeometry window_geometry(const char* name, IntArrayRef image, const WindowArguments& arguments);

}  // namespace structured::kernels
