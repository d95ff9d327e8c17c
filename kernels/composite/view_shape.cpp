// Views with other sizes, strides or element types over one storage, and reshape, which copies where no view is
// possible.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_impl.h>
#include <structured/core/view_builder.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/clone.h>
#include <structured/ops/expand.h>
#include <structured/ops/reshape.h>
#include <structured/ops/view.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "composite/view_sizes.h"

namespace structured::kernels {
namespace {

Tensor same_shape(const Tensor& self) {
  ViewBuilder view(self, self.sizes().size());
  for (size_t d = self.sizes().size(); d-- > 0;) view.prepend(self.sizes()[d], self.strides()[d]);
  Tensor result = std::move(view).finish(self.storage_offset());
  if (self.has_names()) [[unlikely]]
    set_names(result, self.names());
  return result;
}

__attribute__((noinline)) Tensor reshape_general(const Tensor& self, IntArrayRef shape) {
  const DimVector sizes = infer_size("reshape", shape, self.numel());
  if (const std::optional<DimVector> strides = view_strides(self, sizes)) {
    return structured::as_strided(self, sizes, *strides, self.storage_offset());
  }
  return structured::view(structured::clone(self, MemoryFormat::Contiguous), sizes);
}

}  // namespace

/// Tensor with the elements of `self` in row-major order and shape `shape`, in which one size may be -1 and is
/// inferred: a view if strides can express that, otherwise a copy.
[[structured::composite("reshape")]]
Tensor reshape([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef shape) {
  return contiguous_view(self, shape, reshape_general);
}

/// Tensor with the elements of `self` in row-major order and the shape of `other`: a view if strides can express that,
/// otherwise a copy.
[[structured::composite("reshape_as")]]
Tensor reshape_as([[structured::alias("a")]] const Tensor& self, const Tensor& other) {
  return kernels::reshape(self, other.sizes());
}

/// View of `self` with the shape of `other`. Elements keep their row-major order; an error if no strides can express
/// that.
[[structured::composite("view_as")]]
Tensor view_as([[structured::alias("a")]] const Tensor& self, const Tensor& other) {
  return structured::view(self, other.sizes());
}

/// View of `self` with dimensions of size 1 expanded to the shape of `other`.
[[structured::composite("expand_as")]]
Tensor expand_as([[structured::alias("a")]] const Tensor& self, const Tensor& other) {
  return structured::expand(self, other.sizes());
}

/// View of `self` with dimensions of size 1 expanded to `size`; alias of expand.
[[structured::composite("broadcast_to")]]
Tensor broadcast_to([[structured::alias("a")]] const Tensor& self, IntArrayRef size) {
  return structured::expand(self, size);
}

/// View of `self` with shape `size` that the schema does not declare as an alias. For results that are not used
/// together with `self`.
[[structured::kernel("_unsafe_view", "CompositeExplicitAutograd"), structured::variants("_unsafe_view.out")]]
Tensor unsafe_view(const Tensor& self, [[structured::symint]] IntArrayRef size) {
  return structured::view(self, size);
}

/// Merges the dimensions `start_dim` to `end_dim` into one: a view if strides can express that, otherwise a copy. A
/// scalar tensor becomes [1].
[[structured::composite("flatten.using_ints")]]
Tensor flatten([[structured::alias("a")]] const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1) {
  const int64_t first = wrap_dim(start_dim, self.dim());
  const int64_t last = wrap_dim(end_dim, self.dim());
  STRUCTURED_CHECK(first <= last, "flatten: expected `start_dim` <= `end_dim`, got ", start_dim, " and ", end_dim);
  if (self.dim() == 0) return structured::reshape(self, 1);
  if (first == last) return self;
  DimVector shape(self.sizes().slice(0, static_cast<size_t>(first)));
  int64_t merged = 1;
  for (int64_t d = first; d <= last; ++d) merged *= self.size(d);
  shape.push_back(merged);
  for (int64_t d = last + 1; d < self.dim(); ++d) shape.push_back(self.size(d));
  return structured::reshape(self, shape);
}

/// View of `self` with dimension `dim` split into `sizes`, in which one size may be -1 and is inferred.
[[structured::composite("unflatten.int")]]
Tensor unflatten([[structured::alias("a")]] const Tensor& self, int64_t dim, IntArrayRef sizes) {
  const auto at = static_cast<size_t>(wrap_dim(dim, self.dim()));
  STRUCTURED_CHECK(!sizes.empty(), "unflatten: expected `sizes`, got none");
  const DimVector parts = infer_size("unflatten", sizes, self.dim() == 0 ? 1 : self.sizes()[at]);
  DimVector shape(self.sizes().slice(0, self.dim() == 0 ? 0 : at));
  for (const int64_t part : parts) shape.push_back(part);
  for (size_t d = at + 1; d < self.sizes().size(); ++d) shape.push_back(self.sizes()[d]);
  return structured::view(self, shape);
}

/// Flattens `self` to one contiguous dimension: a view if `self` is contiguous, otherwise a copy.
[[structured::composite("ravel")]]
Tensor ravel([[structured::alias("a")]] const Tensor& self) {
  return structured::view(self.is_contiguous() ? self : structured::clone(self, MemoryFormat::Contiguous), -1);
}

/// View of the storage of `self` with the given sizes, strides and storage offset (default: that of `self`). Sizes and
/// strides that reach outside the storage are an error.
[[structured::kernel("as_strided", "CPU", "Meta", "CompositeExplicitAutograd"), structured::tags("core")]]
Tensor as_strided([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size,
                  [[structured::symint]] IntArrayRef stride,
                  [[structured::symint]] std::optional<int64_t> storage_offset = std::nullopt) {
  // Calls the runtime's function: unqualified, `as_strided` would name this kernel.
  return detail::as_strided(self, size, stride, storage_offset.value_or(self.storage_offset()));
}

/// Sets the sizes, strides and storage offset (default: unchanged) of `self` in place. Sizes and strides that reach
/// outside the storage are an error.
[[structured::kernel("as_strided_", "CompositeExplicitAutograd")]]
Tensor& as_strided_(Tensor& self, [[structured::symint]] IntArrayRef size, [[structured::symint]] IntArrayRef stride,
                    [[structured::symint]] std::optional<int64_t> storage_offset = std::nullopt) {
  const Tensor view = structured::as_strided(self, size, stride, storage_offset.value_or(self.storage_offset()));
  self.impl()->set_sizes_and_strides(view.sizes(), view.strides());
  self.impl()->set_storage_offset(view.storage_offset());
  return self;
}

/// View of `self` with the given sizes and strides at its own storage offset: the view case of reshape.
[[structured::kernel("_reshape_alias", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor reshape_alias([[structured::alias("a")]] const Tensor& self, [[structured::symint]] IntArrayRef size,
                     [[structured::symint]] IntArrayRef stride) {
  return structured::as_strided(self, size, stride, self.storage_offset());
}

/// View of `self` with the same shape and strides.
[[structured::kernel("alias", "CompositeExplicitAutograd")]]
Tensor alias([[structured::alias("a")]] const Tensor& self) {
  return same_shape(self);
}

/// View of `self` that is detached from automatic differentiation.
[[structured::kernel("detach", "CompositeExplicitAutograd"), structured::not_differentiable]]
Tensor detach([[structured::alias("a")]] const Tensor& self) {
  return same_shape(self);
}

/// Returns `self`; marks a fresh constant for program transformations.
[[structured::kernel("lift_fresh", "CompositeExplicitAutograd")]]
Tensor lift_fresh([[structured::alias("a")]] const Tensor& self) {
  return self;
}

/// View of a complex tensor [...] as real numbers [..., 2]: real and imaginary parts along a new last dimension.
[[structured::kernel("view_as_real", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor view_as_real([[structured::alias("a")]] const Tensor& self) {
  STRUCTURED_CHECK(self.is_complex(), "view_as_real: expected a complex dtype, got ", self.scalar_type());
  ViewBuilder view(self, self.sizes().size() + 1);
  view.set_dtype(to_real(self.scalar_type()));
  view.prepend(2, 1);
  for (size_t d = self.sizes().size(); d-- > 0;) view.prepend(self.sizes()[d], 2 * self.strides()[d]);
  return std::move(view).finish(2 * self.storage_offset());
}

/// View of a real tensor [..., 2] as complex numbers [...]: the last dimension holds real and imaginary parts. It must
/// have stride 1; other strides and the storage offset must be even. Half, Float and Double only.
[[structured::kernel("view_as_complex", "CPU", "Meta", "CompositeExplicitAutograd")]]
Tensor view_as_complex([[structured::alias("a")]] const Tensor& self) {
  STRUCTURED_CHECK((kFloatingTypes | kHalf).contains(self.scalar_type()), "view_as_complex: expected `self` of dtype ",
                   kFloatingTypes | kHalf, ", got ", self.scalar_type());
  STRUCTURED_CHECK(self.dim() > 0 && self.size(-1) == 2,
                   "view_as_complex: expected a last dimension of size 2, got sizes ", self.sizes());
  STRUCTURED_CHECK(self.stride(-1) == 1, "view_as_complex: expected a last dimension of stride 1, got strides ",
                   self.strides());
  const size_t rank = self.sizes().size() - 1;
  ViewBuilder view(self, rank);
  view.set_dtype(to_complex(self.scalar_type()));
  for (size_t d = rank; d-- > 0;) {
    STRUCTURED_CHECK(self.strides()[d] % 2 == 0, "view_as_complex: expected even strides but for the last one, got ",
                     self.strides());
    view.prepend(self.sizes()[d], self.strides()[d] / 2);
  }
  STRUCTURED_CHECK(self.storage_offset() % 2 == 0, "view_as_complex: expected an even storage offset, got ",
                   self.storage_offset());
  return std::move(view).finish(self.storage_offset() / 2);
}

}  // namespace structured::kernels
