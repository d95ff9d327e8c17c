// Complex conjugates, which are computed at once: tensors have no flag for conjugation that is still to be done.
#include <structured/core/tensor.h>
#include <structured/ops/conj_physical.h>

namespace structured::kernels {

/// Complex conjugate of each element: `self` itself if it is real, otherwise a new tensor.
[[structured::composite("conj")]]
Tensor conj([[structured::alias("a")]] const Tensor& self) {
  return self.is_complex() ? structured::conj_physical(self) : self;
}

/// Complex conjugate of each element of `self`, which is complex: a new tensor, although PyTorch returns a view.
[[structured::kernel("_conj", "CompositeExplicitAutograd")]]
Tensor conj_view([[structured::alias("a")]] const Tensor& self) {
  return structured::conj_physical(self);
}

/// Complex conjugate of each element of the complex tensor `self`: a new tensor.
[[structured::kernel("_conj_physical", "CompositeExplicitAutograd"), structured::variants("_conj_physical.out")]]
Tensor conj_of_complex(const Tensor& self) {
  return structured::conj_physical(self);
}

/// Returns `self`, whose elements are never conjugated only on access.
[[structured::composite("resolve_conj")]]
Tensor resolve_conj([[structured::alias("a")]] const Tensor& self) {
  return self;
}

/// Returns `self`, whose elements are never negated only on access.
[[structured::composite("resolve_neg")]]
Tensor resolve_neg([[structured::alias("a")]] const Tensor& self) {
  return self;
}

}  // namespace structured::kernels
