#include "composite/view_sizes.h"

#include <structured/base/error.h>

#include <algorithm>
#include <utility>

namespace structured::kernels {

DimVector infer_size(const char* op, IntArrayRef size, int64_t numel) {
  DimVector result(size);
  std::optional<size_t> inferred;
  int64_t known = 1;
  for (size_t d = 0; d < result.size(); ++d) {
    if (result[d] == -1) {
      STRUCTURED_CHECK(!inferred, op, ": expected at most one size to be -1, got sizes ", size);
      inferred = d;
    } else {
      STRUCTURED_CHECK(result[d] >= 0, op, ": expected sizes of 0 or more, or one -1, got ", size);
      STRUCTURED_CHECK(!__builtin_mul_overflow(known, result[d], &known), op, ": sizes ", size,
                       " have more elements than 64 bits can count");
    }
  }
  if (inferred) {
    STRUCTURED_CHECK(known != 0, op, ": the size at -1 cannot be inferred from sizes ", size, " with no elements");
    STRUCTURED_CHECK(numel % known == 0, op, ": sizes ", size, " do not fit ", numel, " elements");
    result[*inferred] = numel / known;
  } else {
    STRUCTURED_CHECK(known == numel, op, ": sizes ", size, " do not fit ", numel, " elements");
  }
  return result;
}

// Adjacent dimensions that are dense with each other form a chunk; each new dimension must lie within one chunk.
std::optional<DimVector> view_strides(const Tensor& self, IntArrayRef size) {
  DimVector strides(size.size(), 0);
  if (self.numel() == 0) {
    if (self.sizes() == size) {
      return DimVector(self.strides());
    }
    int64_t stride = 1;
    for (size_t d = size.size(); d-- > 0;) {
      strides[d] = stride;
      stride *= std::max<int64_t>(size[d], 1);
    }
    return strides;
  }
  auto next = static_cast<int64_t>(size.size()) - 1;
  int64_t chunk_stride = self.dim() == 0 ? 1 : self.stride(-1);
  int64_t chunk_numel = 1;
  int64_t viewed = 1;
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    chunk_numel *= self.size(d);
    const bool chunk_ends = d == 0 || (self.size(d - 1) != 1 && self.stride(d - 1) != chunk_numel * chunk_stride);
    if (!chunk_ends) {
      continue;
    }
    while (next >= 0 && (viewed < chunk_numel || size[static_cast<size_t>(next)] == 1)) {
      strides[static_cast<size_t>(next)] = viewed * chunk_stride;
      viewed *= size[static_cast<size_t>(next)];
      --next;
    }
    if (viewed != chunk_numel) {
      return std::nullopt;
    }
    if (d > 0) {
      chunk_stride = self.stride(d - 1);
      chunk_numel = 1;
      viewed = 1;
    }
  }
  if (self.dim() == 0) {
    std::fill(strides.begin(), strides.end(), 1);
    next = -1;
  }
  return next == -1 ? std::optional(std::move(strides)) : std::nullopt;
}

}  // namespace structured::kernels
