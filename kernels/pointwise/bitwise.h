// Operators on the bits of integers, and on truth values.
#pragma once

#include <structured/annotate.h>
#include <structured/core/complex.h>
#include <structured/core/export.h>

#include <type_traits>

namespace structured::kernels {

/// Bitwise and of integers; logical and of Bool tensors.
template <typename T>
[[structured::pointwise("bitwise_and.Tensor", "bitwise_and_.Tensor", "bitwise_and.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_and(T self, T other) {
  return static_cast<T>(self & other);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("bitwise_and.Scalar", "bitwise_and_.Scalar", "bitwise_and.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_and_number(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self & other);
}

/// Bitwise or of integers; logical or of Bool tensors.
template <typename T>
[[structured::pointwise("bitwise_or.Tensor", "bitwise_or_.Tensor", "bitwise_or.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_or(T self, T other) {
  return static_cast<T>(self | other);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("bitwise_or.Scalar", "bitwise_or_.Scalar", "bitwise_or.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_or_number(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self | other);
}

/// Bitwise xor of integers; logical xor of Bool tensors.
template <typename T>
[[structured::pointwise("bitwise_xor.Tensor", "bitwise_xor_.Tensor", "bitwise_xor.Tensor_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_xor(T self, T other) {
  return static_cast<T>(self ^ other);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("bitwise_xor.Scalar", "bitwise_xor_.Scalar", "bitwise_xor.Scalar_out"),
  structured::dtypes("bool", "integral"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_xor_number(T self, [[structured::scalar("promotes")]] T other) {
  return static_cast<T>(self ^ other);
}

/// Bitwise not of integers; logical not of Bool tensors.
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

/// Logical and, of any numbers: all but 0 are true.
template <typename T>
[[structured::pointwise("logical_and", "logical_and_", "logical_and.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_and(T self, T other) {
  return self != T(0) && other != T(0);
}

/// Logical or, of any numbers: all but 0 are true.
template <typename T>
[[structured::pointwise("logical_or", "logical_or_", "logical_or.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_or(T self, T other) {
  return self != T(0) || other != T(0);
}

/// Logical xor, of any numbers: all but 0 are true.
template <typename T>
[[structured::pointwise("logical_xor", "logical_xor_", "logical_xor.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_xor(T self, T other) {
  return (self != T(0)) != (other != T(0));
}

/// Logical not, of any numbers: all but 0 are true.
template <typename T>
[[structured::pointwise("logical_not", "logical_not_", "logical_not.out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool logical_not(T self) {
  return self == T(0);
}

}  // namespace structured::kernels
