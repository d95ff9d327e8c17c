// Composite kernels for rot90, fliplr and flipud.
#include <structured/base/error.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/clone.h>
#include <structured/ops/flip.h>
#include <structured/ops/transpose.h>

#include <cstdint>

namespace structured::kernels {

/// Rotates `self` by 90 degrees `k` times in the plane of two dimensions `dims`, from the first towards the second.
[[structured::kernel("rot90", "CompositeExplicitAutograd"), structured::variants("rot90.out")]]
Tensor rot90(const Tensor& self, int64_t k = 1, IntArrayRef dims = {0, 1}) {
  STRUCTURED_CHECK(dims.size() == 2, "rot90: expected 2 `dims`, got ", dims);
  STRUCTURED_CHECK(self.dim() >= 2, "rot90: expected `self` to have 2 or more dimensions, got ", self.dim());
  const int64_t from = wrap_dim(dims[0], self.dim());
  const int64_t to = wrap_dim(dims[1], self.dim());
  STRUCTURED_CHECK(from != to, "rot90: expected two dimensions, got ", dims);
  switch ((k % 4 + 4) % 4) {
    case 1: {
      Tensor result = structured::flip(self, to);
      return structured::transpose_(result, from, to);
    }
    case 2:
      return structured::flip(self, {from, to});
    case 3: {
      Tensor result = structured::flip(self, from);
      return structured::transpose_(result, from, to);
    }
    default:
      return structured::clone(self, MemoryFormat::Contiguous);
  }
}

/// Reverses `self` along dimension 1. `self` has at least 2 dimensions.
[[structured::composite("fliplr")]]
Tensor fliplr(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 2, "fliplr: expected `self` to have 2 or more dimensions, got ", self.dim());
  return structured::flip(self, 1);
}

/// Reverses `self` along dimension 0. `self` has at least 1 dimension.
[[structured::composite("flipud")]]
Tensor flipud(const Tensor& self) {
  STRUCTURED_CHECK(self.dim() >= 1, "flipud: expected `self` to have dimensions");
  return structured::flip(self, 0);
}

}  // namespace structured::kernels
