// Hyperbolic functions and their inverses.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include "math/standard.h"

namespace structured::kernels {

/// The inverse of cosh: NaN below 1. Integers give the default dtype.
template <typename T>
[[structured::pointwise("acosh", "acosh_", "acosh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T acosh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::acosh;
    return acosh(x);
  });
}

}  // namespace structured::kernels
