// Indexing, gather and scatter on CUDA. An index out of range is an error of the next synchronisation.
#include <structured/base/error.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/config.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/div.h>
#include <structured/ops/fill.h>
#include <structured/ops/mul.h>

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "cuda/indexed.h"
#include "cuda/walk.h"
#include "meta/advanced_index.h"
#include "meta/index.h"
#include "shared/dense.h"
#include "shared/index_operands.h"

namespace structured::kernels {
namespace {

// run_indexed for an iterator with elements, a table, and one Long index for each of `dims` (operands 2 and later).
// Operand number `table` (0 or 1) is the table.
void run_indexed(const char* name, const TensorIteratorBase& iterator, std::size_t table, const IndexedDims& dims,
                 Indexed how) {
  if (iterator.numel() == 0) return;
  IndexedOperands operands;
  operands.indices = dims.sizes.size();
  STRUCTURED_CHECK(operands.indices <= IndexedOperands::kMaxIndices, name, ": expected at most ",
                   IndexedOperands::kMaxIndices, " indices on CUDA, got ", operands.indices);
  for (std::size_t d = iterator.ndim(); d-- > 0;) {
    operands.sizes.push_back(iterator.shape()[d]);
    operands.element_steps.push_back(iterator.stride(1 - table, d));
    operands.table_steps.push_back(iterator.stride(table, d));
    for (std::size_t k = 0; k < operands.indices; ++k) {
      operands.index_steps[k].push_back(iterator.stride(k + 2, d));
    }
  }
  operands.elements = iterator.data()[1 - table];
  operands.table = iterator.data()[table];
  for (std::size_t k = 0; k < operands.indices; ++k) operands.index[k] = iterator.data()[k + 2];
  run_indexed(name, operands, dims, how, iterator.tensor(table).scalar_type());
}

// Pairs `elements[i, j]` with `table[index[i, j], j]` if `dim` is 0, and accordingly for other dimensions and ranks.
// `index` is Long and defines the shape; `elements` may be larger.
void run_along(const char* name, const Tensor& table, int64_t dim, const Tensor& index, const Tensor& elements,
               Indexed how, bool wraps = false) {
  if (index.numel() == 0) return;
  IndexedOperands operands;
  operands.indices = 1;
  for (int64_t d = 0; d < index.dim(); ++d) {
    operands.sizes.push_back(index.size(d));
    operands.element_steps.push_back(byte_stride(elements, d));
    operands.table_steps.push_back(d == dim ? 0 : byte_stride(table, d));
    operands.index_steps[0].push_back(byte_stride(index, d));
  }
  operands.elements = static_cast<char*>(elements.data());
  operands.table = static_cast<char*>(table.data());
  operands.index[0] = static_cast<const char*>(index.data());
  run_indexed(name, operands, {{dim}, {table.size(dim)}, {byte_stride(table, dim)}, wraps}, how, table.scalar_type());
}

// Returns `value` in the dtype of `like`, expanded to `sizes`.
Tensor repeated(const Scalar& value, const Tensor& like, IntArrayRef sizes) {
  Tensor element = empty({}, like.options());
  structured::fill_(element, value);
  return as_strided(element, sizes, DimVector(sizes.size(), 0), 0);
}

Indexed combination_named(std::string_view reduce) {
  if (reduce == "prod" || reduce == "multiply") return Indexed::product;
  if (reduce == "amax") return Indexed::maximum;
  return reduce == "amin" ? Indexed::minimum : Indexed::sum;
}

void scatter(const char* name, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Indexed how,
             const Tensor& out) {
  store(out, self);
  if (index.numel() == 0) return;
  run_along(name, with_dimension(out), dim, with_dimension(dense(index, kLong)), with_dimension(src), how);
}

// Returns the neutral element of a reduction.
Scalar neutral_element(Indexed how, ScalarType dtype) {
  if (how == Indexed::sum) return 0;
  if (how == Indexed::product) return 1;
  return visit < kRealTypes | kBool > ("reduce", dtype, [&]<class T>() -> Scalar {
                                using Limits = std::numeric_limits<T>;
                                const bool is_maximum = how == Indexed::maximum;
                                if constexpr (Limits::has_infinity) {
                                  return static_cast<double>(is_maximum ? -Limits::infinity() : Limits::infinity());
                                } else {
                                  return is_maximum ? Limits::lowest() : Limits::max();
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
  const Indexed how = combination_named(reduce);
  if (!include_self) {
    const Tensor neutral = repeated(neutral_element(how, out.scalar_type()), out, index.sizes());
    run_along(name, out, dim, index, neutral, Indexed::store);
  }
  run_along(name, out, dim, index, src, how);
  if (!is_mean) return;
  Tensor counts = empty(out.sizes(), out.options());
  structured::fill_(counts, 1);
  if (!include_self) run_along(name, counts, dim, index, repeated(0, out, index.sizes()), Indexed::store);
  run_along(name, counts, dim, index, repeated(1, out, index.sizes()), Indexed::sum);
  Tensor result = out;
  if (is_integral(out.scalar_type(), false)) {
    structured::div_out(result, out, counts, "floor");
  } else {
    structured::div_out(result, out, counts);
  }
}

}  // namespace

[[structured::impl("index.Tensor_out", "CUDA")]]
void index_cuda(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, const IndexPlan& plan,
                [[maybe_unused]] const Tensor& out) {
  run_indexed("index", op, 1, plan.indices, Indexed::load);
}

[[structured::kernel("index_put_", "CUDA")]]
Tensor& index_put_cuda_(Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values, bool accumulate) {
  check_index_put(self, indices, values);
  const DeviceGuard guard(self.device());
  AdvancedIndex found = advanced_index("index_put_", self, indices);
  Tensor added = values;
  if (values.device() != self.device()) {  // a number on the CPU
    added = empty(values.sizes(), values.options().device(self.device()));
    copy_into(added, values);
  }
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).resize_outputs(false);
  config.add_output(std::move(found.places)).add_input(added);
  for (Tensor& index : found.indices) config.add_input(std::move(index));
  run_indexed("index_put_", TensorIterator(config), 0, found.dims, accumulate ? Indexed::sum : Indexed::store);
  return self;
}

[[structured::impl("index_select.out", "CUDA")]]
void index_select_cuda(const Tensor& self, const Tensor& index, const IndexedDim& dims, const Tensor& out) {
  const Tensor result = with_dimension(out);
  const Tensor numbers = expand_index(index, result.sizes(), dims.dim);
  run_along("index_select", with_dimension(self), dims.dim, numbers, result, Indexed::load);
}

[[structured::impl("index_add.out", "CUDA")]]
void index_add_cuda(const Tensor& self, const Tensor& index, const Tensor& source, const Scalar& alpha,
                    const IndexedDim& dims, const Tensor& out) {
  store(out, self);
  // The factor is an element of the dtype, so that multiplication by it does not promote.
  const Scalar factor =
      visit<kAllTypes>("index_add", out.scalar_type(), [&]<class T>() { return Scalar(alpha.to<T>()); });
  const Tensor added = with_dimension(factor == Scalar(1) ? source : structured::mul(source, factor));
  run_along("index_add", with_dimension(out), dims.dim, expand_index(index, added.sizes(), dims.dim), added,
            Indexed::sum);
}

[[structured::impl("index_copy.out", "CUDA")]]
void index_copy_cuda(const Tensor& self, const Tensor& index, const Tensor& source, const IndexedDim& dims,
                     const Tensor& out) {
  store(out, self);
  const Tensor copied = with_dimension(source);
  run_along("index_copy", with_dimension(out), dims.dim, expand_index(index, copied.sizes(), dims.dim), copied,
            Indexed::store);
}

[[structured::kernel("index_fill_.int_Tensor", "CUDA")]]
Tensor& index_fill_cuda_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  check_index_fill(self, index, value);
  dim = wrap_dim(dim, self.dim());
  const DeviceGuard guard(self.device());
  const Tensor element = empty({}, self.options());
  copy_into(element, value);
  const Tensor table = with_dimension(self);
  DimVector sizes(table.sizes());
  sizes[static_cast<std::size_t>(dim)] = index.numel();
  const Tensor elements = as_strided(element, sizes, DimVector(sizes.size(), 0), 0);
  run_along("index_fill_", table, dim, expand_index(index, sizes, dim), elements, Indexed::store, true);
  return self;
}

[[structured::impl("take.out", "CUDA")]]
void take_cuda(const Tensor& self, const Tensor& index, const Tensor& out) {
  const Tensor row = as_row(self);
  const Tensor numbers = as_row(index);
  const Tensor result = writable(out, out.scalar_type());
  run_along("take", row, 0, numbers, as_strided(result, {out.numel()}, {1}, result.storage_offset()), Indexed::load,
            true);
  store(out, result);
}

[[structured::kernel("put_", "CUDA")]]
Tensor& put_cuda_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_put(self, index, source);
  const DeviceGuard guard(self.device());
  const Tensor row = as_row(self);
  run_along("put_", row, 0, as_row(index), as_row(source), accumulate ? Indexed::sum : Indexed::store, true);
  if (!self.is_contiguous()) {
    copy_into(self, as_strided(row, self.sizes(), contiguous_strides(self.sizes()), row.storage_offset()));
  }
  return self;
}

[[structured::impl("gather.out", "CUDA")]]
void gather_cuda(const Tensor& self, const Tensor& index, [[maybe_unused]] bool sparse_grad, const IndexedDim& dims,
                 const Tensor& out) {
  run_along("gather", with_dimension(self), dims.dim, with_dimension(dense(index, kLong)), with_dimension(out),
            Indexed::load);
}

[[structured::impl("scatter.src_out", "CUDA")]]
void scatter_src_cuda(const Tensor& self, const Tensor& index, const Tensor& src, const IndexedDim& dims,
                      const Tensor& out) {
  scatter("scatter", self, dims.dim, index, src, Indexed::store, out);
}

[[structured::impl("scatter.value_out", "CUDA")]]
void scatter_value_cuda(const Tensor& self, const Tensor& index, const Scalar& value, const IndexedDim& dims,
                        const Tensor& out) {
  scatter("scatter", self, dims.dim, index, repeated(value, self, index.sizes()), Indexed::store, out);
}

[[structured::impl("scatter.reduce_out", "CUDA")]]
void scatter_combine_cuda(const Tensor& self, const Tensor& index, const Tensor& src, std::string_view reduce,
                          const IndexedDim& dims, const Tensor& out) {
  scatter("scatter", self, dims.dim, index, src, combination_named(reduce), out);
}

[[structured::impl("scatter.value_reduce_out", "CUDA")]]
void scatter_combine_value_cuda(const Tensor& self, const Tensor& index, const Scalar& value, std::string_view reduce,
                                const IndexedDim& dims, const Tensor& out) {
  scatter("scatter", self, dims.dim, index, repeated(value, self, index.sizes()), combination_named(reduce), out);
}

[[structured::impl("scatter_add.out", "CUDA")]]
void scatter_add_cuda(const Tensor& self, const Tensor& index, const Tensor& src, const IndexedDim& dims,
                      const Tensor& out) {
  scatter("scatter_add", self, dims.dim, index, src, Indexed::sum, out);
}

[[structured::impl("scatter_reduce.two_out", "CUDA")]]
void scatter_reduce_cuda(const Tensor& self, const Tensor& index, const Tensor& src, std::string_view reduce,
                         bool include_self, const IndexedDim& dims, const Tensor& out) {
  store(out, self);
  if (index.numel() == 0) return;
  reduce_along("scatter_reduce", with_dimension(out), dims.dim, with_dimension(dense(index, kLong)),
               with_dimension(src), reduce, include_self);
}

[[structured::impl("index_reduce.out", "CUDA")]]
void index_reduce_cuda(const Tensor& self, const Tensor& index, const Tensor& source, std::string_view reduce,
                       bool include_self, const IndexedDim& dims, const Tensor& out) {
  store(out, self);
  const Tensor reduced = with_dimension(source);
  reduce_along("index_reduce", with_dimension(out), dims.dim, expand_index(index, reduced.sizes(), dims.dim), reduced,
               reduce, include_self);
}

}  // namespace structured::kernels
