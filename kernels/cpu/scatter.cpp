// gather and scatter on CPU.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>
#include <structured/ops/div.h>

#include <limits>
#include <string_view>

#include "cpu/indexed_loop.h"
#include "cpu/scatter_reduce.h"
#include "meta/index.h"
#include "shared/dense.h"
#include "shared/index_operands.h"

namespace structured::kernels {
namespace {

// Returns `value` in the dtype of `like`, expanded to the sizes of `index`.
Tensor repeated(const Scalar& value, const Tensor& like, const Tensor& index) {
  const Tensor element = scalar_tensor(value, like.options());
  return as_strided(element, index.sizes(), DimVector(index.sizes().size(), 0), 0);
}

void scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, IndexedLoop loop,
             const Tensor& out) {
  store(out, self);
  if (index.numel() == 0) return;
  run_along(with_dimension(out), dim, with_dimension(dense(index, kLong)), with_dimension(src), loop);
}

void scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, IndexedLoop loop,
             const Tensor& out) {
  scatter(self, dim, index, repeated(value, self, index), loop, out);
}

IndexedLoop combination_named(std::string_view reduce, ScalarType dtype) {
  return scatter_reduce_loop("scatter", reduce == "add" ? ScatterReduce::sum : ScatterReduce::product, dtype);
}

// Returns the neutral element of a reduction.
Scalar neutral_element(ScatterReduce combination, ScalarType dtype) {
  if (combination == ScatterReduce::sum) return 0;
  if (combination == ScatterReduce::product) return 1;
  return visit < kRealTypes | kBool > ("reduce", dtype, [&]<class T>() -> Scalar {
                                using Limits = std::numeric_limits<T>;
                                if constexpr (Limits::has_infinity) {
                                  return static_cast<double>(
                                      combination == ScatterReduce::maximum ? -Limits::infinity() : Limits::infinity());
                                } else {
                                  return combination == ScatterReduce::maximum ? Limits::lowest() : Limits::max();
                                }
                              });
}

// Reduces the elements of `src` into the elements of `out` that `index` selects. `out` holds the initial values.
void reduce_along(const char* name, const Tensor& out, int64_t dim, const Tensor& index, const Tensor& src,
                  std::string_view reduce, bool include_self) {
  if (index.numel() == 0) return;
  const bool is_mean = reduce == "mean";
  STRUCTURED_CHECK(!is_mean || out.scalar_type() != kBool, name,
                   ": expected `self` of a numeric dtype for the mean, got Bool");
  const ScatterReduce combination = reduce == "prod"   ? ScatterReduce::product
                                    : reduce == "amax" ? ScatterReduce::maximum
                                    : reduce == "amin" ? ScatterReduce::minimum
                                                       : ScatterReduce::sum;
  const IndexedLoop combine = scatter_reduce_loop(name, combination, out.scalar_type());
  if (!include_self) {
    run_along(out, dim, index, repeated(neutral_element(combination, out.scalar_type()), out, index),
              store_loop(out.element_size()));
  }
  run_along(out, dim, index, src, combine);
  if (!is_mean) return;
  const Tensor counts = empty(out.sizes(), out.options());
  copy_into(counts, as_strided(scalar_tensor(1, out.options()), out.sizes(), DimVector(out.sizes().size(), 0), 0));
  if (!include_self) run_along(counts, dim, index, repeated(0, out, index), store_loop(out.element_size()));
  run_along(counts, dim, index, repeated(1, out, index), combine);
  Tensor result = out;
  if (is_integral(out.scalar_type(), false)) {
    structured::div_out(result, out, counts, "floor");
  } else {
    structured::div_out(result, out, counts);
  }
}

}  // namespace

[[structured::impl("gather.out", "CPU")]]
void gather_cpu(const Tensor& self, const Tensor& index, [[maybe_unused]] bool sparse_grad, const IndexedDim& dims,
                const Tensor& out) {
  if (index.numel() == 0) return;
  load_along(with_dimension(out), with_dimension(self), dims.dim, with_dimension(dense(index, kLong)));
}

[[structured::impl("scatter.src_out", "CPU")]]
void scatter_src_cpu(const Tensor& self, const Tensor& index, const Tensor& src, const IndexedDim& dims,
                     const Tensor& out) {
  scatter(self, dims.dim, index, src, store_loop(out.element_size()), out);
}

[[structured::impl("scatter.value_out", "CPU")]]
void scatter_value_cpu(const Tensor& self, const Tensor& index, const Scalar& value, const IndexedDim& dims,
                       const Tensor& out) {
  scatter(self, dims.dim, index, value, store_loop(out.element_size()), out);
}

[[structured::impl("scatter.reduce_out", "CPU")]]
void scatter_combine_cpu(const Tensor& self, const Tensor& index, const Tensor& src, std::string_view reduce,
                         const IndexedDim& dims, const Tensor& out) {
  scatter(self, dims.dim, index, src, combination_named(reduce, out.scalar_type()), out);
}

[[structured::impl("scatter.value_reduce_out", "CPU")]]
void scatter_combine_value_cpu(const Tensor& self, const Tensor& index, const Scalar& value, std::string_view reduce,
                               const IndexedDim& dims, const Tensor& out) {
  scatter(self, dims.dim, index, value, combination_named(reduce, out.scalar_type()), out);
}

[[structured::impl("scatter_add.out", "CPU")]]
void scatter_add_cpu(const Tensor& self, const Tensor& index, const Tensor& src, const IndexedDim& dims,
                     const Tensor& out) {
  scatter(self, dims.dim, index, src, scatter_reduce_loop("scatter_add", ScatterReduce::sum, out.scalar_type()), out);
}

[[structured::impl("scatter_reduce.two_out", "CPU")]]
void scatter_reduce_cpu(const Tensor& self, const Tensor& index, const Tensor& src, std::string_view reduce,
                        bool include_self, const IndexedDim& dims, const Tensor& out) {
  store(out, self);
  if (index.numel() == 0) return;
  reduce_along("scatter_reduce", with_dimension(out), dims.dim, with_dimension(dense(index, kLong)),
               with_dimension(src), reduce, include_self);
}

[[structured::impl("index_reduce.out", "CPU")]]
void index_reduce_cpu(const Tensor& self, const Tensor& index, const Tensor& source, std::string_view reduce,
                      bool include_self, const IndexedDim& dims, const Tensor& out) {
  store(out, self);
  const Tensor reduced = with_dimension(source);
  reduce_along("index_reduce", with_dimension(out), dims.dim, expand_index(index, reduced.sizes(), dims.dim), reduced,
               reduce, include_self);
}

}  // namespace structured::kernels
