// Unique elements and slices on CPU.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cpu/sort_keys.h"

namespace structured::kernels {
namespace {

using Unique = std::tuple<Tensor, Tensor, Tensor>;

void check_dtype(const char* name, const Tensor& self) {
  STRUCTURED_CHECK((kRealTypes | kBool).contains(self.scalar_type()), name, ": expected `self` of dtype ",
                   kRealTypes | kBool, ", got ", self.scalar_type());
  STRUCTURED_CHECK(!self.is_meta(), name,
                   ": the shape of the result depends on elements, which tensors on meta do not have");
}

Tensor positions(IntArrayRef sizes, bool is_wanted) { return empty(is_wanted ? sizes : IntArrayRef(0), kLong); }

// Runs of equal adjacent slices: the start of each run, and the run of each slice.
struct Runs {
  std::vector<int64_t> starts;
  std::vector<int64_t> run_of;  // indexed by position in the order
};

// Finds runs. `differs(i)` returns whether slice i of the order differs from the one before it.
template <class Differs>
Runs find_runs(int64_t count, Differs differs) {
  Runs runs;
  runs.run_of.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    if (i == 0 || differs(i)) runs.starts.push_back(i);
    runs.run_of[static_cast<size_t>(i)] = static_cast<int64_t>(runs.starts.size()) - 1;
  }
  return runs;
}

Tensor run_lengths(const Runs& runs, int64_t count) {
  const Tensor lengths = empty(static_cast<int64_t>(runs.starts.size()), kLong);
  int64_t* const length = lengths.data_ptr<int64_t>();
  for (size_t k = 0; k < runs.starts.size(); ++k) {
    length[k] = (k + 1 < runs.starts.size() ? runs.starts[k + 1] : count) - runs.starts[k];
  }
  return lengths;
}

uint64_t nan_key(ScalarType dtype) { return ~uint64_t{0} >> (64 - 8 * item_size(dtype)); }

// Unique elements of the sorted tensor.
Unique unique_elements(const Tensor& self, bool return_inverse, bool return_counts) {
  const Tensor row = self.is_contiguous() ? self : empty(self.sizes(), self.options());
  if (!row.is_same(self)) copy_into(row, self);
  const int64_t count = self.numel();
  const ScalarType dtype = self.scalar_type();
  Unique result(Tensor(), positions(self.sizes(), return_inverse), positions(0, false));
  with_keys(dtype, count, [&]<class SortKey>() {
    const KeyBuffer<SortKey> buffer(2 * count);
    SortKey* const keys = buffer.data();
    const char* const elements = static_cast<const char*>(row.data());
    encode_keys(dtype, elements, 0, count, false, keys);
    sort_keys(keys, keys + count, count, static_cast<int>(item_size(dtype)));
    const bool has_nan = is_floating(dtype);
    const uint64_t nan = nan_key(dtype);
    const Runs runs = find_runs(count, [&](int64_t i) {
      return key_of(keys[i]) != key_of(keys[i - 1]) || (has_nan && key_of(keys[i]) == nan);
    });
    Tensor& values = std::get<0>(result);
    values = empty(static_cast<int64_t>(runs.starts.size()), self.options());
    const size_t size = item_size(dtype);
    char* value = static_cast<char*>(values.data());
    for (const int64_t start : runs.starts) {
      std::memcpy(value, elements + static_cast<size_t>(position_of(keys[start])) * size, size);
      value += size;
    }
    if (return_inverse) {
      int64_t* const inverse = std::get<1>(result).template data_ptr<int64_t>();
      for (int64_t i = 0; i < count; ++i) inverse[position_of(keys[i])] = runs.run_of[static_cast<size_t>(i)];
    }
    if (return_counts) std::get<2>(result) = run_lengths(runs, count);
  });
  return result;
}

// Unique elements of runs in the given order.
Unique consecutive_elements(const Tensor& self, bool return_inverse, bool return_counts) {
  const Tensor row = self.is_contiguous() ? self : empty(self.sizes(), self.options());
  if (!row.is_same(self)) copy_into(row, self);
  const int64_t count = self.numel();
  const Tensor values = empty(count, self.options());
  const Tensor inverse = positions(self.sizes(), return_inverse);
  const Tensor counts = positions(count, return_counts);
  int64_t found = 0;
  visit<kRealTypes | kBool>("unique_consecutive", self.scalar_type(), [&]<class T>() {
    const T* const from = row.data_ptr<T>();
    T* const value = values.data_ptr<T>();
    int64_t* const length = counts.data_ptr<int64_t>();
    int64_t* const run = inverse.data_ptr<int64_t>();
    int64_t start = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (i == 0 || !(from[i] == from[i - 1])) {
        if (return_counts && i != 0) length[found - 1] = i - start;
        start = i;
        value[found++] = from[i];
      }
      if (return_inverse) run[i] = found - 1;
    }
    if (return_counts && count != 0) length[found - 1] = count - start;
  });
  const auto first = [found](const Tensor& tensor) {
    if (tensor.numel() <= found) return tensor;
    const Tensor part = empty(found, tensor.options());
    copy_into(part, as_strided(tensor, found, 1, 0));
    return part;
  };
  return {first(values), inverse, return_counts ? first(counts) : counts};
}

// Slices along `dim` as rows of bytes that compare like their elements in lexicographic order.
class SliceKeys {
 public:
  SliceKeys(const Tensor& slices, int64_t count) : row_bytes_(0) {
    const ScalarType dtype = slices.scalar_type();
    const int64_t length = slices.numel() / count;
    const size_t size = item_size(dtype);
    row_bytes_ = static_cast<size_t>(length) * size;
    keys_ = empty(static_cast<int64_t>(row_bytes_) * count, kByte);
    has_nan_.resize(static_cast<size_t>(count), 0);
    const bool is_float = is_floating(dtype);
    const uint64_t nan = nan_key(dtype);
    parallel_for(0, count, kGrainSize / length + 1, [&](int64_t first, int64_t last) {
      std::vector<WideKey> keys(static_cast<size_t>(length));
      for (int64_t row = first; row < last; ++row) {
        const char* const from = static_cast<const char*>(slices.data()) + static_cast<size_t>(row) * row_bytes_;
        unsigned char* to = keys_.data_ptr<uint8_t>() + static_cast<size_t>(row) * row_bytes_;
        encode_keys(dtype, from, 0, length, false, keys.data());
        for (const WideKey& key : keys) {
          for (size_t byte = size; byte-- > 0;) *to++ = static_cast<unsigned char>(key.key >> (8 * byte));
          if (is_float && key.key == nan) has_nan_[static_cast<size_t>(row)] = 1;
        }
      }
    });
  }

  bool is_less(int64_t a, int64_t b) const {
    const int order = std::memcmp(row(a), row(b), row_bytes_);
    return order != 0 ? order < 0 : a < b;
  }
  bool are_equal(int64_t a, int64_t b) const {
    return has_nan_[static_cast<size_t>(a)] == 0 && std::memcmp(row(a), row(b), row_bytes_) == 0;
  }

 private:
  const uint8_t* row(int64_t index) const {
    return keys_.data_ptr<uint8_t>() + static_cast<size_t>(index) * row_bytes_;
  }

  Tensor keys_;
  std::vector<char> has_nan_;
  size_t row_bytes_;
};

// View in which dimension `from` has moved to `to`.
Tensor with_moved(const Tensor& tensor, int64_t from, int64_t to) {
  DimVector sizes(tensor.sizes());
  DimVector strides(tensor.strides());
  for (DimVector* const each : {&sizes, &strides}) {
    int64_t* const first = each->begin();
    if (from < to) {
      std::rotate(first + from, first + from + 1, first + to + 1);
    } else {
      std::rotate(first + to, first + from, first + from + 1);
    }
  }
  return as_strided(tensor, sizes, strides, tensor.storage_offset());
}

Unique unique_slices(const char* name, const Tensor& self, int64_t dim, bool sorts) {
  dim = wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(self.dim() > 0, name, ": expected `self` to have 1 or more dimensions, got a scalar");
  const auto empty_dims = std::count(self.sizes().begin(), self.sizes().end(), int64_t{0});
  STRUCTURED_CHECK(empty_dims == (self.size(dim) == 0), name, ": expected only dimension `dim` to be empty, got sizes ",
                   self.sizes());
  if (self.size(dim) == 0) {
    return {empty(self.sizes(), self.options()), positions(0, false), positions(0, false)};
  }
  Tensor slices = with_moved(self, dim, 0);
  const int64_t count = self.size(dim);
  DimVector sizes(slices.sizes());
  if (!slices.is_contiguous()) {
    const Tensor copy = empty(sizes, self.options());
    copy_into(copy, slices);
    slices = copy;
  }
  const SliceKeys keys(slices, count);
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  if (sorts) std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return keys.is_less(a, b); });
  const Runs runs = find_runs(count, [&](int64_t i) {
    return !keys.are_equal(order[static_cast<size_t>(i - 1)], order[static_cast<size_t>(i)]);
  });
  sizes[0] = static_cast<int64_t>(runs.starts.size());
  const Tensor values = empty(sizes, self.options());
  const size_t row_bytes = slices.nbytes() / static_cast<size_t>(count);
  char* value = static_cast<char*>(values.data());
  for (const int64_t start : runs.starts) {
    const auto from = static_cast<size_t>(order[static_cast<size_t>(start)]);
    std::memcpy(value, static_cast<const char*>(slices.data()) + from * row_bytes, row_bytes);
    value += row_bytes;
  }
  const Tensor inverse = empty(count, kLong);
  for (size_t i = 0; i < order.size(); ++i) inverse.data_ptr<int64_t>()[order[i]] = runs.run_of[i];
  return {with_moved(values, 0, dim), inverse, run_lengths(runs, count)};
}

}  // namespace

/// Unique elements of `self` in ascending order, the index of each element of `self` among them, and the number of
/// occurrences of each. Complex inputs are not supported.
///
/// Indices (Long, with the shape of `self`) are returned if `return_inverse`, counts (Long) if `return_counts`;
/// otherwise they are empty. NaN differs from NaN. `sorted` has no effect.
[[structured::kernel("_unique2", "CPU", "Meta"), structured::variants("_unique2.out")]]
Unique unique2(const Tensor& self, [[maybe_unused]] bool sorted = true, bool return_inverse = false,
               bool return_counts = false) {
  check_dtype("unique", self);
  return unique_elements(self, return_inverse, return_counts);
}

/// Unique elements of `self` in ascending order and, if `return_inverse`, the index (Long) of each element of `self`
/// among them. NaN differs from NaN. `sorted` has no effect. Complex inputs are not supported.
[[structured::kernel("_unique", "CPU", "Meta"), structured::variants("_unique.out")]]
std::tuple<Tensor, Tensor> unique(const Tensor& self, [[maybe_unused]] bool sorted = true,
                                  bool return_inverse = false) {
  check_dtype("unique", self);
  const Unique result = unique_elements(self, return_inverse, false);
  return {std::get<0>(result), std::get<1>(result)};
}

/// Unique slices of `self` along `dim` in lexicographic order, the index (Long) of each slice of `self` among them, and
/// the number of occurrences (Long) of each. `sorted`, `return_inverse` and `return_counts` have no effect. Complex
/// inputs are not supported.
[[structured::kernel("unique_dim", "CPU", "Meta"), structured::variants("unique_dim.out")]]
Unique unique_dim(const Tensor& self, int64_t dim, [[maybe_unused]] bool sorted = true,
                  [[maybe_unused]] bool return_inverse = false, [[maybe_unused]] bool return_counts = false) {
  check_dtype("unique_dim", self);
  return unique_slices("unique_dim", self, dim, true);
}

/// Slices of `self` along `dim` without those that equal their predecessor, the index (Long) of each slice of `self`
/// among them, and the length (Long) of each run. `return_inverse` and `return_counts` have no effect. Complex inputs
/// are not supported.
[[structured::kernel("unique_dim_consecutive", "CPU", "Meta"), structured::variants("unique_dim_consecutive.out")]]
Unique unique_dim_consecutive(const Tensor& self, int64_t dim, [[maybe_unused]] bool return_inverse = false,
                              [[maybe_unused]] bool return_counts = false) {
  check_dtype("unique_dim_consecutive", self);
  return unique_slices("unique_dim_consecutive", self, dim, false);
}

/// Elements of `self`, or slices along `dim`, without those that equal their predecessor; with `return_inverse` the
/// index (Long) of each in the result, with `return_counts` the length (Long) of each run. Complex inputs are not
/// supported.
[[structured::kernel("unique_consecutive", "CPU", "Meta"), structured::variants("unique_consecutive.out")]]
Unique unique_consecutive(const Tensor& self, bool return_inverse = false, bool return_counts = false,
                          std::optional<int64_t> dim = std::nullopt) {
  check_dtype("unique_consecutive", self);
  if (!dim || (*dim == 0 && self.dim() == 1)) {
    return consecutive_elements(self, return_inverse, return_counts);
  }
  return unique_slices("unique_consecutive", self, *dim, false);
}

}  // namespace structured::kernels
