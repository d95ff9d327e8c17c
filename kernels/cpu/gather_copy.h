// Copies whose elements come from other positions along the last dimensions: padding by what is there, and upsampling
// without arithmetic.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>

#include <cstdint>
#include <memory>

namespace structured::kernels {

/// For each position along a dimension of the result the one of the input that it copies.
class Positions {
 public:
  /// For so many positions, which are not set yet.
  int64_t* reset(int64_t size) {
    if (size > kFew) many_.reset(new int64_t[static_cast<size_t>(size)]);
    return data();
  }

  int64_t* data() { return many_ ? many_.get() : few_; }
  const int64_t* data() const { return many_ ? many_.get() : few_; }

 private:
  static constexpr int64_t kFew = 64;

  int64_t few_[kFew];
  std::unique_ptr<int64_t[]> many_;
};

/// Sets `out` [batch, channels, positions...] to the elements of `self`, of as many dimensions, where `positions` (one
/// for each dimension but the first two, 3 at most) tell. Positions must lie within `self`. Any strides and dtypes.
void gather_copy(const Tensor& self, const Tensor& out, ArrayRef<Positions> positions);

}  // namespace structured::kernels
