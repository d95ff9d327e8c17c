#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cstdint>
#include <optional>

namespace acme::kernels {

/// Several tensors and a number.
template <typename T>
[[structured::pointwise("blend", "blend_", "blend.out"), structured::dtypes("floating", "int32")]]
STRUCTURED_HOST_DEVICE T blend(T self, T op, T end, [[structured::kwonly, structured::scalar]] T weight = 1) {
  return self + weight * (end - op);
}

/// Numbers that take part in type promotion, and may be left out.
template <typename T>
[[structured::pointwise("limit"), structured::dtypes("int64")]]
STRUCTURED_HOST_DEVICE T limit(T self, [[structured::scalar("promotes")]] std::optional<T> min = std::nullopt,
                               [[structured::scalar("promotes")]] std::optional<T> max = std::nullopt) {
  return min && self < *min ? *min : max && self > *max ? *max : self;
}

/// A result of another type, and a number.
template <typename T>
[[structured::pointwise("above.Scalar", "above_.Scalar", "above.Scalar_out"), structured::promote("bool")]]
STRUCTURED_HOST_DEVICE bool above(T self, [[structured::scalar("promotes")]] T T_) {
  return self == T_;
}

/// A boolean tensor, values as they are, and a dtype's own representation.
template <typename T>
[[structured::pointwise("choose"), structured::promote("no_opmath")]]
STRUCTURED_HOST_DEVICE T choose([[structured::tensor]] bool mask, T self, [[structured::scalar("converts")]] T other,
                                int64_t n = 0, std::optional<double> eps = std::nullopt) {
  return mask && n == 0 && !eps ? self : other;
}

/// Integers in the default dtype.
template <typename T>
[[structured::pointwise("half", "half_"), structured::promote("int_to_float")]]
STRUCTURED_HOST_DEVICE T half(T self) {
  return self / T(2);
}

}  // namespace acme::kernels
