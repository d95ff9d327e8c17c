// Bitwise and logical operators.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <type_traits>

namespace structured::kernels {

/// Bitwise AND of integers, logical AND of Bool: `self & other`. Inputs are broadcast and promoted to a common dtype.
template <typename T>
[[structured::pointwise("bitwise_and.Tensor", "bitwise_and_.Tensor", "bitwise_and.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_and(T self, T other) {
  return static_cast<T>(self & other);
}

/// Bitwise AND with a scalar, logical AND for Bool: `self & other`.
template <typename T>
[[structured::pointwise("bitwise_and.Scalar", "bitwise_and_.Scalar", "bitwise_and.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_and_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self & other);
}

/// Bitwise OR of integers, logical OR of Bool: `self | other`. Inputs are broadcast and promoted to a common dtype.
template <typename T>
[[structured::pointwise("bitwise_or.Tensor", "bitwise_or_.Tensor", "bitwise_or.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_or(T self, T other) {
  return static_cast<T>(self | other);
}

/// Bitwise OR with a scalar, logical OR for Bool: `self | other`.
template <typename T>
[[structured::pointwise("bitwise_or.Scalar", "bitwise_or_.Scalar", "bitwise_or.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_or_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self | other);
}

/// Bitwise XOR of integers, logical XOR of Bool: `self ^ other`. Inputs are broadcast and promoted to a common dtype.
template <typename T>
[[structured::pointwise("bitwise_xor.Tensor", "bitwise_xor_.Tensor", "bitwise_xor.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_xor(T self, T other) {
  return static_cast<T>(self ^ other);
}

/// Bitwise XOR with a scalar, logical XOR for Bool: `self ^ other`.
template <typename T>
[[structured::pointwise("bitwise_xor.Scalar", "bitwise_xor_.Scalar", "bitwise_xor.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_xor_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self ^ other);
}

/// Bitwise NOT of integers, logical NOT of Bool: `~self`.
template <typename T>
[[structured::pointwise("bitwise_not", "bitwise_not_", "bitwise_not.out"), structured::dtypes("bool", "integral"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_not(T self) {
  if constexpr (std::is_same_v<T, bool>) {
    return !self;
  } else {
    return static_cast<T>(~self);
  }
}

/// Elementwise logical AND: `self != 0 and other != 0`. Inputs are broadcast; any dtype is accepted. Returns Bool.
template <typename T>
[[structured::pointwise("logical_and", "logical_and_", "logical_and.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_and(T self, T other) {
  return self != T(0) && other != T(0);
}

/// Elementwise logical OR: `self != 0 or other != 0`. Inputs are broadcast; any dtype is accepted. Returns Bool.
template <typename T>
[[structured::pointwise("logical_or", "logical_or_", "logical_or.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_or(T self, T other) {
  return self != T(0) || other != T(0);
}

/// Elementwise logical XOR: `(self != 0) != (other != 0)`. Inputs are broadcast; any dtype is accepted. Returns Bool.
template <typename T>
[[structured::pointwise("logical_xor", "logical_xor_", "logical_xor.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_xor(T self, T other) {
  return (self != T(0)) != (other != T(0));
}

/// Elementwise logical NOT: `self == 0`. Any dtype is accepted. Returns Bool.
template <typename T>
[[structured::pointwise("logical_not", "logical_not_", "logical_not.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_not(T self) {
  return self == T(0);
}

}  // namespace structured::kernels
