// Factories by sizes, for every backend whose device has an allocator: empty, zeros, full and their `_like` forms.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/tensor_options.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/resize.h>
#include <structured/ops/empty.h>
#include <structured/ops/fill.h>

#include <optional>

namespace structured::kernels {
namespace {

void check_sizes(const char* op, IntArrayRef size) {
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, op, ": expected sizes of 0 or more, got ", size);
  }
}

TensorOptions options_of(std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory) {
  return {dtype, layout, device, pin_memory};
}

__attribute__((noinline)) Tensor empty_with_options(IntArrayRef size, std::optional<ScalarType> dtype,
                                                    std::optional<Layout> layout, std::optional<Device> device,
                                                    std::optional<bool> pin_memory,
                                                    std::optional<MemoryFormat> format) {
  check_sizes("empty", size);
  // Calls the runtime's function: unqualified, `empty` would name the operator that this kernel implements.
  return detail::empty(size, options_of(dtype, layout, device, pin_memory), format);
}

// Default dtype of `full`: Bool or Long for values of these types, else the default dtype or its complex counterpart.
ScalarType dtype_of_value(const Scalar& value) {
  if (value.is_complex()) {
    return default_dtype() == kDouble ? kComplexDouble : kComplexFloat;
  }
  return value.is_floating() ? default_dtype() : value.type();
}

}  // namespace

/// Uninitialized tensor of shape `size`. `dtype` defaults to the default dtype, `device` to the CPU, `memory_format` to
/// contiguous.
[[structured::kernel("empty.memory_format", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor empty([[structured::symint]] IntArrayRef size,
             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt, std::optional<MemoryFormat> memory_format = std::nullopt) {
  const int asks = int{dtype.has_value()} | int{layout.has_value()} | int{device.has_value()} |
                   int{pin_memory.has_value()} | int{memory_format.has_value()};
  if (asks != 0) return empty_with_options(size, dtype, layout, device, pin_memory, memory_format);
  check_sizes("empty", size);
  return Tensor::adopt(TensorImpl::create_contiguous(size, TensorSignature::make(kCPU, default_dtype(), 0)));
}

/// Resizes `out` to shape `size`, uninitialized. `memory_format` must not be given.
[[structured::kernel("empty.out", "CompositeExplicitAutograd")]]
Tensor& empty_out([[structured::symint]] IntArrayRef size,
                  [[structured::kwonly, structured::schema_default("None")]] std::optional<MemoryFormat> memory_format,
                  Tensor& out) {
  STRUCTURED_CHECK(!memory_format,
                   "empty: `memory_format` cannot be given together with `out`, whose own format "
                   "stays");
  check_sizes("empty", size);
  resize_output(out, size);
  return out;
}

/// Tensor of shape `size` filled with zeros. `dtype` defaults to the default dtype, `device` to the CPU.
[[structured::kernel("zeros", "CompositeExplicitAutograd")]]
Tensor zeros([[structured::symint]] IntArrayRef size,
             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, 0);
}

/// Resizes `out` to shape `size` and fills it with zeros.
[[structured::kernel("zeros.out", "CompositeExplicitAutograd")]]
Tensor& zeros_out([[structured::symint]] IntArrayRef size, Tensor& out) {
  check_sizes("zeros", size);
  resize_output(out, size);
  return structured::fill_(out, 0);
}

/// Tensor of shape `size` filled with `fill_value`. `dtype` defaults to Bool or Long for values of these types,
/// otherwise to the default dtype or its complex counterpart; `device` defaults to the CPU.
[[structured::kernel("full", "CompositeExplicitAutograd")]]
Tensor full([[structured::symint]] IntArrayRef size, const Scalar& fill_value,
            [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
            std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
            std::optional<bool> pin_memory = std::nullopt) {
  Tensor result =
      structured::empty(size, dtype ? dtype : dtype_of_value(fill_value), layout, device, pin_memory, std::nullopt);
  return structured::fill_(result, fill_value);
}

/// Resizes `out` to shape `size` and fills it with `fill_value`.
[[structured::kernel("full.out", "CompositeExplicitAutograd")]]
Tensor& full_out([[structured::symint]] IntArrayRef size, const Scalar& fill_value, Tensor& out) {
  check_sizes("full", size);
  resize_output(out, size);
  return structured::fill_(out, fill_value);
}

/// Uninitialized tensor with the shape of `self`. dtype, layout and device default to those of `self`. Without
/// `memory_format` the result keeps the strides of `self` if it is dense, otherwise it is dense with the same order of
/// dimensions.
[[structured::kernel("empty_like", "CompositeExplicitAutograd"), structured::variants("empty_like.out"),
  structured::not_differentiable]]
Tensor empty_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                  std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                  std::optional<bool> pin_memory = std::nullopt,
                  std::optional<MemoryFormat> memory_format = std::nullopt) {
  const TensorOptions options = self.options().merge_in(options_of(dtype, layout, device, pin_memory));
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  if (format != MemoryFormat::Preserve) {
    return structured::empty(self.sizes(), options, format);
  }
  if (!self.is_non_overlapping_and_dense()) {
    return empty_in_order_of(self, options);
  }
  return self.is_contiguous() ? structured::empty(self.sizes(), options)
                              : detail::empty_strided(self.sizes(), self.strides(), options);
}

/// Tensor of zeros with the shape of `self`. dtype, layout and device default to those of `self`. Without
/// `memory_format` the result keeps the order of dimensions of `self`.
[[structured::kernel("zeros_like", "CompositeExplicitAutograd"), structured::variants("zeros_like.out"),
  structured::not_differentiable]]
Tensor zeros_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                  std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                  std::optional<bool> pin_memory = std::nullopt,
                  std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = kernels::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::fill_(result, 0);
}

/// Tensor with the shape of `self`, filled with `fill_value`. dtype, layout and device default to those of `self`.
/// Without `memory_format` the result keeps the order of dimensions of `self`.
[[structured::kernel("full_like", "CompositeExplicitAutograd"), structured::variants("full_like.out"),
  structured::not_differentiable]]
Tensor full_like(const Tensor& self, const Scalar& fill_value,
                 [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt,
                 std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = kernels::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::fill_(result, fill_value);
}

/// Tensor of ones with the shape of `self`. dtype, layout and device default to those of `self`. Without
/// `memory_format` the result keeps the order of dimensions of `self`.
[[structured::kernel("ones_like", "CompositeExplicitAutograd"), structured::variants("ones_like.out"),
  structured::not_differentiable]]
Tensor ones_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt,
                 std::optional<MemoryFormat> memory_format = std::nullopt) {
  return full_like(self, 1, dtype, layout, device, pin_memory, memory_format);
}

}  // namespace structured::kernels
