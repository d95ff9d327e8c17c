// Factories that take dtype and device from a tensor, or are one element or one value only.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/kernel/resize.h>
#include <structured/ops/empty.h>
#include <structured/ops/fill.h>
#include <structured/ops/zero.h>

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

/// A tensor of these sizes and strides whose elements are not set. The storage holds what the strides reach.
[[structured::kernel("empty_strided", "CPU", "Meta", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor empty_strided([[structured::symint]] IntArrayRef size, [[structured::symint]] IntArrayRef stride,
                     [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                     std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                     std::optional<bool> pin_memory = std::nullopt) {
  return detail::empty_strided(size, stride, TensorOptions(dtype, layout, device, pin_memory));
}

/// A tensor of `size` filled with ones. `dtype` defaults to float, `device` to the CPU.
[[structured::kernel("ones", "CompositeExplicitAutograd")]]
Tensor ones([[structured::symint]] IntArrayRef size,
            [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
            std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
            std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, 1);
}

/// Gives `out` the sizes `size` and fills it with ones.
[[structured::kernel("ones.out", "CompositeExplicitAutograd")]]
Tensor& ones_out([[structured::symint]] IntArrayRef size, Tensor& out) {
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, "ones: expected sizes of 0 or more, got ", size);
  }
  resize_output(out, size);
  return structured::fill_(out, 1);
}

/// A tensor without dimensions that holds `s`.
[[structured::kernel("scalar_tensor", "CompositeExplicitAutograd")]]
Tensor scalar_tensor(const Scalar& s, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                     std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                     std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty({}, dtype, layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, s);
}

/// A tensor of `size` whose elements are not set; dtype and device are those of `self` unless given.
[[structured::kernel("new_empty", "CompositeExplicitAutograd")]]
Tensor new_empty(const Tensor& self, [[structured::symint]] IntArrayRef size,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt) {
  return new_of("new_empty", self, size, {dtype, layout, device, pin_memory});
}

/// The same with strides.
[[structured::kernel("new_empty_strided", "CompositeExplicitAutograd")]]
Tensor new_empty_strided(const Tensor& self, [[structured::symint]] IntArrayRef size,
                         [[structured::symint]] IntArrayRef stride,
                         [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                         std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                         std::optional<bool> pin_memory = std::nullopt) {
  return detail::empty_strided(size, stride, self.options().merge_in(TensorOptions(dtype, layout, device, pin_memory)));
}

/// A tensor of `size` filled with `fill_value`; dtype and device are those of `self` unless given.
[[structured::kernel("new_full", "CompositeExplicitAutograd")]]
Tensor new_full(const Tensor& self, [[structured::symint]] IntArrayRef size, const Scalar& fill_value,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_full", self, size, {dtype, layout, device, pin_memory});
  return structured::fill_(result, fill_value);
}

/// The same, filled with ones.
[[structured::kernel("new_ones", "CompositeExplicitAutograd")]]
Tensor new_ones(const Tensor& self, [[structured::symint]] IntArrayRef size,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_ones", self, size, {dtype, layout, device, pin_memory});
  return structured::fill_(result, 1);
}

/// The same, filled with zeros.
[[structured::kernel("new_zeros", "CompositeExplicitAutograd")]]
Tensor new_zeros(const Tensor& self, [[structured::symint]] IntArrayRef size,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = new_of("new_zeros", self, size, {dtype, layout, device, pin_memory});
  return structured::zero_(result);
}

}  // namespace structured::kernels
