// Scalar functions that compilers see, and the same functions as opaque operators.
#pragma once
#include <structured/torch.h>

namespace fusion {

/// `limit * self / (limit + |self|)`.
template <typename T>
[[structured::pointwise("soft_clip"), structured::no_out, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T soft_clip(T self, [[structured::scalar]] T limit = 1) {
  return limit * self / (limit + structured::math::abs(self));
}

template <typename T>
[[structured::pointwise("opaque_soft_clip"), structured::opaque, structured::no_out, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T opaque_soft_clip(T self, [[structured::scalar]] T limit = 1) {
  return soft_clip<T>(self, limit);
}

/// `self / (1 + exp(-self))`.
template <typename T>
[[structured::pointwise("swish"), structured::no_out, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T swish(T self) {
  return self / (T(1) + structured::math::exp(-self));
}

template <typename T>
[[structured::pointwise("opaque_swish"), structured::opaque, structured::no_out, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T opaque_swish(T self) {
  return swish<T>(self);
}

}  // namespace fusion
