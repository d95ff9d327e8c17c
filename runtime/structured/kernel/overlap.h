#pragma once
// Overlap of tensors in memory, to reject writes with undefined results. Sizes and strides of dense tensors decide in
// constant time. Two tensors of one storage with gaps need a search, which is limited: very few are undecided, and the
// assertions accept them. A single tensor with gaps is undecided unless it is expanded.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

enum class InternalOverlap : uint8_t { no, yes, undecided };

enum class Overlap : uint8_t {
  none,     ///< no byte in common
  full,     ///< the same elements at the same indices
  partial,  ///< some bytes in common, or the same elements at other indices
  undecided
};

namespace detail {
STRUCTURED_API InternalOverlap search_internal_overlap(const Tensor& tensor);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_internal_overlap(const Tensor& tensor);
}  // namespace detail

/// Whether two indices of the tensor have one address.
inline InternalOverlap internal_overlap(const Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? InternalOverlap::no : detail::search_internal_overlap(tensor);
}

/// Overlap of two tensors.
STRUCTURED_API Overlap overlap(const Tensor& a, const Tensor& b);

/// Throws Error if several indices of `tensor`, which is to be written, have one address.
inline void assert_no_internal_overlap(const Tensor& tensor) {
  if (internal_overlap(tensor) == InternalOverlap::yes) [[unlikely]] {
    detail::throw_internal_overlap(tensor);
  }
}

/// Throws Error if `written` and `read` overlap, unless they are the same elements at the same indices.
STRUCTURED_API void assert_no_partial_overlap(const Tensor& written, const Tensor& read);

/// Throws Error if `written` and `read` have memory in common.
STRUCTURED_API void assert_no_overlap(const Tensor& written, const Tensor& read);

}  // namespace structured
