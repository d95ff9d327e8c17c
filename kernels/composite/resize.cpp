// Resizing tensors in place.
#include <structured/core/error.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/kernel/resize.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

Tensor& resize_to(const char* name, Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, name, ": expected sizes of 0 or more, got ", size);
  }
  STRUCTURED_CHECK(!self.has_names() || self.sizes() == size, name,
                   ": a tensor with names of dimensions keeps its sizes");
  if (format) {
    detail::resize_strided(self, size, strides_for(size, *format));
  } else if (self.sizes() != size) {
    detail::resize_strided(self, size, contiguous_strides(size));
  }
  return self;
}

}  // namespace

/// Gives `self` the sizes `size` over its storage, which grows if it is too small. New elements are not set. Strides
/// are those of `memory_format`, or contiguous; without it, a tensor of these sizes keeps its strides.
[[structured::kernel("resize_", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& resize_(Tensor& self, [[structured::symint]] IntArrayRef size,
                [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  return resize_to("resize_", self, size, memory_format);
}

/// The same with the sizes of `the_template`. With `memory_format` Preserve, strides are those of the memory format
/// that it resembles most.
[[structured::kernel("resize_as_", "CompositeExplicitAutograd")]]
Tensor& resize_as_(Tensor& self, const Tensor& the_template,
                   [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  if (memory_format == MemoryFormat::Preserve) memory_format = the_template.suggest_memory_format();
  return resize_to("resize_as_", self, the_template.sizes(), memory_format);
}

}  // namespace structured::kernels
