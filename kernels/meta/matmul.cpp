// Meta functions of matrix and vector products.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/dimname.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/iterator/config.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/kernel/meta_base.h>
#include <structured/kernel/refined.h>

#include <algorithm>

#include <utility>
#include <vector>

#include "meta/number_range.h"

namespace structured::kernels {
namespace {

[[noreturn]] STRUCTURED_COLD void fail_inner(const char* name, const char* left, const Tensor& a, const char* right,
                                             const Tensor& b) {
  fail(name, ": `", left, "` and `", right, "` cannot be multiplied: their shapes are ", a.size(-2), "x", a.size(-1),
       " and ", b.size(-2), "x", b.size(-1));
}

// Checks inner sizes of matrices or batches of matrices.
STRUCTURED_ALWAYS_INLINE void check_inner(const char* name, const char* left, const Tensor& a, const char* right,
                                          const Tensor& b) {
  const size_t column = a.sizes().size() - 1;
  if (a.sizes()[column] != b.sizes()[column - 1]) [[unlikely]]
    fail_inner(name, left, a, right, b);
}

// Returns whether both factors have elements. Otherwise their dtypes are not checked, as in ATen.
bool has_products(const Tensor& a, const Tensor& b) { return a.numel() != 0 && b.numel() != 0; }

void check_same_dtype(const char* name, const char* left, const Tensor& a, const char* right, const Tensor& b) {
  STRUCTURED_CHECK(a.scalar_type() == b.scalar_type(), name, ": expected `", left, "` and `", right,
                   "` to have one dtype, got ", a.scalar_type(), " and ", b.scalar_type());
}

STRUCTURED_ALWAYS_INLINE void check_matrices(const char* name, const char* left, RankedTensor<2> a, const char* right,
                                             RankedTensor<2> b) {
  check_inner(name, left, a, right, b);
  if (has_products(a, b)) check_same_dtype(name, left, a, right, b);
}

void check_batches(const char* name, const char* left, RankedTensor<3> a, const char* right, RankedTensor<3> b) {
  STRUCTURED_CHECK(a.size(0) == b.size(0), name, ": expected `", left, "` and `", right,
                   "` to have the same number of matrices, got ", a.size(0), " and ", b.size(0));
  check_inner(name, left, a, right, b);
  if (has_products(a, b)) check_same_dtype(name, left, a, right, b);
}

void check_vectors(const char* name, const char* left, RankedTensor<1> a, const char* right, RankedTensor<1> b) {
  STRUCTURED_CHECK(a.size(0) == b.size(0), name, ": expected `", left, "` and `", right,
                   "` to have the same number of elements, got ", a.size(0), " and ", b.size(0));
  check_same_dtype(name, left, a, right, b);
}

Dimname name_of(const Tensor& tensor, int64_t dim) {
  return tensor.has_names() ? tensor.names()[static_cast<size_t>(dim)] : Dimname();
}

// Names of matrix, batched matrix and matrix-vector products.
std::vector<Dimname> product_names(const char* name, const Tensor& a, const Tensor& b) {
  std::vector<Dimname> names;
  if (a.dim() == 3) names = unify_names({name_of(a, 0)}, {name_of(b, 0)});
  names.push_back(name_of(a, a.dim() - 2));
  if (b.dim() > 1) {
    const Dimname row = names.back();
    names.push_back(name_of(b, b.dim() - 1));
    STRUCTURED_CHECK(row.is_wildcard() || row != names.back(), name, ": the result would have two dimensions `", row,
                     "`: rows of the first factor and columns of the second");
  }
  return names;
}

// Checks for a dtype that matrix products support.
void check_product_dtype(const char* name, const Tensor& tensor) {
  if (tensor.numel() != 0) check_dtype(name, tensor.scalar_type(), kRealTypes | kComplexTypes);
}

void check_expandable(const char* name, const Tensor& self, const DimVector& sizes) {
  bool fits = self.sizes().size() <= sizes.size();
  for (size_t d = 1; fits && d <= self.sizes().size(); ++d) {
    const int64_t size = self.sizes()[self.sizes().size() - d];
    fits = size == 1 || size == sizes[sizes.size() - d];
  }
  STRUCTURED_CHECK(fits, name, ": expected `self` to be expandable to sizes ", IntArrayRef(sizes), ", got ",
                   self.sizes());
}

struct Factors {
  const Scalar& beta;
  const Scalar& alpha;
  ScalarType dtype;  // in which the sum is computed
};

// Factors of a sum of matrix products, which is computed in Float for 16-bit dtypes.
Factors wide_factors(const Scalar& beta, const Scalar& alpha, ScalarType dtype) {
  return {beta, alpha, kReducedFloatingTypes.contains(dtype) ? kFloat : dtype};
}

void check_factors(const char* name, const Factors& factors) {
  check_range(name, "beta", factors.beta, factors.dtype);
  check_range(name, "alpha", factors.alpha, factors.dtype);
}

// Sets the output of `beta * self + alpha * product` for a product of shape `sizes`.
void set_sum(const char* name, MetaBase& op, const Tensor& self, const DimVector& sizes, const Tensor& product,
             const Factors& factors) {
  check_expandable(name, self, sizes);
  STRUCTURED_CHECK(self.scalar_type() == product.scalar_type(), name, ": expected `self` of the dtype ",
                   product.scalar_type(), " of the product, got ", self.scalar_type());
  const bool has_elements = std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
  if (has_elements) {
    check_product_dtype(name, product);
    check_factors(name, factors);
  }
  op.set_output_raw_strided(0, sizes, {}, product.options());
}

}  // namespace

/// Matrix product of `self` [N, K] and `mat2` [K, M]: [N, M]. Both have one dtype unless one is empty.
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, RankedTensor<2> self, RankedTensor<2> mat2) {
  check_matrices("mm", "self", self, "mat2", mat2);
  op.set_output_raw_strided(0, {self.sizes()[0], mat2.sizes()[1]}, {}, self.options());
  if (self->has_names() || mat2->has_names()) [[unlikely]]
    op.set_output_names(0, product_names("mm", self, mat2));
}

/// Matrix product with accumulation: `beta * self + alpha * (mat1 @ mat2)` for `mat1` [N, K] and `mat2` [K, M]: [N, M].
/// `self` is expanded to [N, M] and ignored if `beta` is 0, even where it is NaN. All tensors have one dtype.
[[structured::meta("addmm", "addmm_", "addmm.out"), structured::tags("core")]]
void addmm_meta(MetaBase& op, const Tensor& self, RankedTensor<2> mat1, RankedTensor<2> mat2,
                [[structured::kwonly]] const Scalar& beta = 1, const Scalar& alpha = 1) {
  check_matrices("addmm", "mat1", mat1, "mat2", mat2);
  // An empty product is `beta * self`, which Bool does not support.
  if (mat1.size(0) != 0 && mat2.size(1) != 0) check_dtype("addmm", mat1.dtype(), kRealTypes | kComplexTypes);
  set_sum("addmm", op, self, {mat1.size(0), mat2.size(1)}, mat1, wide_factors(beta, alpha, mat1.dtype()));
  if (self.has_names() || mat1->has_names() || mat2->has_names()) [[unlikely]]
    op.set_output_names(0, unify_names(self.names(), product_names("addmm", mat1, mat2)));
}

/// Batched matrix product of `self` [B, N, K] and `mat2` [B, K, M]: [B, N, M]. Both have one dtype.
[[structured::meta("bmm", "bmm.out"), structured::tags("core")]]
void bmm_meta(MetaBase& op, RankedTensor<3> self, RankedTensor<3> mat2) {
  check_batches("bmm", "self", self, "mat2", mat2);
  if (has_products(self, mat2)) check_product_dtype("bmm", self);
  op.set_output_raw_strided(0, {self.size(0), self.size(1), mat2.size(2)}, {}, mat2.options());
  if (self->has_names() || mat2->has_names()) [[unlikely]]
    op.set_output_names(0, product_names("bmm", self, mat2));
}

/// Batched matrix product with accumulation: `beta * self + alpha * (batch1 @ batch2)` for `batch1` [B, N, K] and
/// `batch2` [B, K, M]: [B, N, M]. `self` is expanded to [B, N, M] and ignored if `beta` is 0. All tensors have one
/// dtype.
[[structured::meta("baddbmm", "baddbmm_", "baddbmm.out")]]
void baddbmm_meta(MetaBase& op, const Tensor& self, RankedTensor<3> batch1, RankedTensor<3> batch2,
                  [[structured::kwonly]] const Scalar& beta = 1, const Scalar& alpha = 1) {
  check_batches("baddbmm", "batch1", batch1, "batch2", batch2);
  set_sum("baddbmm", op, self, {batch1.size(0), batch1.size(1), batch2.size(2)}, batch1,
          wide_factors(beta, alpha, batch1.dtype()));
}

/// Sum of batched matrix products with accumulation: `beta * self + alpha * sum over b of (batch1[b] @ batch2[b])` for
/// `batch1` [B, N, K] and `batch2` [B, K, M]: [N, M]. `self` is expanded to [N, M] and ignored if `beta` is 0. All
/// tensors have one dtype.
[[structured::meta("addbmm", "addbmm_", "addbmm.out")]]
void addbmm_meta(MetaBase& op, const Tensor& self, RankedTensor<3> batch1, RankedTensor<3> batch2,
                 [[structured::kwonly]] const Scalar& beta = 1, const Scalar& alpha = 1) {
  check_batches("addbmm", "batch1", batch1, "batch2", batch2);
  set_sum("addbmm", op, self, {batch1.size(1), batch2.size(2)}, batch1, wide_factors(beta, alpha, batch1.dtype()));
}

/// Matrix-vector product of `self` [N, K] and `vec` [K]: [N]. Both have one dtype.
[[structured::meta("mv", "mv.out")]]
void mv_meta(MetaBase& op, RankedTensor<2> self, RankedTensor<1> vec) {
  STRUCTURED_CHECK(self.size(1) == vec.size(0), "mv: expected `vec` to have ", self.size(1),
                   " elements, as `self` has columns, got ", vec.size(0));
  check_same_dtype("mv", "self", self, "vec", vec);
  check_product_dtype("mv", self);
  op.set_output_raw_strided(0, {self.size(0)}, {}, self.options());
  if (self->has_names()) [[unlikely]]
    op.set_output_names(0, product_names("mv", self, vec));
}

/// Matrix-vector product with accumulation: `beta * self + alpha * (mat @ vec)` for `mat` [N, K] and `vec` [K]: [N].
/// `self` is expanded to [N] and ignored if `beta` is 0. All tensors have one dtype.
[[structured::meta("addmv", "addmv_", "addmv.out")]]
void addmv_meta(MetaBase& op, const Tensor& self, RankedTensor<2> mat, RankedTensor<1> vec,
                [[structured::kwonly]] const Scalar& beta = 1, const Scalar& alpha = 1) {
  STRUCTURED_CHECK(mat.size(1) == vec.size(0), "addmv: expected `vec` to have ", mat.size(1),
                   " elements, as `mat` has columns, got ", vec.size(0));
  check_same_dtype("addmv", "mat", mat, "vec", vec);
  set_sum("addmv", op, self, {mat.size(0)}, mat, {beta, alpha, mat.dtype()});
}

/// Outer product with accumulation: `beta * self + alpha * outer(vec1, vec2)` for `vec1` [N] and `vec2` [M]: [N, M], of
/// the promoted dtype. `self` is expanded to [N, M] and ignored if `beta` is 0.
[[structured::meta("addr", "addr_", "addr.out")]]
void addr_meta(TensorIteratorBase& op, const Tensor& self, RankedTensor<1> vec1, RankedTensor<1> vec2,
               [[structured::kwonly]] const Scalar& beta = 1, const Scalar& alpha = 1) {
  check_expandable("addr", self, {vec1.size(0), vec2.size(0)});
  Tensor column = structured::as_strided(vec1, {vec1.size(0), 1}, {vec1.stride(0), 1}, vec1->storage_offset());
  op.build(TensorIteratorConfig()
               .add_output(op.maybe_get_output())
               .add_input(self)
               .add_input(std::move(column))
               .add_input(*vec2)
               .allow_cpu_scalars(true)
               .promote_inputs_to_common_dtype(true)
               .cast_common_dtype_to_outputs(true)
               .enforce_safe_casting_to_output(true));
  if (op.common_dtype() == kBool) return;  // `beta` and `alpha` are used as truth values
  check_scalar("addr", "beta", op.common_dtype(), beta);
  check_scalar("addr", "alpha", op.common_dtype(), alpha);
  check_factors("addr", {beta, alpha, op.common_dtype()});
}

/// Dot product of two vectors [N] of one dtype: a scalar tensor.
[[structured::meta("dot", "dot.out")]]
void dot_meta(MetaBase& op, RankedTensor<1> self, RankedTensor<1> tensor) {
  check_vectors("dot", "self", self, "tensor", tensor);
  check_product_dtype("dot", self);
  op.set_output_raw_strided(0, {}, {}, self.options());
}

/// Dot product of the complex conjugate of `self` [N] with `other` [N], of one dtype: a scalar tensor.
[[structured::meta("vdot", "vdot.out")]]
void vdot_meta(MetaBase& op, RankedTensor<1> self, RankedTensor<1> other) {
  check_vectors("vdot", "self", self, "other", other);
  check_product_dtype("vdot", self);
  op.set_output_raw_strided(0, {}, {}, self.options());
}

}  // namespace structured::kernels
