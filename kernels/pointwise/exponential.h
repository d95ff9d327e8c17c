// Exponentials.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include "math/exponential.h"

namespace structured::kernels {

/// e to the power of `self`. Integers give the default dtype.
template <typename T>
[[structured::pointwise("exp", "exp_", "exp.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T exp(T self) {
  return math::exp(self);
}

}  // namespace structured::kernels
