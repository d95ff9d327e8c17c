// Resizing in place.
#include <structured/base/error.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/kernel/resize.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

Tensor& resize_to(const char* name, Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  STRUCTURED_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  for (const int64_t extent : size) {
    STRUCTURED_CHECK(extent >= 0, name, ": expected sizes of 0 or more, got ", size);
  }
  STRUCTURED_CHECK(!self.has_names() || self.sizes() == size, name,
                   ": a tensor with names of dimensions keeps its sizes");
  if (format) {
    resize_strided(self, size, strides_for(size, *format));
  } else if (self.sizes() != size) {
    resize_strided(self, size, contiguous_strides(size));
  }
  return self;
}

}  // namespace

/// Resizes `self` in place to shape `size`; the storage grows if necessary, and new elements are uninitialized. Strides
/// become those of `memory_format`, or contiguous if the shape changes. A tensor with named dimensions cannot change
/// its shape.
[[structured::kernel("resize_", "CPU", "Meta", "CompositeExplicitAutograd"),
  structured::variants("resize", "resize.out"), structured::not_differentiable]]
Tensor& resize_(Tensor& self, [[structured::symint]] IntArrayRef size,
                [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  return resize_to("resize_", self, size, memory_format);
}

/// Resizes `self` in place to the shape of `the_template`; the storage grows if necessary, and new elements are
/// uninitialized. A `memory_format` of Preserve takes the memory format of `the_template`.
[[structured::kernel("resize_as_", "CompositeExplicitAutograd"), structured::variants("resize_as", "resize_as.out"),
  structured::not_differentiable]]
Tensor& resize_as_(Tensor& self, const Tensor& the_template,
                   [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  if (memory_format == MemoryFormat::Preserve) memory_format = the_template.suggest_memory_format();
  return resize_to("resize_as_", self, the_template.sizes(), memory_format);
}

}  // namespace structured::kernels
