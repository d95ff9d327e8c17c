// Setting all elements to one value.
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/fill.h>

#include <cstring>

namespace structured::kernels {
namespace {

void check_value(const Tensor& value) {
  STRUCTURED_CHECK(value.dim() == 0, "fill: expected `value` to have no dimensions, got ", value.dim());
}

}  // namespace

/// Sets every element of `self` to the one of `value`, which has no dimensions.
[[structured::kernel("fill_.Tensor", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& fill_tensor_(Tensor& self, const Tensor& value) {
  check_value(value);
  return structured::copy_(self, value);
}

/// A tensor like `self` with `value` everywhere.
[[structured::kernel("fill.Scalar", "CompositeExplicitAutograd")]]
Tensor fill_scalar(const Tensor& self, const Scalar& value) {
  Tensor result = structured::empty_like(self);
  return structured::fill_(result, value);
}

[[structured::kernel("fill.Tensor", "CompositeExplicitAutograd")]]
Tensor fill_tensor(const Tensor& self, const Tensor& value) {
  check_value(value);
  Tensor result = structured::empty_like(self);
  return structured::copy_(result, value);
}

/// Sets every element of `self` to 0.
[[structured::kernel("zero_", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& zero_(Tensor& self) {
  if (!self.is_cpu() || !self.is_non_overlapping_and_dense()) return structured::fill_(self, 0);
  if (self.numel() != 0) std::memset(self.data(), 0, self.nbytes());
  return self;
}

}  // namespace structured::kernels
