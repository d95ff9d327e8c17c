#pragma once
// Tests of operands that fast_build.cpp and fast_build_strided.cpp share. Internal to them.
#include <cstddef>
#include <cstdint>

#include "structured/core/tensor_impl.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/overlap.h"

namespace structured::detail {

/// Whether the tensor has no flag that fast builds do not support, such as wrapped number or quantized.
inline bool is_common(const TensorImpl* impl) {
  return impl != nullptr && (impl->flags() & TensorFlags::kUncommon) == 0;
}

inline bool is_common_and_contiguous(const TensorImpl* impl) {
  return impl != nullptr &&
         (impl->flags() & (TensorFlags::kContiguous | TensorFlags::kUncommon)) == TensorFlags::kContiguous;
}

/// Precondition: the ranks are equal.
inline bool have_equal_sizes(const TensorImpl& a, const TensorImpl& b) {
  const std::size_t rank = a.rank();
  if (rank <= 1) return a.numel() == b.numel();
  const int64_t* const sizes_a = a.sizes().data();
  const int64_t* const sizes_b = b.sizes().data();
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes_a[i] != sizes_b[i]) return false;
  }
  return true;
}

inline bool have_one_dtype(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->dtype() == b.impl()->dtype();
}

/// Whether device, rank and sizes are equal.
inline bool are_alike_but_for_dtype(const TensorImpl& a, const TensorImpl& b) {
  return ((a.signature().word ^ b.signature().word) & ~TensorSignature::kDtypeBits) == 0 && have_equal_sizes(a, b);
}

/// Whether type promotion of this dtype with a number keeps the dtype.
inline bool keeps_dtype(ScalarType type, const Scalar& number) {
  if (structured::is_complex(type)) return true;
  if (is_floating(type)) return !number.is_complex();
  return type == ScalarType::Bool ? number.is_boolean() : number.is_integral(true);
}

/// Whether distinct tensors share a storage. A dense output does not overlap itself, and may be the same tensor as an
/// input.
inline bool may_overlap(const TensorImpl* written, const TensorImpl* read) {
  return written != read && written->storage().is_same(read->storage());
}

}  // namespace structured::detail
