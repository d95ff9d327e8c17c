// Selection of elements by masks on CUDA. The shape of a result depends on elements, so that these operators wait for
// the device.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/expand.h>

#include <algorithm>
#include <cstdint>

#include "cuda/movement.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

// A contiguous Bool mask, and the number of true elements up to and including each one.
struct Mask {
  explicit Mask(const Tensor& tensor) : elements(dense(tensor, kBool)) {
    if (elements.numel() == 0) return;
    const Tensor row = as_strided(elements, {elements.numel()}, {1}, elements.storage_offset());
    positions = structured::cumsum(row, 0);
    const Tensor last = as_strided(positions, {}, {}, positions.storage_offset() + elements.numel() - 1);
    total = last.item<int64_t>();
  }
  Tensor elements;
  Tensor positions;
  int64_t total = 0;
};

void check_mask(const char* name, const Tensor& mask) {
  STRUCTURED_CHECK(mask.scalar_type() == kBool, name, ": expected a mask of dtype Bool, got ", mask.scalar_type());
}

void select_masked(const Tensor& self, const Tensor& mask, const Tensor& out) {
  const DeviceGuard guard(self.device());
  const DimVector sizes = broadcast_shape(self.sizes(), mask.sizes());
  const Mask chosen(structured::expand(mask, sizes));
  const Tensor in = dense(structured::expand(self, sizes), self.scalar_type());
  resize_output(out, chosen.total);
  if (chosen.total == 0) return;
  const Tensor result = writable(out, out.scalar_type());
  device::compress(in, chosen.elements, chosen.positions, result);
  store(out, result);
}

}  // namespace

[[structured::kernel("masked_select", "CUDA")]]
Tensor masked_select_cuda(const Tensor& self, const Tensor& mask) {
  check_mask("masked_select", mask);
  const Tensor result = empty({0}, self.options());
  select_masked(self, mask, result);
  return result;
}

[[structured::kernel("masked_select.out", "CUDA")]]
Tensor& masked_select_out_cuda(const Tensor& self, const Tensor& mask, Tensor& out) {
  STRUCTURED_CHECK(out.scalar_type() == self.scalar_type(), "masked_select: expected `out` of dtype ",
                   self.scalar_type(), ", got ", out.scalar_type());
  check_mask("masked_select", mask);
  select_masked(self, mask, out);
  return out;
}

[[structured::kernel("masked_scatter_", "CUDA")]]
Tensor& masked_scatter_cuda_(Tensor& self, const Tensor& mask, const Tensor& source) {
  STRUCTURED_CHECK(self.scalar_type() == source.scalar_type(), "masked_scatter_: expected `source` of dtype ",
                   self.scalar_type(), ", got ", source.scalar_type());
  assert_no_internal_overlap(self);
  assert_no_overlap(self, source);
  assert_no_overlap(self, mask);
  const DeviceGuard guard(self.device());
  check_mask("masked_scatter_", mask);
  const Mask chosen(structured::expand(mask, self.sizes()));
  STRUCTURED_CHECK(chosen.total <= source.numel(), "masked_scatter_: expected at least ", chosen.total,
                   " elements in `source`, one for each true element of `mask`, got ", source.numel());
  if (chosen.total == 0) return self;
  const Tensor in = dense(source, source.scalar_type());
  const Tensor result = dense(self, self.scalar_type());
  device::expand_masked(in, chosen.elements, chosen.positions, result);
  store(self, result);
  return self;
}

[[structured::kernel("nonzero.out", "CUDA")]]
Tensor& nonzero_out_cuda(const Tensor& self, Tensor& out) {
  STRUCTURED_CHECK(out.scalar_type() == kLong, "nonzero: expected `out` of dtype Long, got ", out.scalar_type());
  const DeviceGuard guard(self.device());
  const Mask mask(self);
  const DimVector found{mask.total, self.dim()};
  if (should_resize_output(out, found)) resize_strided(out, found, {1, std::max<int64_t>(1, mask.total)});
  if (self.dim() != 0 && mask.total != 0) device::write_indices(mask.elements, mask.positions, out);
  return out;
}

[[structured::kernel("nonzero", "CUDA")]]
Tensor nonzero_cuda(const Tensor& self) {
  Tensor result = empty({0}, self.options().dtype(kLong));
  nonzero_out_cuda(self, result);
  return result;
}

}  // namespace structured::kernels
