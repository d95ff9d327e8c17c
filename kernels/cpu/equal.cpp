// Equality of tensors on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

Tensor in_row_major_order(const Tensor& self) {
  if (self.is_contiguous()) return self;
  const Tensor result = empty(self.sizes(), self.options());
  copy_into(result, self);
  return result;
}

// Integers and Bool are compared as bytes. For floating-point types NaN differs from itself, and -0.0 equals 0.0.
template <class T>
bool are_equal(const char* a, const char* b, int64_t begin, int64_t end) {
  const T* const first = reinterpret_cast<const T*>(a);
  const T* const second = reinterpret_cast<const T*>(b);
  bool differ = false;
  for (int64_t i = begin; i < end; ++i) differ |= !(first[i] == second[i]);
  return !differ;
}

bool are_equal_bytes(const char* a, const char* b, int64_t begin, int64_t end) {
  return std::memcmp(a + begin, b + begin, static_cast<size_t>(end - begin)) == 0;
}

}  // namespace

/// Whether `self` and `other` have the same shape and elements. Both have one dtype and device; NaN equals nothing.
[[structured::kernel("equal", "CPU", "Meta"), structured::not_differentiable]]
bool equal(const Tensor& self, const Tensor& other) {
  STRUCTURED_CHECK(self.device() == other.device(), "equal: expected tensors on one device, got ", self.device(),
                   " and ", other.device());
  STRUCTURED_CHECK(self.scalar_type() == other.scalar_type(), "equal: expected tensors of one dtype, got ",
                   self.scalar_type(), " and ", other.scalar_type());
  if (self.sizes() != other.sizes()) return false;
  STRUCTURED_CHECK(!self.is_meta(), "equal: tensors on meta have no elements to compare");
  if (self.numel() == 0) return true;
  const bool are_alike = self.strides() == other.strides() && self.is_non_overlapping_and_dense();
  const Tensor a = are_alike ? self : in_row_major_order(self);
  const Tensor b = are_alike ? other : in_row_major_order(other);
  const ScalarType real = to_real(self.scalar_type());
  int64_t count = self.is_complex() ? 2 * self.numel() : self.numel();
  bool (*compare)(const char*, const char*, int64_t, int64_t) = are_equal_bytes;
  if (kAllFloatingTypes.contains(real)) {
    compare = visit<kAllFloatingTypes>("equal", real, []<class T>() { return &are_equal<T>; });
  } else {
    count = static_cast<int64_t>(self.nbytes());
  }
  const char* const first = static_cast<const char*>(a.data());
  const char* const second = static_cast<const char*>(b.data());
  std::atomic<bool> differ = false;
  parallel_for(0, count, kGrainSize, [&](int64_t begin, int64_t end) {
    constexpr int64_t kPiece = 8192;  // elements compared between checks for an early exit
    for (int64_t at = begin; at < end && !differ.load(std::memory_order_relaxed); at += kPiece) {
      if (!compare(first, second, at, std::min(at + kPiece, end))) differ.store(true, std::memory_order_relaxed);
    }
  });
  return !differ.load();
}

}  // namespace structured::kernels
