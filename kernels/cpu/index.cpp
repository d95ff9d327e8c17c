// Selection and assignment of elements by indices on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/config.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/non_temporal.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/kernel/overlap.h>
#include <structured/memory/scratch.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/mul.h>

#include <optional>
#include <utility>
#include <vector>

#include "cpu/dense_offsets.h"
#include "cpu/indexed_loop.h"
#include "cpu/scatter_reduce.h"
#include "cpu/take.h"
#include "meta/advanced_index.h"
#include "meta/index.h"
#include "shared/dense.h"
#include "shared/index_operands.h"

namespace structured::kernels {
namespace {

// Selects along the last dimension of a matrix of dense rows, or of a tensor that can be viewed as one. Returns false
// if `self` is neither.
bool select_in_rows(const Tensor& self, const Tensor& index, int64_t dim, const Tensor& out) {
  constexpr int64_t kLongRow = 64;  // long enough to justify computing its start
  const int64_t count = index.numel();
  if (dim + 1 != self.dim() || count < kLongRow || out.numel() < 16 * count || !self.is_contiguous() ||
      !out.is_contiguous() || self.scalar_type() != out.scalar_type()) {
    return false;
  }
  const auto size = static_cast<int64_t>(self.element_size());
  const int64_t length = self.size(dim);
  if (!RowPlaces::is_possible(self.element_size(), length * size)) return false;
  const std::vector<int64_t> numbers = to_vector<int64_t>(expand_index(index, {count}, 0));
  ScratchVector<int64_t> offsets(numbers.size());
  if (!find_dense_offsets(numbers.data(), length, 0, size, 0, count, offsets.data())) return false;
  const RowPlaces places(self.element_size(), offsets.data(), count, length * size, out.numel() / count);
  const char* const from = static_cast<const char*>(self.data());
  char* const to = static_cast<char*>(out.data());
  const bool streams = uses_non_temporal_stores(out.nbytes());
  parallel_for(0, out.numel() / count, kGrainSize / count + 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const char* const in = from + row * length * size;
      places.take(to + row * count * size, in, row + 1 < end ? in + length * size : nullptr, streams);
    }
    if (streams) non_temporal_fence();
  });
  return true;
}

// Throws Error for an index out of range. Used where no element is read, so that nothing else detects it.
void check_indices(const Tensor& index, int64_t dim, const Tensor& self) {
  const int64_t size = self.size(dim);
  for (const int64_t number : to_vector<int64_t>(expand_index(index, {index.numel()}, 0))) {
    STRUCTURED_CHECK(number >= 0 && number < size, "expected indices from 0 to ", size - 1, " for dimension ", dim,
                     " of size ", size, ", got ", number);
  }
}

// Returns `number` as an element of `dtype`, so that multiplication by it does not promote.
Scalar as_element(const char* name, const Scalar& number, ScalarType dtype) {
  return visit<kAllTypes>(name, dtype, [&]<class T>() { return Scalar(number.to<T>()); });
}

}  // namespace

[[structured::impl("index.Tensor_out", "CPU")]]
void index_cpu(TensorIteratorBase& op, const Tensor& self, const IndexPlan& plan, const Tensor& out) {
  run_indexed(op, 1, plan.indices, load_loop(self.element_size()), IndexedOrder::any);
}

/// Writes `values` to the elements of `self` selected by `indices`, in place, or adds them if `accumulate`. See `index`
/// for the forms of indices. `values` is broadcast and has the dtype of `self`. If several values have one target, one
/// of them is kept.
[[structured::kernel("index_put_", "CPU", "Meta"), structured::device_check(false)]]
Tensor& index_put_cpu_(Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
                       bool accumulate = false) {
  check_index_put(self, indices, values);
  AdvancedIndex found = advanced_index("index_put_", self, indices);
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).resize_outputs(false);
  config.add_output(std::move(found.places)).add_input(values);
  for (Tensor& index : found.indices) config.add_input(std::move(index));
  const TensorIterator iterator = config.build();
  if (self.is_meta()) return self;
  const IndexedLoop loop = accumulate ? scatter_reduce_loop("index_put_", ScatterReduce::sum, self.scalar_type())
                                      : store_loop(self.element_size());
  run_indexed(iterator, 0, found.dims, loop, found.is_distinct ? IndexedOrder::any : IndexedOrder::in_order);
  return self;
}

[[structured::impl("index_select.out", "CPU")]]
void index_select_cpu(const Tensor& self, const Tensor& index, const IndexedDim& dims, const Tensor& out) {
  if (out.numel() == 0) return check_indices(index, dims.dim, self);
  if (select_in_rows(self, index, dims.dim, out)) return;
  const Tensor result = with_dimension(out);
  load_along(result, with_dimension(self), dims.dim, expand_index(index, result.sizes(), dims.dim));
}

[[structured::impl("index_add.out", "CPU")]]
void index_add_cpu(const Tensor& self, const Tensor& index, const Tensor& source, const Scalar& alpha,
                   const IndexedDim& dims, const Tensor& out) {
  const Scalar factor = as_element("index_add", alpha, out.scalar_type());
  store(out, self);
  const Tensor added = with_dimension(factor == Scalar(1) ? source : structured::mul(source, factor));
  run_along(with_dimension(out), dims.dim, expand_index(index, added.sizes(), dims.dim), added,
            scatter_reduce_loop("index_add", ScatterReduce::sum, out.scalar_type()));
}

[[structured::impl("index_copy.out", "CPU")]]
void index_copy_cpu(const Tensor& self, const Tensor& index, const Tensor& source, const IndexedDim& dims,
                    const Tensor& out) {
  store(out, self);
  const Tensor copied = with_dimension(source);
  run_along(with_dimension(out), dims.dim, expand_index(index, copied.sizes(), dims.dim), copied,
            store_loop(out.element_size()));
}

/// Sets the slices of `self` along `dim` that `index` [n] (Long) selects to the scalar tensor `value`, in place.
/// Negative indices count from the end; an index out of range is an error.
[[structured::kernel("index_fill_.int_Tensor", "CPU", "Meta"), structured::device_check(false)]]
Tensor& index_fill_cpu_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  check_index_fill(self, index, value);
  dim = wrap_dim(dim, self.dim());
  if (self.is_meta()) return self;
  const Tensor element = empty({}, self.options());
  copy_into(element, value);
  const Tensor table = with_dimension(self);
  DimVector sizes(table.sizes());
  sizes[static_cast<size_t>(dim)] = index.numel();
  const Tensor elements = as_strided(element, sizes, DimVector(sizes.size(), 0), 0);
  run_along(table, dim, expand_index(index, sizes, dim), elements, store_loop(self.element_size()), true);
  return self;
}

[[structured::impl("take.out", "CPU")]]
void take_cpu(const Tensor& self, const Tensor& index, const Tensor& out) {
  const Tensor row = as_row(self);
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).resize_outputs(false);
  config.add_output(out)
      .add_input(as_strided(row, index.sizes(), DimVector(index.sizes().size(), 0), row.storage_offset()))
      .add_input(index);
  if (index.numel() == 0) return;
  const auto size = static_cast<int64_t>(self.element_size());
  run_indexed(config.build(), 1, {{0}, {self.numel()}, {size}, true}, load_loop(self.element_size()),
              IndexedOrder::any);
}

/// Writes the elements of `source` to positions `index` (Long) of `self`, seen as flattened in row-major order, in
/// place, or adds them if `accumulate`. `source` has the dtype of `self` and as many elements as `index`. Negative
/// indices count from the end; an index out of range is an error.
[[structured::kernel("put_", "CPU", "Meta")]]
Tensor& put_cpu_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false) {
  check_put(self, index, source);
  if (index.numel() == 0 || self.is_meta()) return self;
  const Tensor row = as_row(self);
  const Tensor elements = as_row(source);
  const Tensor numbers = as_row(index);
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).resize_outputs(false);
  config.add_output(as_strided(row, index.numel(), {0}, row.storage_offset())).add_input(elements).add_input(numbers);
  const IndexedLoop loop = accumulate ? scatter_reduce_loop("put_", ScatterReduce::sum, self.scalar_type())
                                      : store_loop(self.element_size());
  const auto size = static_cast<int64_t>(self.element_size());
  run_indexed(config.build(), 0, {{0}, {self.numel()}, {size}, true}, loop, IndexedOrder::in_order);
  if (!self.is_contiguous()) {
    copy_into(self, as_strided(row, self.sizes(), contiguous_strides(self.sizes()), 0));
  }
  return self;
}

}  // namespace structured::kernels
