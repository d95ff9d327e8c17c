// Factories with the options of a tensor (new_*), and empty_permuted, empty_strided, ones and scalar_tensor.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/kernel/resize.h>
#include <structured/ops/empty.h>
#include <structured/ops/fill.h>
#include <structured/ops/zero.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

Tensor new_of(const char* name, const Tensor& self, IntArrayRef size, TensorOptions options) {
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, name, ": expected sizes of 0 or more, got ", size);
  }
  return detail::empty(size, self.options().merge_in(options));
}

}  // namespace

/// Uninitialized tensor of shape `size` with strides `stride`. `dtype` defaults to the default dtype, `device` to the
/// CPU.
[[structured::kernel("empty_strided", "CPU", "Meta", "CompositeExplicitAutograd"),
  structured::variants("empty_strided.out"), structured::tags("core")]]
Tensor empty_strided([[structured::symint]] IntArrayRef size, [[structured::symint]] IntArrayRef stride,
                     [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                     std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                     std::optional<bool> pin_memory = std::nullopt) {
  return detail::empty_strided(size, stride, TensorOptions(dtype, layout, device, pin_memory));
}

/// Uninitialized dense tensor of shape `size`, whose dimensions are ordered in memory as `physical_layout` lists them,
/// the outermost one first. `dtype` defaults to the default dtype, `device` to the CPU.
[[structured::kernel("empty_permuted", "CompositeExplicitAutograd"), structured::variants("empty_permuted.out")]]
Tensor empty_permuted([[structured::symint]] IntArrayRef size, IntArrayRef physical_layout,
                      [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                      std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                      std::optional<bool> pin_memory = std::nullopt) {
  STRUCTURED_CHECK(physical_layout.size() == size.size(), "empty_permuted: expected `physical_layout` to have ",
                   size.size(), " dimensions, as `size` has, got ", physical_layout.size());
  DimVector strides(size.size(), 0);
  int64_t stride = 1;
  for (size_t i = size.size(); i-- > 0;) {
    const int64_t dim = physical_layout[i];
    STRUCTURED_CHECK(dim >= 0 && dim < static_cast<int64_t>(size.size()) && strides[static_cast<size_t>(dim)] == 0,
                     "empty_permuted: expected `physical_layout` to list each dimension once, got ", physical_layout);
    strides[static_cast<size_t>(dim)] = stride;
    const int64_t extent = size[static_cast<size_t>(dim)];
    STRUCTURED_CHECK(!__builtin_mul_overflow(stride, std::max<int64_t>(extent, 1), &stride),
                     "empty_permuted: expected fewer elements, got sizes ", size);
  }
  return detail::empty_strided(size, strides, TensorOptions(dtype, layout, device, pin_memory));
}

/// Tensor of shape `size` filled with ones. `dtype` defaults to the default dtype, `device` to the CPU.
[[structured::kernel("ones", "CompositeExplicitAutograd")]]
Tensor ones([[structured::symint]] IntArrayRef size,
            [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
            std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
            std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, 1);
}

/// Resizes `out` to shape `size` and fills it with ones.
[[structured::kernel("ones.out", "CompositeExplicitAutograd")]]
Tensor& ones_out([[structured::symint]] IntArrayRef size, Tensor& out) {
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, "ones: expected sizes of 0 or more, got ", size);
  }
  resize_output(out, size);
  return structured::fill_(out, 1);
}

/// Scalar tensor (0 dimensions) with value `s`. `dtype` defaults to the default dtype, `device` to the CPU.
[[structured::kernel("scalar_tensor", "CompositeExplicitAutograd"), structured::variants("scalar_tensor.out")]]
Tensor scalar_tensor(const Scalar& s, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                     std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                     std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty({}, dtype, layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, s);
}

/// Uninitialized tensor of shape `size`. dtype, layout and device default to those of `self`.
[[structured::kernel("new_empty", "CompositeExplicitAutograd"), structured::variants("new_empty.out"),
  structured::not_differentiable]]
Tensor new_empty(const Tensor& self, [[structured::symint]] IntArrayRef size,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt) {
  return new_of("new_empty", self, size, {dtype, layout, device, pin_memory});
}

/// Uninitialized tensor of shape `size` with strides `stride`. dtype, layout and device default to those of `self`.
[[structured::kernel("new_empty_strided", "CompositeExplicitAutograd"), structured::variants("new_empty_strided.out"),
  structured::not_differentiable]]
Tensor new_empty_strided(const Tensor& self, [[structured::symint]] IntArrayRef size,
                         [[structured::symint]] IntArrayRef stride,
                         [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                         std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                         std::optional<bool> pin_memory = std::nullopt) {
  return detail::empty_strided(size, stride, self.options().merge_in(TensorOptions(dtype, layout, device, pin_memory)));
}

/// Tensor of shape `size` filled with `fill_value`. dtype, layout and device default to those of `self`.
[[structured::kernel("new_full", "CompositeExplicitAutograd"), structured::variants("new_full.out"),
  structured::not_differentiable]]
Tensor new_full(const Tensor& self, [[structured::symint]] IntArrayRef size, const Scalar& fill_value,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_full", self, size, {dtype, layout, device, pin_memory});
  return structured::fill_(result, fill_value);
}

/// Tensor of shape `size` filled with ones. dtype, layout and device default to those of `self`.
[[structured::kernel("new_ones", "CompositeExplicitAutograd"), structured::variants("new_ones.out"),
  structured::not_differentiable]]
Tensor new_ones(const Tensor& self, [[structured::symint]] IntArrayRef size,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_ones", self, size, {dtype, layout, device, pin_memory});
  return structured::fill_(result, 1);
}

/// Tensor of shape `size` filled with zeros. dtype, layout and device default to those of `self`.
[[structured::kernel("new_zeros", "CompositeExplicitAutograd"), structured::variants("new_zeros.out"),
  structured::not_differentiable]]
Tensor new_zeros(const Tensor& self, [[structured::symint]] IntArrayRef size,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_zeros", self, size, {dtype, layout, device, pin_memory});
  return structured::zero_(result);
}

}  // namespace structured::kernels
