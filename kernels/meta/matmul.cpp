// Shapes of matrix products.
#include <structured/core/dimname.h>
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {

/// Matrix product of `self` [n, k] and `mat2` [k, m], of one dtype. The result is [n, m] of that dtype.
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2) {
  STRUCTURED_CHECK(self.dim() == 2, "mm: expected `self` to be a matrix, got ", self.dim(), " dimensions");
  STRUCTURED_CHECK(mat2.dim() == 2, "mm: expected `mat2` to be a matrix, got ", mat2.dim(), " dimensions");
  STRUCTURED_CHECK(self.size(1) == mat2.size(0), "mm: `self` and `mat2` cannot be multiplied: their shapes are ",
                   self.size(0), "x", self.size(1), " and ", mat2.size(0), "x", mat2.size(1));
  STRUCTURED_CHECK(self.scalar_type() == mat2.scalar_type(), "mm: expected `self` and `mat2` to have one dtype, got ",
                   self.scalar_type(), " and ", mat2.scalar_type());
  op.set_output_raw_strided(0, {self.size(0), mat2.size(1)}, {}, self.options());
  if (self.has_names() || mat2.has_names()) [[unlikely]] {
    const Dimname row = self.has_names() ? self.names()[0] : Dimname();
    const Dimname column = mat2.has_names() ? mat2.names()[1] : Dimname();
    STRUCTURED_CHECK(row.is_wildcard() || row != column, "mm: the result would have two dimensions `", row,
                     "`: rows of `self` and columns of `mat2`");
    op.set_output_names(0, {row, column});
  }
}

}  // namespace structured::kernels
