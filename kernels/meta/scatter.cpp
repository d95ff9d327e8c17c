// Shapes of gathering, and of scattering, its inverse.
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/kernel/meta_base.h>

#include <string_view>

#include "meta/index.h"

namespace structured::kernels {
namespace {

int64_t size_at(const Tensor& tensor, size_t d) { return tensor.dim() == 0 ? 1 : tensor.sizes()[d]; }

size_t rank_of(const Tensor& tensor) { return tensor.dim() == 0 ? 1 : tensor.sizes().size(); }

// An `index` without elements goes with anything.
void check_index(const char* name, const Tensor& self, int64_t dim, const Tensor& index) {
  if (index.numel() == 0) return;
  STRUCTURED_CHECK(index.scalar_type() == kLong, name, ": expected `index` of dtype Long, got ", index.scalar_type());
  STRUCTURED_CHECK(rank_of(self) == rank_of(index), name, ": expected `index` to have as many dimensions as `self`, ",
                   self.dim(), ", got ", index.dim());
  for (size_t d = 0; d < rank_of(self); ++d) {
    STRUCTURED_CHECK(static_cast<int64_t>(d) == dim || size_at(index, d) <= size_at(self, d), name,
                     ": expected `index` to be no larger than `self` but for dimension ", dim, ", got sizes ",
                     index.sizes(), " for ", self.sizes());
  }
}

void check_source(const char* name, const Tensor& self, const Tensor& index, const Tensor& src) {
  if (index.numel() == 0) return;
  STRUCTURED_CHECK(self.scalar_type() == src.scalar_type(), name, ": expected `src` of dtype ", self.scalar_type(),
                   ", got ", src.scalar_type());
  STRUCTURED_CHECK(rank_of(index) == rank_of(src), name, ": expected `src` to have as many dimensions as `index`, ",
                   index.dim(), ", got ", src.dim());
  for (size_t d = 0; d < rank_of(index); ++d) {
    STRUCTURED_CHECK(size_at(index, d) <= size_at(src, d), name,
                     ": expected `index` to be no larger than `src`, got sizes ", index.sizes(), " for ", src.sizes());
  }
}

IndexedDim scatter_meta(const char* name, MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                        const Tensor* src) {
  dim = wrap_dim(dim, self.dim());
  check_index(name, self, dim, index);
  if (src != nullptr) check_source(name, self, index, *src);
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
  return {dim};
}

void check_reduction(const char* name, std::string_view reduce) {
  STRUCTURED_CHECK(reduce == "add" || reduce == "multiply", name,
                   ": expected `reduce` to be \"add\" or \"multiply\", got \"", reduce, "\"");
}

}  // namespace

/// For each element of `index` (Long) the element of `self` at the same place, but along `dim` at the index: the sizes
/// of `index`, which has as many dimensions as `self` and is no larger but for `dim`. An error if an index is negative
/// or too large. `sparse_grad` is for the derivative.
[[structured::meta("gather", "gather.out"), structured::tags("core")]]
IndexedDim gather_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                       [[structured::kwonly, maybe_unused]] bool sparse_grad = false) {
  dim = wrap_dim(dim, self.dim());
  check_index("gather", self, dim, index);
  op.set_output_raw_strided(0, index.sizes(), {}, self.options());
  return {dim};
}

/// `self`, with each element of `src` that has one in `index` (Long) written to the same place, but along `dim` at the
/// index. `index` has as many dimensions as both, is no larger than `src`, and no larger than `self` but for `dim`. Of
/// several elements for one place the last one along `dim` stays. An error if an index is negative or too large.
[[structured::meta("scatter.src", "scatter_.src", "scatter.src_out"), structured::tags("core")]]
IndexedDim scatter_src_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_meta("scatter", op, self, dim, index, &src);
}

/// The same with one number for all.
[[structured::meta("scatter.value", "scatter_.value", "scatter.value_out"), structured::tags("core")]]
IndexedDim scatter_value_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter_meta("scatter", op, self, dim, index, nullptr);
}

/// The same, but elements are added to ("add") or multiplied with ("multiply") those of `self`.
[[structured::meta("scatter.reduce", "scatter_.reduce", "scatter.reduce_out")]]
IndexedDim scatter_combine_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                                [[structured::kwonly]] std::string_view reduce) {
  check_reduction("scatter", reduce);
  return scatter_meta("scatter", op, self, dim, index, &src);
}

/// The same with one number for all.
[[structured::meta("scatter.value_reduce", "scatter_.value_reduce", "scatter.value_reduce_out")]]
IndexedDim scatter_combine_value_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                                      const Scalar& value, [[structured::kwonly]] std::string_view reduce) {
  check_reduction("scatter", reduce);
  return scatter_meta("scatter", op, self, dim, index, nullptr);
}

/// `self`, with each element of `src` that has one in `index` (Long) added at the same place, but along `dim` at the
/// index. Shapes and errors are those of scatter.
[[structured::meta("scatter_add", "scatter_add_", "scatter_add.out"), structured::tags("core")]]
IndexedDim scatter_add_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_meta("scatter_add", op, self, dim, index, &src);
}

/// The same where elements of `self` and of `src` that meet at a place are reduced by `reduce`: "sum", "prod", "mean",
/// "amax" or "amin". Without `include_self` places are what `src` alone gives where it has elements for them.
[[structured::meta("scatter_reduce.two", "scatter_reduce_.two", "scatter_reduce.two_out"), structured::tags("core")]]
IndexedDim scatter_reduce_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, [[structured::kwonly]] bool include_self = true) {
  STRUCTURED_CHECK(reduce == "sum" || reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
                   "scatter_reduce: expected `reduce` to be \"sum\", \"prod\", \"mean\", \"amax\" or \"amin\", got \"",
                   reduce, "\"");
  return scatter_meta("scatter_reduce", op, self, dim, index, &src);
}

}  // namespace structured::kernels
