// Complex conjugation.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

namespace structured::kernels {

/// Complex conjugate of each element; real numbers are copied.
template <typename T>
[[structured::pointwise("conj_physical", "conj_physical_", "conj_physical.out"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T conj_physical(T self) {
  if constexpr (is_complex_v<T>) {
    return T(self.real(), -self.imag());
  } else {
    return self;
  }
}

}  // namespace structured::kernels
