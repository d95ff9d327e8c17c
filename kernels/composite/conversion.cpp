// Conversion to another dtype, device or memory format.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>

#include <optional>

namespace structured::kernels {
namespace {

Tensor converted_copy(const Tensor& self, TensorOptions options, bool non_blocking,
                      std::optional<MemoryFormat> memory_format) {
  options = self.options().merge_in(options);
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  Tensor result;
  if (format != MemoryFormat::Preserve) {
    result = empty(self.sizes(), options, format);
  } else if (self.is_non_overlapping_and_dense()) {
    result = empty_strided(self.sizes(), self.strides(), options);
  } else {
    result = empty(self.sizes(), options, self.suggest_memory_format());
  }
  return structured::copy_(result, self, non_blocking);
}

// Returns `self` itself if it already matches and `copy` is false.
Tensor converted(const Tensor& self, TensorOptions options, bool non_blocking, bool copy,
                 std::optional<MemoryFormat> memory_format) {
  const TensorOptions wanted = self.options().merge_in(options);
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  const bool fits = wanted.dtype() == self.scalar_type() && wanted.device() == self.device() &&
                    wanted.layout() == self.layout() &&
                    (format == MemoryFormat::Preserve || format == self.suggest_memory_format());
  return fits && !copy ? self : converted_copy(self, options, non_blocking, memory_format);
}

}  // namespace

/// Returns `self` if it is contiguous in `memory_format`, otherwise a copy that is.
[[structured::composite("contiguous")]]
Tensor contiguous([[structured::alias("a")]] const Tensor& self,
                  [[structured::kwonly]] MemoryFormat memory_format = MemoryFormat::Contiguous) {
  STRUCTURED_CHECK(memory_format != MemoryFormat::Preserve, "contiguous: expected a memory format, got Preserve");
  return self.is_contiguous(memory_format) ? self : structured::clone(self, memory_format);
}

/// Copy of `self` with the given dtype, device, layout and memory format; options that are not given are those of
/// `self`.
[[structured::kernel("_to_copy", "CompositeExplicitAutograd"), structured::variants("_to_copy.out"),
  structured::tags("core")]]
Tensor to_copy(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
               std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
               std::optional<bool> pin_memory = std::nullopt, bool non_blocking = false,
               std::optional<MemoryFormat> memory_format = std::nullopt) {
  return converted_copy(self, {dtype, layout, device, pin_memory}, non_blocking, memory_format);
}

/// Converts `self` to the given dtype, device, layout and memory format; returns `self` itself if nothing changes,
/// unless `copy`. Options that are not given are those of `self`.
[[structured::composite("to.dtype_layout")]]
Tensor to_options([[structured::alias("a")]] const Tensor& self,
                  [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                  std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                  std::optional<bool> pin_memory = std::nullopt, bool non_blocking = false, bool copy = false,
                  std::optional<MemoryFormat> memory_format = std::nullopt) {
  return converted(self, {dtype, layout, device, pin_memory}, non_blocking, copy, memory_format);
}

/// Converts `self` to `device` and `dtype`; returns `self` itself if nothing changes, unless `copy`.
[[structured::composite("to.device")]]
Tensor to_device([[structured::alias("a")]] const Tensor& self, Device device, ScalarType dtype,
                 bool non_blocking = false, bool copy = false,
                 std::optional<MemoryFormat> memory_format = std::nullopt) {
  return converted(self, TensorOptions(dtype, device), non_blocking, copy, memory_format);
}

/// Converts `self` to `dtype`; returns `self` itself if nothing changes, unless `copy`.
[[structured::composite("to.dtype")]]
Tensor to_dtype([[structured::alias("a")]] const Tensor& self, ScalarType dtype, bool non_blocking = false,
                bool copy = false, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return converted(self, dtype, non_blocking, copy, memory_format);
}

/// Converts `self` to the dtype and device of `other`; returns `self` itself if nothing changes, unless `copy`.
[[structured::composite("to.other")]]
Tensor to_other([[structured::alias("a")]] const Tensor& self, const Tensor& other, bool non_blocking = false,
                bool copy = false, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return converted(self, other.options(), non_blocking, copy, memory_format);
}

/// Converts `self` to the dtype and device of `other`; returns `self` itself if nothing changes.
[[structured::composite("type_as")]]
Tensor type_as(const Tensor& self, const Tensor& other) {
  return converted(self, other.options(), false, false, std::nullopt);
}

}  // namespace structured::kernels
