// Embedding bags, gradients of embeddings and renormalisation of their rows, on CUDA.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/add.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/fill.h>
#include <structured/ops/gt.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_copy.h>
#include <structured/ops/index_select.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/where.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>
#include <optional>
#include <tuple>

#include "cuda/element_loop.cuh"
#include "math/accumulate_type.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

enum BagMode : int64_t { kSum, kMean, kMax };

/// Indices of bags. Bag b has the indices from its offset up to the next one.
struct Bags {
  const int64_t* indices;
  const int64_t* offsets;
  int64_t index_count;
  int64_t offset_count;
  int64_t rows;
  int64_t padding;
  __device__ int64_t begin(int64_t bag) const { return offsets[bag]; }
  __device__ int64_t end(int64_t bag) const { return bag + 1 < offset_count ? offsets[bag + 1] : index_count; }
};

/// Checks indices and offsets, and finds the bag of each index and the sizes of bags. Positions outside of bags keep
/// their values.
struct MarkBags {
  Bags bags;
  int64_t* bag_of;
  int64_t* sizes;
  cuda::FaultReporter reporter;
  const char* text;
  __device__ void operator()(int64_t bag) const {
    const int64_t begin = bags.begin(bag);
    const int64_t end = bags.end(bag);
    if ((bag == 0 && begin != 0) || begin > end || end > bags.index_count) {
      reporter.report(text);
      return;
    }
    int64_t size = 0;
    for (int64_t i = begin; i < end; ++i) {
      bag_of[i] = bag;
      size += bags.indices[i] != bags.padding;
    }
    sizes[bag] = size;
  }
};

template <class T>
struct CombineBags {
  using C = AccumulateType<T>;
  Bags bags;
  const T* table;
  const T* weights;  ///< may be null
  const int64_t* sizes;
  T* out;
  int64_t* places;  ///< indices of maxima
  int64_t width;
  int64_t mode;
  cuda::FaultReporter reporter;
  __device__ void operator()(int64_t i) const {
    const int64_t bag = i / width;
    const int64_t column = i % width;
    const int64_t begin = bags.begin(bag);
    const int64_t end = bags.end(bag);
    C sum(0);
    int64_t place = 0;
    bool is_first = true;
    for (int64_t k = begin < 0 ? 0 : begin; k < end && k < bags.index_count; ++k) {
      const int64_t index = bags.indices[k];
      if (index < 0 || index >= bags.rows) {
        reporter.index_out_of_range(index, 0, bags.rows, 0);
        return;
      }
      if (index == bags.padding) continue;
      C value = cuda::detail::converted<C>(table[index * width + column]);
      if (mode == kMax) {
        if (is_first || value > sum) {
          sum = value;
          place = index;
        }
      } else {
        if (weights != nullptr) value *= cuda::detail::converted<C>(weights[k]);
        sum += value;
      }
      is_first = false;
    }
    if (mode == kMean && sizes[bag] != 0) sum /= static_cast<C>(sizes[bag]);
    out[i] = cuda::detail::converted<T>(sum);
    if (mode == kMax) places[i] = place;
  }
};

void check_index_list(const char* name, const char* argument, const Tensor& list) {
  STRUCTURED_CHECK(list.dim() == 1, name, ": expected `", argument, "` to have 1 dimension, got ", list.dim());
  STRUCTURED_CHECK(list.scalar_type() == kLong || list.scalar_type() == kInt, name, ": expected `", argument,
                   "` of dtype Long or Int, got ", list.scalar_type());
}

Tensor filled(IntArrayRef sizes, int64_t value, const Tensor& like) {
  Tensor result = empty(sizes, like.options().dtype(kLong));
  structured::fill_(result, value);
  return result;
}

Tensor in_dtype_of(const Tensor& numbers, const Tensor& like) { return dense(numbers, like.scalar_type()); }

std::tuple<Tensor, Tensor, Tensor, Tensor> combine_bags(const Tensor& weight, const Tensor& indices,
                                                        const Tensor& offsets, int64_t mode,
                                                        const std::optional<Tensor>& per_sample_weights,
                                                        bool include_last_offset, int64_t padding_idx,
                                                        bool for_backward) {
  constexpr const char* name = "_embedding_bag";
  static constexpr char kText[] = "expected `offsets` in ascending order, from 0 to the number of indices";
  STRUCTURED_CHECK(weight.dim() == 2, name, ": expected `weight` to be a matrix, got sizes ", weight.sizes());
  STRUCTURED_CHECK(kAllFloatingTypes.contains(weight.scalar_type()), name, ": expected `weight` of dtype ",
                   kAllFloatingTypes, ", got ", weight.scalar_type());
  check_index_list(name, "indices", indices);
  check_index_list(name, "offsets", offsets);
  STRUCTURED_CHECK(mode == kSum || mode == kMean || mode == kMax, name, ": expected `mode` from 0 to 2, got ", mode);
  const bool is_weighted = per_sample_weights && per_sample_weights->defined();
  STRUCTURED_CHECK(!is_weighted || mode == kSum, name,
                   ": expected `mode` 0, sums, together with `per_sample_weights`, got ", mode);
  STRUCTURED_CHECK(!is_weighted || (per_sample_weights->dim() == 1 && per_sample_weights->numel() == indices.numel() &&
                                    per_sample_weights->scalar_type() == weight.scalar_type()),
                   name, ": expected `per_sample_weights` with the sizes of `indices` and the dtype of `weight`");
  STRUCTURED_CHECK(!include_last_offset || offsets.numel() != 0, name,
                   ": expected `offsets` to have an element, the end of the last bag, got none");
  const DeviceGuard guard(weight.device());
  const bool tells_bags = mode != kSum || padding_idx >= 0 || weight.scalar_type() == kDouble;
  const int64_t count = offsets.numel() - (include_last_offset ? 1 : 0);
  const int64_t width = weight.size(1);
  const Tensor numbers = dense(indices, kLong);
  const Tensor starts = dense(offsets, kLong);
  const Bags bags{numbers.data_ptr<int64_t>(),
                  starts.data_ptr<int64_t>(),
                  indices.numel(),
                  offsets.numel(),
                  weight.size(0),
                  padding_idx};
  const Tensor bag_of = filled({indices.numel()}, count, indices);  // `count` for indices after the last bag
  const Tensor sizes = filled({count}, 0, offsets);
  for_each_element(
      count, MarkBags{bags, bag_of.data_ptr<int64_t>(), sizes.data_ptr<int64_t>(), cuda::fault_reporter(name), kText});
  const Tensor out = empty({count, width}, weight.options());
  const Tensor places = filled({mode == kMax ? count : 0, width}, 0, offsets);
  visit<kAllFloatingTypes>(name, weight.scalar_type(), [&]<class T>() {
    const Tensor table = dense(weight, weight.scalar_type());
    const Tensor weights = is_weighted ? dense(*per_sample_weights, weight.scalar_type()) : Tensor();
    for_each_element(out.numel(),
                     CombineBags<T>{bags, table.data_ptr<T>(), is_weighted ? weights.data_ptr<T>() : nullptr,
                                    sizes.data_ptr<int64_t>(), out.data_ptr<T>(), places.data_ptr<int64_t>(), width,
                                    mode, cuda::fault_reporter(name)});
  });
  const Tensor told_sizes = mode == kSum ? filled({for_backward ? count : offsets.numel()}, 0, offsets) : sizes;
  return {out, tells_bags ? in_dtype_of(bag_of, indices) : empty({0}, indices.options()),
          in_dtype_of(told_sizes, offsets), in_dtype_of(mode == kMax ? places : told_sizes, offsets)};
}

}  // namespace

[[structured::kernel("_embedding_bag", "CUDA")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_cuda(const Tensor& weight, const Tensor& indices,
                                                              const Tensor& offsets,
                                                              [[maybe_unused]] bool scale_grad_by_freq, int64_t mode,
                                                              [[maybe_unused]] bool sparse,
                                                              const std::optional<Tensor>& per_sample_weights,
                                                              bool include_last_offset, int64_t padding_idx) {
  return combine_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, true);
}

[[structured::kernel("_embedding_bag_forward_only", "CUDA")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_forward_only_cuda(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, [[maybe_unused]] bool scale_grad_by_freq,
    int64_t mode, [[maybe_unused]] bool sparse, const std::optional<Tensor>& per_sample_weights,
    bool include_last_offset, int64_t padding_idx) {
  return combine_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, false);
}

[[structured::impl("embedding_dense_backward.out", "CUDA")]]
void embedding_dense_backward_cuda(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                   int64_t padding_idx, bool scale_grad_by_freq, const Tensor& out) {
  const ScalarType dtype = grad_output.scalar_type() == kDouble ? kDouble : kFloat;
  const int64_t count = indices.numel();
  const int64_t width = grad_output.size(-1);
  const auto shaped = [](const Tensor& tensor, IntArrayRef sizes) {
    return as_strided(tensor, sizes, contiguous_strides(sizes), tensor.storage_offset());
  };
  const Tensor index = shaped(dense(indices, kLong), {count});
  Tensor rows = shaped(dense(grad_output, dtype), {count, width});
  Tensor sums = empty({num_weights, width}, rows.options());
  structured::fill_(sums, 0);
  if (scale_grad_by_freq) {
    Tensor times = empty({num_weights}, rows.options());
    structured::fill_(times, 0);
    Tensor ones = empty({count}, rows.options());
    structured::fill_(ones, 1);
    structured::index_add_(times, 0, index, ones);
    rows = structured::div(rows, shaped(structured::index_select(times, 0, index), {count, 1}));
  }
  if (padding_idx >= 0) {
    rows = structured::masked_fill(rows, shaped(structured::eq(index, padding_idx), {count, 1}), 0);
  }
  structured::index_add_(sums, 0, index, rows);
  copy_into(out, sums);
}

[[structured::kernel("embedding_renorm_", "CUDA")]]
Tensor& embedding_renorm_cuda_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  constexpr const char* name = "embedding_renorm_";
  STRUCTURED_CHECK(self.dim() == 2, name, ": expected `self` to be a matrix, got sizes ", self.sizes());
  STRUCTURED_CHECK(kAllFloatingTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kAllFloatingTypes, ", got ", self.scalar_type());
  STRUCTURED_CHECK(indices.scalar_type() == kLong || indices.scalar_type() == kInt, name,
                   ": expected `indices` of dtype Long or Int, got ", indices.scalar_type());
  STRUCTURED_CHECK(norm_type > 0, name, ": expected a positive `norm_type`, got ", norm_type);
  assert_no_internal_overlap(self);
  if (indices.numel() == 0) return self;
  const Tensor given = dense(indices, kLong);
  const Tensor index = as_strided(given, {indices.numel()}, {1}, given.storage_offset());
  const ScalarType dtype = self.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor rows = dense(structured::index_select(self, 0, index), dtype);
  const Tensor norms = structured::linalg_vector_norm(rows, norm_type, 1, true);
  const Tensor shrunk = structured::mul(structured::reciprocal(structured::add(norms, 1e-7)), max_norm);
  const Tensor scaled = structured::where(structured::gt(norms, max_norm), structured::mul(rows, shrunk), rows);
  structured::index_copy_(self, 0, index, dense(scaled, self.scalar_type()));
  return self;
}

}  // namespace structured::kernels
