// Copies that gather elements along the last dimensions: reflection and replication padding, nearest-neighbour
// upsampling.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>

#include <cstdint>
#include <memory>

namespace structured::kernels {

/// Input position of each output position along one dimension.
class Positions {
 public:
  /// Makes room for `size` positions, left uninitialized, and returns them.
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

/// Sets out[n, c, i, ...] to self[n, c, positions[0][i], ...] for 1 to 3 spatial dimensions. Positions must lie within
/// `self`. Supports any strides and dtypes.
void gather_copy(const Tensor& self, const Tensor& out, ArrayRef<Positions> positions);

}  // namespace structured::kernels
