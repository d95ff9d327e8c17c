#pragma once
#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/math.h>

#include <optional>
#include <string_view>

namespace acme::kernels {

template <typename T>
[[structured::pointwise("wave", "wave_"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T wave(T self, T other, [[structured::scalar("promotes")]] std::optional<T> limit = std::nullopt,
                              [[structured::scalar]] T scale = 1, int64_t n = 1) {
  const T value = structured::math::sin(self) * other * scale * T(n);
  return limit && value > *limit ? *limit : value;
}

template <typename T>
[[structured::pointwise("bell"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T bell(T self) {
  return std::exp(-self * self);
}
template <typename T>
[[structured::backward("bell")]]
STRUCTURED_HOST_DEVICE T bell_backward(T grad, T self, T out) {
  return T(-2) * grad * self * out;
}

template <typename T>
[[structured::pointwise("above"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE bool above(T self) {
  return self > T(1);
}

}  // namespace acme::kernels
