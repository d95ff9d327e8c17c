// Copying and filling.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/names.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/copy.h>
#include <structured/kernel/overlap.h>
#include <structured/ops/expand.h>

#include <cstring>
#include <optional>
#include <vector>

namespace structured::kernels {

/// Writes the elements of `src`, broadcast to the shape of `self` and converted to its dtype, into `self`.
/// `non_blocking` concerns devices with streams.
[[structured::kernel("copy_", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& copy_(Tensor& self, const Tensor& src, [[maybe_unused]] bool non_blocking = false) {
  assert_no_internal_overlap(self);
  if (self.is_same(src)) {
    return self;
  }
  const Tensor source = structured::expand(src, self.sizes());
  const bool is_named = self.has_names() || src.has_names();
  const std::vector<Dimname> names =
      is_named ? unify_names(self.names(), source.names()) : std::vector<Dimname>();  // before anything is written
  if (!self.is_meta()) {
    assert_no_partial_overlap(self, source);
    detail::copy_into(self, source);
  }
  if (is_named) {
    detail::set_names(self, names);
  }
  return self;
}

/// A new tensor with the elements of `self`. Without `memory_format` it is laid out as `self` is if that is dense, and
/// as the format that the strides of `self` resemble most otherwise.
[[structured::kernel("clone", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor clone(const Tensor& self, [[structured::kwonly]] std::optional<MemoryFormat> memory_format = std::nullopt) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  if (format != MemoryFormat::Preserve || !self.is_non_overlapping_and_dense()) {
    const bool is_chosen = format != MemoryFormat::Preserve;
    const Tensor result =
        detail::empty(self.sizes(), self.options(), is_chosen ? format : self.suggest_memory_format());
    detail::copy_into(result, self);
    detail::set_names(result, self.names());
    return result;
  }
  Tensor result = Tensor::adopt(TensorImpl::create_with_strides_of(*self.impl()));
  if (self.is_cpu() && self.numel() <= kGrainSize && self.numel() != 0) {
    std::memcpy(result.data(), self.data(), self.nbytes());
  } else {
    detail::copy_into(result, self);
  }
  if (self.has_names()) [[unlikely]] {
    detail::set_names(result, self.names());
  }
  return result;
}

/// Sets every element of `self` to `value`, converted to its dtype; an error if the dtype cannot hold it.
[[structured::kernel("fill_.Scalar", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor& fill_(Tensor& self, const Scalar& value) {
  assert_no_internal_overlap(self);
  if (!self.is_meta()) {
    const Tensor element = detail::scalar_tensor(value, self.options().device(kCPU));
    const DimVector repeated(self.sizes().size(), 0);
    detail::copy_into(self, detail::as_strided_view(element, self.sizes(), repeated, 0));
  }
  return self;
}

}  // namespace structured::kernels
