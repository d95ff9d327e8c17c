// Sums, means and maxima of embedding rows, and the gradient of embedding, on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

enum BagMode : int64_t { kSum, kMean, kMax };

void check_index_list(const char* name, const char* argument, const Tensor& list) {
  STRUCTURED_CHECK(list.dim() == 1, name, ": expected `", argument, "` to have 1 dimension, got ", list.dim());
  STRUCTURED_CHECK(list.scalar_type() == kLong || list.scalar_type() == kInt, name, ": expected `", argument,
                   "` of dtype Long or Int, got ", list.scalar_type());
}

ScratchVector<int64_t> numbers(const Tensor& list) {
  const Tensor values = dense(list, kLong);
  const int64_t* const first = values.data_ptr<int64_t>();
  return ScratchVector<int64_t>(first, first + values.numel());
}

void check_indices(const char* name, const ScratchVector<int64_t>& indices, int64_t rows) {
  for (const int64_t index : indices) {
    STRUCTURED_CHECK(0 <= index && index < rows, name, ": expected indices from 0 to ", rows - 1, ", got ", index);
  }
}

// Returns the position of the first index of each bag, followed by the end of the last bag.
ScratchVector<int64_t> bag_ends(const char* name, const Tensor& offsets, bool include_last_offset, int64_t count) {
  ScratchVector<int64_t> result = numbers(offsets);
  STRUCTURED_CHECK(result.empty() || result.front() == 0, name, ": expected the first of `offsets` to be 0, got ",
                   result.empty() ? 0 : result.front());
  STRUCTURED_CHECK(result.empty() || result.back() <= count, name, ": expected `offsets` of at most ", count,
                   ", as there are indices, got ", result.empty() ? 0 : result.back());
  STRUCTURED_CHECK(std::is_sorted(result.begin(), result.end()), name, ": expected `offsets` in ascending order");
  if (!include_last_offset) result.push_back(count);
  return result;
}

struct Bags {
  ScratchVector<int64_t> indices;
  ScratchVector<int64_t> ends;  // start of each bag and end of the last one
  ScratchVector<int64_t> sizes;
  int64_t padding;

  int64_t count() const { return static_cast<int64_t>(sizes.size()); }
};

// Combines the rows of each bag. `weights` may be null; `places` receives the index of each maximum.
template <class T>
void combine(const Bags& bags, BagMode mode, const T* table, int64_t width, const T* weights, T* out, int64_t* places) {
  const int64_t work = width * (1 + static_cast<int64_t>(bags.indices.size()) / std::max<int64_t>(1, bags.count()));
  parallel_for(0, bags.count(), std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, work)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t bag = begin; bag < end; ++bag) {
                   T* const result = out + bag * width;
                   std::fill_n(result, width, T(0));
                   bool is_first = true;
                   const auto at = static_cast<size_t>(bag);
                   for (int64_t i = bags.ends[at]; i < bags.ends[at + 1]; ++i) {
                     const int64_t index = bags.indices[static_cast<size_t>(i)];
                     if (index == bags.padding) continue;
                     const T* const row = table + index * width;
                     if (mode == kMax) {
                       for (int64_t k = 0; k < width; ++k) {
                         if (!is_first && !(row[k] > result[k])) continue;
                         result[k] = row[k];
                         places[bag * width + k] = index;
                       }
                     } else if (weights != nullptr) {
                       for (int64_t k = 0; k < width; ++k) result[k] += row[k] * weights[i];
                     } else {
                       for (int64_t k = 0; k < width; ++k) result[k] += row[k];
                     }
                     is_first = false;
                   }
                   if (mode != kMean || bags.sizes[at] == 0) continue;
                   for (int64_t k = 0; k < width; ++k) result[k] /= static_cast<T>(bags.sizes[at]);
                 }
               });
}

Tensor list_of(const ScratchVector<int64_t>& values, const Tensor& like) {
  const Tensor result = empty({static_cast<int64_t>(values.size())}, like.options());
  copy_into(result, tensor<int64_t>(ArrayRef<int64_t>(values.data(), values.size())));
  return result;
}

void check_bag_arguments(const char* name, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                         int64_t mode, const std::optional<Tensor>& per_sample_weights) {
  STRUCTURED_CHECK(weight.dim() == 2, name, ": expected `weight` to be a matrix, got sizes ", weight.sizes());
  STRUCTURED_CHECK(kAllFloatingTypes.contains(weight.scalar_type()), name, ": expected `weight` of dtype ",
                   kAllFloatingTypes, ", got ", weight.scalar_type());
  check_index_list(name, "indices", indices);
  check_index_list(name, "offsets", offsets);
  STRUCTURED_CHECK(mode == kSum || mode == kMean || mode == kMax, name, ": expected `mode` from 0 to 2, got ", mode);
  if (!per_sample_weights || !per_sample_weights->defined()) return;
  STRUCTURED_CHECK(mode == kSum, name, ": expected `mode` 0, sums, together with `per_sample_weights`, got ", mode);
  STRUCTURED_CHECK(per_sample_weights->dim() == 1 && per_sample_weights->numel() == indices.numel(), name,
                   ": expected `per_sample_weights` to have the sizes of `indices`, ", indices.sizes(), ", got ",
                   per_sample_weights->sizes());
  STRUCTURED_CHECK(per_sample_weights->scalar_type() == weight.scalar_type(), name,
                   ": expected `per_sample_weights` of dtype ", weight.scalar_type(), ", as `weight` has, got ",
                   per_sample_weights->scalar_type());
}

std::tuple<Tensor, Tensor, Tensor, Tensor> combine_bags(const Tensor& weight, const Tensor& indices,
                                                        const Tensor& offsets, int64_t mode,
                                                        const std::optional<Tensor>& per_sample_weights,
                                                        bool include_last_offset, int64_t padding_idx,
                                                        bool for_backward) {
  constexpr const char* name = "_embedding_bag";
  check_bag_arguments(name, weight, indices, offsets, mode, per_sample_weights);
  const bool tells_bags = mode != kSum || padding_idx >= 0 || weight.scalar_type() == kDouble;
  STRUCTURED_CHECK(!include_last_offset || offsets.numel() != 0, name,
                   ": expected `offsets` to have an element, the end of the last bag, got none");
  const int64_t count = offsets.numel() - (include_last_offset ? 1 : 0);
  const int64_t width = weight.size(1);
  const Tensor out = empty({count, width}, weight.options());
  const int64_t unused_sizes = for_backward ? count : offsets.numel();
  if (weight.is_meta()) {
    const Tensor sizes = empty({mode == kSum ? unused_sizes : count}, offsets.options());
    return {out, empty({tells_bags ? indices.numel() : 0}, indices.options()), sizes,
            mode == kMax ? empty({count, width}, offsets.options()) : empty(sizes.sizes(), offsets.options())};
  }
  Bags bags{numbers(indices), bag_ends(name, offsets, include_last_offset, indices.numel()), {}, padding_idx};
  check_indices(name, bags.indices, weight.size(0));
  ScratchVector<int64_t> bag_of(bags.indices.size(), count);  // `count` for indices after the last bag
  for (size_t bag = 0; bag + 1 < bags.ends.size(); ++bag) {
    int64_t size = 0;
    for (int64_t i = bags.ends[bag]; i < bags.ends[bag + 1]; ++i) {
      bag_of[static_cast<size_t>(i)] = static_cast<int64_t>(bag);
      size += bags.indices[static_cast<size_t>(i)] != padding_idx;
    }
    bags.sizes.push_back(size);
  }
  ScratchVector<int64_t> places(mode == kMax ? static_cast<size_t>(count * width) : 0, 0);
  const ScalarType dtype = weight.scalar_type() == kDouble ? kDouble : kFloat;
  visit<kFloatingTypes>(name, dtype, [&]<class T>() {
    const Tensor table = dense(weight, dtype);
    const Tensor result = writable(out, dtype);
    Tensor weights;
    if (per_sample_weights && per_sample_weights->defined()) weights = dense(*per_sample_weights, dtype);
    combine<T>(bags, static_cast<BagMode>(mode), table.data_ptr<T>(), width,
               weights.defined() ? weights.data_ptr<T>() : nullptr, result.data_ptr<T>(), places.data());
    store(out, result);
  });
  if (!tells_bags) bag_of.clear();
  if (mode == kSum) bags.sizes.assign(static_cast<size_t>(unused_sizes), 0);
  Tensor maxima = list_of(mode == kMax ? places : bags.sizes, offsets);
  if (mode == kMax) maxima = as_strided(maxima, {count, width}, {width, 1}, 0);
  return {out, list_of(bag_of, indices), list_of(bags.sizes, offsets), maxima};
}

}  // namespace

/// Sums, means or maxima of bags of rows of `weight` [N, M] selected by `indices` (Long or Int): [B, M]. Bag b consists
/// of the indices from `offsets[b]` up to the next offset; with `include_last_offset`, the last offset is only an end.
///
/// `mode` is 0 (sum), 1 (mean) or 2 (max); rows are multiplied by `per_sample_weights` for sums, and row `padding_idx`
/// is excluded. Empty bags give 0. The other results serve the gradient: the bag of each index (empty for plain sums of
/// Float, Half and BFloat16), the sizes of bags (zeros for sums), and the sizes again or, for max, the selected indices
/// [B, M]. `scale_grad_by_freq` and `sparse` have no effect. An index that is negative or too large is an error.
[[structured::kernel("_embedding_bag", "CPU", "Meta"), structured::variants("_embedding_bag.out"),
  structured::tags("core")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_cpu(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets,
    [[maybe_unused]] bool scale_grad_by_freq = false, int64_t mode = 0, [[maybe_unused]] bool sparse = false,
    const std::optional<Tensor>& per_sample_weights = std::nullopt, bool include_last_offset = false,
    int64_t padding_idx = -1) {
  return combine_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, true);
}

/// Sums, means or maxima of bags of rows of `weight` [N, M] selected by `indices` (Long or Int): [B, M], as
/// `_embedding_bag` but without the data for gradients. For sums, the sizes of bags are zeros, one for each of
/// `offsets`. Floating-point dtypes only.
[[structured::kernel("_embedding_bag_forward_only", "CPU", "Meta"),
  structured::variants("_embedding_bag_forward_only.out")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag_forward_only_cpu(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets,
    [[maybe_unused]] bool scale_grad_by_freq = false, int64_t mode = 0, [[maybe_unused]] bool sparse = false,
    const std::optional<Tensor>& per_sample_weights = std::nullopt, bool include_last_offset = false,
    int64_t padding_idx = -1) {
  return combine_bags(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, false);
}

[[structured::impl("embedding_dense_backward.out", "CPU")]]
void embedding_dense_backward_cpu(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                  int64_t padding_idx, bool scale_grad_by_freq, const Tensor& out) {
  const ScratchVector<int64_t> rows = numbers(indices);
  check_indices("embedding_dense_backward", rows, num_weights);
  ScratchVector<int64_t> times(static_cast<size_t>(num_weights), 0);
  for (const int64_t row : rows) ++times[static_cast<size_t>(row)];
  const int64_t width = grad_output.size(-1);
  const ScalarType dtype = grad_output.scalar_type() == kDouble ? kDouble : kFloat;
  visit<kFloatingTypes>("embedding_dense_backward", dtype, [&]<class T>() {
    const Tensor gradients = dense(grad_output, dtype);
    const Tensor result = writable(out, dtype);
    const T* const from = gradients.data_ptr<T>();
    T* const to = result.data_ptr<T>();
    const auto count = static_cast<int64_t>(rows.size());
    // Each thread sums the gradients of its own range of table rows.
    const int64_t work = width * (1 + count / std::max<int64_t>(1, num_weights));
    parallel_for(0, num_weights, std::max<int64_t>(1, kGrainSize / std::max<int64_t>(1, work)),
                 [&](int64_t begin, int64_t end) {
                   std::fill(to + begin * width, to + end * width, T(0));
                   for (int64_t i = 0; i < count; ++i) {
                     const int64_t row = rows[static_cast<size_t>(i)];
                     if (row < begin || row >= end || row == padding_idx) continue;
                     const auto divisor = scale_grad_by_freq ? static_cast<T>(times[static_cast<size_t>(row)]) : T(1);
                     for (int64_t k = 0; k < width; ++k) to[row * width + k] += from[i * width + k] / divisor;
                   }
                 });
    store(out, result);
  });
}

}  // namespace structured::kernels
