#pragma once
// What fast_build.cpp and fast_build_strided.cpp ask of operands. Private to them.
#include <cstddef>
#include <cstdint>

#include "structured/core/tensor_impl.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/overlap.h"

namespace structured::detail {

/// No flag that asks for care: a wrapped number, a quantized tensor.
inline bool is_common(const TensorImpl* impl) {
  return impl != nullptr && (impl->flags() & TensorFlags::kUncommon) == 0;
}

inline bool is_common_and_contiguous(const TensorImpl* impl) {
  return impl != nullptr &&
         (impl->flags() & (TensorFlags::kContiguous | TensorFlags::kUncommon)) == TensorFlags::kContiguous;
}

/// For tensors of one rank.
inline bool have_equal_sizes(const TensorImpl& a, const TensorImpl& b) {
  const std::size_t rank = a.rank();
  if (rank <= 1) return a.numel() == b.numel();
  const std::int64_t* const sizes_a = a.sizes().data();
  const std::int64_t* const sizes_b = b.sizes().data();
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes_a[i] != sizes_b[i]) return false;
  }
  return true;
}

inline bool have_one_dtype(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->dtype() == b.impl()->dtype();
}

/// Device, rank and sizes are equal.
inline bool are_alike_but_for_dtype(const TensorImpl& a, const TensorImpl& b) {
  return ((a.signature().word ^ b.signature().word) & ~TensorSignature::kDtypeBits) == 0 && have_equal_sizes(a, b);
}

/// Whether elements of this type, combined with a number, give elements of the same type.
inline bool keeps_dtype(ScalarType type, const Scalar& number) {
  if (structured::is_complex(type)) return true;
  if (is_floating(type)) return !number.is_complex();
  return type == ScalarType::Bool ? number.is_boolean() : number.is_integral(true);
}

/// A dense tensor that is written has no overlap with itself; it is allowed to be the very tensor that is read.
inline bool may_overlap(const TensorImpl* written, const TensorImpl* read) {
  return written != read && written->storage().is_same(read->storage());
}

}  // namespace structured::detail
