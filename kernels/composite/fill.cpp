// Filling with one value: fill_, fill and zero_.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/fill.h>

#include <cstddef>
#include <cstring>

#include "composite/rounded_scalar.h"

namespace structured::kernels {
namespace {

template <std::size_t kSize>
void repeat(const std::byte* element, std::byte* to, std::size_t nbytes) {
  for (std::size_t i = 0; i < nbytes; i += kSize) std::memcpy(to + i, element, kSize);
}

// Fills a dense tensor.
void fill_dense(const Tensor& self, const Scalar& value) {
  alignas(16) std::byte element[16];
  store_scalar(element, self.scalar_type(), value);
  auto* const data = static_cast<std::byte*>(self.data());
  switch (item_size_log2(self.scalar_type())) {
    case 0:
      return repeat<1>(element, data, self.nbytes());
    case 1:
      return repeat<2>(element, data, self.nbytes());
    case 2:
      return repeat<4>(element, data, self.nbytes());
    case 3:
      return repeat<8>(element, data, self.nbytes());
    default:
      return repeat<16>(element, data, self.nbytes());
  }
}

void check_value(const Tensor& value) {
  STRUCTURED_CHECK(value.dim() == 0, "fill: expected `value` to have no dimensions, got ", value.dim());
}

}  // namespace

/// Sets every element of `self` to `value`, converted to its dtype. A value that the dtype cannot represent is an
/// error, except that a single element of Half or BFloat16 is rounded. `self` may overlap itself.
[[structured::kernel("fill_.Scalar", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& fill_(Tensor& self, const Scalar& value) {
  constexpr std::size_t kNotWorthAPlan = 2048;
  if (self.is_cpu() && self.is_non_overlapping_and_dense() && self.nbytes() <= kNotWorthAPlan) {
    fill_dense(self, self.numel() == 1 ? rounded_scalar(value, self.scalar_type()) : value);
    return self;
  }
  if (!self.is_meta()) {
    const Tensor element = scalar_tensor(value, self.options().device(kCPU));
    const DimVector repeated(self.sizes().size(), 0);
    copy_into(self, as_strided(element, self.sizes(), repeated, 0));
  }
  return self;
}

/// Sets every element of `self` to the scalar tensor `value`, converted to its dtype.
[[structured::kernel("fill_.Tensor", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& fill_tensor_(Tensor& self, const Tensor& value) {
  check_value(value);
  return structured::copy_(self, value);
}

/// Tensor with the shape, dtype and strides of `self`, filled with the scalar `value`.
[[structured::composite("fill.Scalar"), structured::variants("fill.Scalar_out")]]
Tensor fill_scalar(const Tensor& self, const Scalar& value) {
  Tensor result = structured::empty_like(self);
  return structured::fill_(result, value);
}

/// Tensor with the shape, dtype and strides of `self`, filled with the scalar tensor `value`.
[[structured::composite("fill.Tensor"), structured::variants("fill.Tensor_out")]]
Tensor fill_tensor(const Tensor& self, const Tensor& value) {
  check_value(value);
  Tensor result = structured::empty_like(self);
  return structured::copy_(result, value);
}

/// Sets every element of `self` to 0.
[[structured::kernel("zero_", "CPU", "Meta", "CompositeExplicitAutograd"), structured::variants("zero", "zero.out")]]
Tensor& zero_(Tensor& self) {
  if (!self.is_cpu() || !self.is_non_overlapping_and_dense()) return structured::fill_(self, 0);
  if (self.numel() != 0) std::memset(self.data(), 0, self.nbytes());
  return self;
}

}  // namespace structured::kernels
