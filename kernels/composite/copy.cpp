// Copying: copy_, copy and clone.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/derived_variants.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/ops/copy.h>
#include <structured/ops/expand.h>

#include <cstring>
#include <optional>

namespace structured::kernels {

/// Copies `src` into `self`, broadcast to its shape and converted to its dtype. Dense tensors that partially overlap
/// are an error; overlapping elements of other ones are read before they are written. `non_blocking` matters only for
/// devices with streams.
[[structured::kernel("copy_", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& copy_(Tensor& self, const Tensor& src, [[maybe_unused]] bool non_blocking = false) {
  if (self.is_same(src)) {
    return self;
  }
  assert_no_internal_overlap(self);
  Tensor source = structured::expand(src, self.sizes());
  const Overlap found = self.is_meta() ? Overlap::none : overlap(self, source);
  if (found == Overlap::partial || found == Overlap::undecided) [[unlikely]] {
    if (self.is_non_overlapping_and_dense() && source.is_non_overlapping_and_dense()) {
      assert_no_partial_overlap(self, source);
    }
    source = detail::copy_of(source);
  }
  if (self.has_names() || src.has_names()) [[unlikely]] {
    name_output(self, unify_names(self.names(), source.names()));
  }
  if (!self.is_meta()) {
    copy_into(self, source);
  }
  return self;
}

/// Returns a tensor with the shape, dtype and strides of `self` and the elements of `src`, broadcast and converted.
[[structured::composite("copy"), structured::tags("core")]]
Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking = false) {
  Tensor result = empty_in_order_of(self, self.options());
  return structured::copy_(result, src, non_blocking);
}

/// Writes `src`, broadcast to the shape of `self`, to `out`, which is resized to that shape and must have the dtype of
/// `self`.
[[structured::kernel("copy.out", "CompositeExplicitAutograd")]]
Tensor& copy_out(const Tensor& self, const Tensor& src, [[structured::schema_default("False")]] bool non_blocking,
                 Tensor& out) {
  STRUCTURED_CHECK(out.scalar_type() == self.scalar_type(), "copy: expected `out` of dtype ", self.scalar_type(),
                   ", got ", out.scalar_type());
  resize_output(out, self.sizes());
  return kernels::copy_(out, src, non_blocking);
}

/// Copy of `self` in memory format `memory_format`. By default the result keeps the strides of `self` if it is dense,
/// otherwise it is dense with the same order of dimensions.
[[structured::kernel("clone", "CPU", "Meta", "CompositeExplicitAutograd"), structured::variants("clone.out")]]
Tensor clone(const Tensor& self, [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  if (format != MemoryFormat::Preserve || !self.is_non_overlapping_and_dense()) {
    const Tensor result = format != MemoryFormat::Preserve ? empty(self.sizes(), self.options(), format)
                                                           : empty_in_order_of(self, self.options());
    copy_into(result, self);
    set_names(result, self.names());
    return result;
  }
  Tensor result = Tensor::adopt(TensorImpl::create_with_strides_of(*self.impl()));
  if (self.is_cpu() && self.numel() <= kGrainSize && self.numel() != 0) {
    std::memcpy(result.data(), self.data(), self.nbytes());
  } else {
    copy_into(result, self);
  }
  if (self.has_names()) [[unlikely]] {
    set_names(result, self.names());
  }
  return result;
}

}  // namespace structured::kernels
