// Activation functions.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

namespace structured::kernels {

/// 0 where `self` is negative, `self` elsewhere; NaN stays NaN. Real numbers only; the dtype stays.
template <typename T>
[[structured::pointwise("relu", "relu_", "relu.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T relu(T self) {
  return self < T(0) ? T(0) : self;
}

}  // namespace structured::kernels
