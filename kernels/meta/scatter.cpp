// Meta functions of gather and scatter.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar.h>

#include <string_view>

#include "meta/index.h"

namespace structured::kernels {
namespace {

// An empty `index` is always valid.
void check_index(const char* name, const Tensor& self, int64_t dim, const Tensor& index) {
  if (index.numel() == 0) return;
  STRUCTURED_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, name,
                   ": expected `index` of dtype Long or Int, got ", index.scalar_type());
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

/// Gathers elements along `dim`: `out[i][j] = self[index[i][j]][j]` for `dim` 0, and so on. The result has the shape of
/// `index` (Long or Int).
///
/// `index` has as many dimensions as `self` and is not larger except along `dim`. An index that is negative or too
/// large is an error. `sparse_grad` has no effect.
[[structured::meta("gather", "gather.out"), structured::tags("core")]]
IndexedDim gather_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                       [[structured::kwonly, maybe_unused]] bool sparse_grad = false) {
  dim = wrap_dim(dim, self.dim());
  check_index("gather", self, dim, index);
  op.set_output_raw_strided(0, index.sizes(), {}, self.options());
  return {dim};
}

/// Scatters `src` into `self` along `dim`: `self[index[i][j]][j] = src[i][j]` for `dim` 0, and so on. `index` is Long
/// or Int.
///
/// `index` has as many dimensions as `self` and `src`, is not larger than `src`, and not larger than `self` except
/// along `dim`. `src` has the dtype of `self`. If several elements have one target, the last one along `dim` is kept.
/// An index that is negative or too large is an error.
[[structured::meta("scatter.src", "scatter_.src", "scatter.src_out"), structured::tags("core")]]
IndexedDim scatter_src_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_meta("scatter", op, self, dim, index, &src);
}

/// Scatters the scalar `value` into `self` along `dim`: `self[index[i][j]][j] = value` for `dim` 0, and so on. `index`
/// (Long or Int) has as many dimensions as `self` and is not larger except along `dim`. An index that is negative or
/// too large is an error.
[[structured::meta("scatter.value", "scatter_.value", "scatter.value_out"), structured::tags("core")]]
IndexedDim scatter_value_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter_meta("scatter", op, self, dim, index, nullptr);
}

/// Scatters `src` into `self` along `dim` with a reduction: `self[index[i][j]][j] += src[i][j]` for `dim` 0 and
/// `reduce` "add", `*=` for "multiply". `index` is Long or
/// Int.
///
/// `index` has as many dimensions as `self` and `src`, is not larger than `src`, and not larger than `self` except
/// along `dim`. `src` has the dtype of `self`. An index that is negative or too large is an error.
[[structured::meta("scatter.reduce", "scatter_.reduce", "scatter.reduce_out")]]
IndexedDim scatter_combine_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                                [[structured::kwonly]] std::string_view reduce) {
  check_reduction("scatter", reduce);
  return scatter_meta("scatter", op, self, dim, index, &src);
}

/// Scatters the scalar `value` into `self` along `dim` with a reduction: `self[index[i][j]][j] += value` for `dim` 0
/// and `reduce` "add", `*=` for "multiply". `index` (Long or Int) has as many dimensions as `self` and is not larger
/// except along `dim`. An index that is negative or too large is an error.
[[structured::meta("scatter.value_reduce", "scatter_.value_reduce", "scatter.value_reduce_out")]]
IndexedDim scatter_combine_value_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index,
                                      const Scalar& value, [[structured::kwonly]] std::string_view reduce) {
  check_reduction("scatter", reduce);
  return scatter_meta("scatter", op, self, dim, index, nullptr);
}

/// Adds `src` to `self` at scattered positions along `dim`: `self[index[i][j]][j] += src[i][j]` for `dim` 0, and so on.
/// `index` is Long or
/// Int.
///
/// `index` has as many dimensions as `self` and `src`, is not larger than `src`, and not larger than `self` except
/// along `dim`. `src` has the dtype of `self`. An index that is negative or too large is an error.
[[structured::meta("scatter_add", "scatter_add_", "scatter_add.out"), structured::tags("core")]]
IndexedDim scatter_add_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_meta("scatter_add", op, self, dim, index, &src);
}

/// Reduces `src` into `self` at scattered positions along `dim`: `self[index[i][j]][j]` is combined with `src[i][j]`
/// for `dim` 0, and so on. `reduce` is "sum", "prod", "mean", "amax" or "amin".
///
/// Without `include_self`, the initial values of targets are ignored. `index` (Long or Int) has as many dimensions as
/// `self` and `src`, is not larger than `src`, and not larger than `self` except along `dim`. `src` has the dtype of
/// `self`. An index that is negative or too large is an error.
[[structured::meta("scatter_reduce.two", "scatter_reduce_.two", "scatter_reduce.two_out"), structured::tags("core")]]
IndexedDim scatter_reduce_meta(MetaBase& op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, [[structured::kwonly]] bool include_self = true) {
  STRUCTURED_CHECK(reduce == "sum" || reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
                   "scatter_reduce: expected `reduce` to be \"sum\", \"prod\", \"mean\", \"amax\" or \"amin\", got \"",
                   reduce, "\"");
  return scatter_meta("scatter_reduce", op, self, dim, index, &src);
}

}  // namespace structured::kernels
