#pragma once
// Whether tensors share memory in a way that makes writing to one of them meaningless. The answers are those that a
// look at sizes and strides gives at once; where deciding would take a search, the answer is that it is undecided, and
// the assertions let such tensors pass.
#include <cstdint>

#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

enum class InternalOverlap : std::uint8_t { no, yes, undecided };

enum class Overlap : std::uint8_t {
  none,     ///< no byte in common
  full,     ///< the same elements at the same places
  partial,  ///< some bytes in common, or all in another order
  undecided
};

namespace detail {
STRUCTURED_API InternalOverlap search_internal_overlap(const Tensor& tensor);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_internal_overlap(const Tensor& tensor);
}  // namespace detail

/// Whether two indices of the tensor mean one address.
inline InternalOverlap internal_overlap(const Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? InternalOverlap::no : detail::search_internal_overlap(tensor);
}

/// How the memory of two tensors relates.
STRUCTURED_API Overlap overlap(const Tensor& a, const Tensor& b);

/// Throws Error if several indices of `tensor`, which is about to be written, mean one address.
inline void assert_no_internal_overlap(const Tensor& tensor) {
  if (internal_overlap(tensor) == InternalOverlap::yes) [[unlikely]] {
    detail::throw_internal_overlap(tensor);
  }
}

/// Throws Error if `written` and `read` overlap without being the very same elements.
STRUCTURED_API void assert_no_partial_overlap(const Tensor& written, const Tensor& read);

/// Throws Error if `written` and `read` have memory in common.
STRUCTURED_API void assert_no_overlap(const Tensor& written, const Tensor& read);

}  // namespace structured
