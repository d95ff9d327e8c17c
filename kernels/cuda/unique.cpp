// Unique elements, counts of numbers and repeated positions on CUDA, by sorting, scans and masks. The shape of a result
// depends on elements, so that these operators wait for the device.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/arange.h>
#include <structured/ops/cat.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/fill.h>
#include <structured/ops/index_add.h>
#include <structured/ops/masked_select.h>
#include <structured/ops/ne.h>
#include <structured/ops/nonzero.h>
#include <structured/ops/scatter.h>
#include <structured/ops/searchsorted.h>
#include <structured/ops/sort.h>
#include <structured/ops/sub.h>
#include <structured/ops/unique_consecutive.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

using Unique = std::tuple<Tensor, Tensor, Tensor>;

Tensor row_of(const Tensor& tensor) {
  const Tensor elements = dense(tensor, tensor.scalar_type());
  return as_strided(elements, {tensor.numel()}, {1}, elements.storage_offset());
}

Tensor part_of(const Tensor& row, int64_t first, int64_t count) {
  return as_strided(row, {count}, {row.stride(0)}, row.storage_offset() + first * row.stride(0));
}

Tensor filled(IntArrayRef sizes, int64_t value, TensorOptions options) {
  Tensor result = empty(sizes, options);
  structured::fill_(result, value);
  return result;
}

Tensor joined(const Tensor& a, const Tensor& b) {
  const std::vector<Tensor> both = {a, b};
  return structured::cat(both);
}

void check_dtype(const char* name, const Tensor& self) {
  constexpr ScalarTypeSet types = kRealTypes | kBool;
  STRUCTURED_CHECK(types.contains(self.scalar_type()), name, ": expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
}

// Unique elements of runs of equal elements in `row`. `order` has the positions of its elements in `self`, or is
// undefined.
Unique unique_runs(const Tensor& self, const Tensor& row, const Tensor& order, bool return_inverse,
                   bool return_counts) {
  const TensorOptions positions = self.options().dtype(kLong);
  const int64_t count = row.numel();
  if (count == 0) {
    return {empty({0}, self.options()), empty(return_inverse ? self.sizes() : IntArrayRef(0), positions),
            empty({0}, positions)};
  }
  const Tensor differs = structured::ne(part_of(row, 1, count - 1), part_of(row, 0, count - 1));
  const Tensor is_first = joined(filled({1}, 1, self.options().dtype(kBool)), differs);
  const Tensor values = structured::masked_select(row, is_first);
  Tensor inverse = empty({0}, positions);
  if (return_inverse) {
    const Tensor runs = structured::sub(structured::cumsum(is_first, 0), 1);
    inverse = runs;
    if (order.defined()) {
      inverse = empty({count}, positions);
      structured::scatter_(inverse, 0, order, runs);
    }
    inverse = as_strided(inverse, self.sizes(), contiguous_strides(self.sizes()), inverse.storage_offset());
  }
  Tensor counts = empty({0}, positions);
  if (return_counts) {
    const Tensor starts = row_of(structured::nonzero(is_first));
    const Tensor ends = joined(part_of(starts, 1, starts.numel() - 1), filled({1}, count, positions));
    counts = structured::sub(ends, starts);
  }
  return {values, inverse, counts};
}

Unique unique_elements(const Tensor& self, bool return_inverse, bool return_counts) {
  const DeviceGuard guard(self.device());
  const auto [sorted, order] = structured::sort(row_of(self), std::optional<bool>(true), 0, false);
  return unique_runs(self, sorted, order, return_inverse, return_counts);
}

}  // namespace

[[structured::kernel("_unique2", "CUDA")]]
std::tuple<Tensor, Tensor, Tensor> unique2_cuda(const Tensor& self, [[maybe_unused]] bool sorted, bool return_inverse,
                                                bool return_counts) {
  check_dtype("unique", self);
  return unique_elements(self, return_inverse, return_counts);
}

[[structured::kernel("_unique", "CUDA")]]
std::tuple<Tensor, Tensor> unique_cuda(const Tensor& self, [[maybe_unused]] bool sorted, bool return_inverse) {
  check_dtype("unique", self);
  const Unique result = unique_elements(self, return_inverse, false);
  return {std::get<0>(result), std::get<1>(result)};
}

// Slices along a dimension are compared on the CPU.
[[structured::kernel("unique_consecutive", "CUDA")]]
std::tuple<Tensor, Tensor, Tensor> unique_consecutive_cuda(const Tensor& self, bool return_inverse, bool return_counts,
                                                           std::optional<int64_t> dim) {
  check_dtype("unique_consecutive", self);
  const DeviceGuard guard(self.device());
  if (!dim || (*dim == 0 && self.dim() == 1)) {
    return unique_runs(self, row_of(self), Tensor(), return_inverse, return_counts);
  }
  const auto copy_to = [](Device device, const Tensor& tensor) {
    const Tensor result = empty(tensor.sizes(), tensor.options().device(device));
    copy_into(result, tensor);
    return result;
  };
  const auto [values, inverse, counts] =
      structured::unique_consecutive(copy_to(kCPU, self), return_inverse, return_counts, dim);
  return {copy_to(self.device(), values), copy_to(self.device(), inverse), copy_to(self.device(), counts)};
}

[[structured::kernel("bincount", "CUDA")]]
Tensor bincount_cuda(const Tensor& self, const std::optional<Tensor>& weights, int64_t minlength) {
  constexpr const char* name = "bincount";
  STRUCTURED_CHECK(minlength >= 0, name, ": expected `minlength` of 0 or more, got ", minlength);
  STRUCTURED_CHECK(self.dim() == 1, name, ": expected `self` to be a vector, got ", self.dim(), " dimensions");
  if (self.numel() == 0) return filled({minlength}, 0, self.options().dtype(kLong));
  STRUCTURED_CHECK(kIntegralTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ", kIntegralTypes,
                   ", got ", self.scalar_type());
  const bool is_weighted = weights && weights->defined();
  STRUCTURED_CHECK(!is_weighted || weights->sizes() == self.sizes(), name, ": expected `weights` of sizes ",
                   self.sizes(), ", got ", weights->sizes());
  const DeviceGuard guard(self.device());
  const Tensor numbers = dense(self, kLong);
  const auto least = structured::amin(numbers).item<int64_t>();
  const auto greatest = structured::amax(numbers).item<int64_t>();
  STRUCTURED_CHECK(least >= 0, name, ": expected numbers of 0 or more, got ", least);
  constexpr int64_t limit = int64_t{1} << 58;
  STRUCTURED_CHECK(greatest < limit, name, ": expected numbers below 2^58, got ", greatest);
  const ScalarType dtype = !is_weighted ? kLong : weights->scalar_type() == kFloat ? kFloat : kDouble;
  const TensorOptions options = self.options().dtype(dtype);
  Tensor totals = filled({std::max(minlength, greatest + 1)}, 0, options);
  structured::index_add_(totals, 0, numbers, is_weighted ? dense(*weights, dtype) : filled(self.sizes(), 1, options));
  return totals;
}

[[structured::kernel("repeat_interleave.Tensor", "CUDA")]]
Tensor repeat_interleave_positions_cuda(const Tensor& repeats, std::optional<int64_t> output_size) {
  constexpr const char* name = "repeat_interleave";
  STRUCTURED_CHECK(repeats.dim() == 1, name, ": expected `repeats` to be a vector, got ", repeats.dim(), " dimensions");
  STRUCTURED_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt, name,
                   ": expected `repeats` of dtype Int or Long, got ", repeats.scalar_type());
  if (repeats.numel() == 0) return empty({0}, repeats.options());
  const DeviceGuard guard(repeats.device());
  const auto least = structured::amin(repeats).item<int64_t>();
  STRUCTURED_CHECK(least >= 0, name, ": expected `repeats` of 0 or more, got ", least);
  const Tensor ends = structured::cumsum(repeats, 0);
  const auto total = part_of(ends, repeats.numel() - 1, 1).item<int64_t>();
  STRUCTURED_CHECK(output_size.value_or(total) == total, name, ": expected `output_size` to be the sum of `repeats`, ",
                   total, ", got ", output_size.value_or(0));
  const Tensor places = structured::arange(total, ends.options());
  return dense(structured::searchsorted(ends, places, false, true), repeats.scalar_type());
}

}  // namespace structured::kernels
