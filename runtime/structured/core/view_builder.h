#pragma once
// Views whose kernels know that they stay within their base: sizes and strides are written where they are to be.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured::detail {

/// A view of `base` in the making. Set all of sizes() and strides(), then take it:
///
///     ViewBuilder view(self, rank);
///     view.sizes()[d] = ...;
///     return std::move(view).finish(offset);
class ViewBuilder {
 public:
  /// Throws Error if `base` is undefined, or for more than 64 dimensions.
  STRUCTURED_API ViewBuilder(const Tensor& base, std::size_t rank);

  std::int64_t* sizes() { return sizes_; }
  std::int64_t* strides() { return strides_; }

  /// `offset` counts elements from the storage's start. Sizes and strides are not negative, and every index means an
  /// element of the base: that is not checked.
  STRUCTURED_API Tensor finish(std::int64_t offset) &&;

 private:
  Tensor view_;
  std::int64_t* sizes_;
  std::int64_t* strides_;
};

}  // namespace structured::detail
