// Histograms of elements, and their minimum and maximum, on CPU.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "cpu/leveled.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

Tensor contiguous_of(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  const Tensor result = empty(tensor.sizes(), tensor.options());
  copy_into(result, tensor);
  return result;
}

template <class T>
struct Ends {
  T least;
  T greatest;
  bool has_nan = false;

  void add(const Ends& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    has_nan |= other.has_nan;
  }
};

template <class T>
struct FindEnds {
  STRUCTURED_ALWAYS_INLINE static void run(const T* from, int64_t count, Ends<T>* result) {
    constexpr int64_t kStep = kLanes<T>;
    T least[kStep];
    T greatest[kStep];
    T nan[kStep] = {};  // NaN once found, otherwise 0
    std::fill(least, least + kStep, from[0]);
    std::fill(greatest, greatest + kStep, from[0]);
    int64_t i = 0;
    for (; i + kStep <= count; i += kStep) {
      for (int64_t k = 0; k < kStep; ++k) {
        const T value = from[i + k];
        least[k] = value < least[k] ? value : least[k];
        greatest[k] = value > greatest[k] ? value : greatest[k];
        if constexpr (std::is_floating_point_v<T>) nan[k] = value != value ? value : nan[k];
      }
    }
    Ends<T> ends{from[0], from[0], from[0] != from[0]};
    for (int64_t k = 0; k < kStep; ++k) ends.add({least[k], greatest[k], nan[k] != nan[k]});
    for (; i < count; ++i) ends.add({from[i], from[i], from[i] != from[i]});
    *result = ends;
  }
};

// Returns the minimum and maximum of `count` > 0 elements, ignoring NaN, and whether any element is NaN.
template <class T>
Ends<T> find_ends(const T* from, int64_t count) {
  Ends<T> ends;
  run_leveled<FindEnds<T>>(from, count, &ends);
  return ends;
}

template <class T>
Ends<T> find_ends_in_parallel(const T* from, int64_t count) {
  Ends<T> ends{from[0], from[0], false};
  std::mutex lock;
  parallel_for(0, count, kGrainSize, [&](int64_t begin, int64_t end) {
    const Ends<T> here = find_ends(from + begin, end - begin);
    const std::lock_guard guard(lock);
    ends.add(here);
  });
  return ends;
}

template <class T>
void count_in_bins(const Tensor& self, T least, T greatest, const Tensor& out) {
  const int64_t count = self.numel();
  const T* const from = self.data_ptr<T>();
  if (least == greatest && count > 0) {
    const Ends<T> ends = find_ends(from, count);
    least = ends.has_nan ? std::numeric_limits<T>::quiet_NaN() : ends.least;
    greatest = ends.greatest;
  }
  if (least == greatest) {
    least -= 1;
    greatest += 1;
  }
  STRUCTURED_CHECK(std::isfinite(least) && std::isfinite(greatest), "histc: expected a finite range, got [", least,
                   ", ", greatest, "]");
  STRUCTURED_CHECK(least < greatest, "histc: expected `min` below `max`, got ", least, " and ", greatest);
  const int64_t bins = out.numel();
  const T width = greatest - least;
  std::vector<int64_t> counts(static_cast<size_t>(bins), 0);
  for (int64_t i = 0; i < count; ++i) {
    if (!(from[i] >= least && from[i] <= greatest)) continue;
    const auto bin = static_cast<int64_t>((from[i] - least) * static_cast<T>(bins) / width);
    ++counts[static_cast<size_t>(std::clamp<int64_t>(bin, 0, bins - 1))];
  }
  std::transform(counts.begin(), counts.end(), out.data_ptr<T>(),
                 [](int64_t number) { return static_cast<T>(number); });
}

constexpr ScalarTypeSet kVectorTypes = kIntegralTypes | kFloatingTypes;

// Computes the minimum and maximum of all elements. Returns false if `self` is not dense or its dtype is not supported.
bool set_ends(const Tensor& self, const Tensor& min, const Tensor& max) {
  if (!self.is_non_overlapping_and_dense() || !kVectorTypes.contains(self.scalar_type())) return false;
  visit<kVectorTypes>("aminmax", self.scalar_type(), [&]<class T>() {
    const Ends<T> ends = find_ends_in_parallel(self.data_ptr<T>(), self.numel());
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    *min.data_ptr<T>() = ends.has_nan ? nan : ends.least;
    *max.data_ptr<T>() = ends.has_nan ? nan : ends.greatest;
  });
  return true;
}

// Returns the number of bins: at least `minlength`, and enough for every element. Throws Error for negative or huge
// elements.
template <class T>
int64_t checked_bins(const T* from, int64_t count, int64_t minlength) {
  const Ends<T> ends = find_ends(from, count);
  STRUCTURED_CHECK(ends.least >= 0, "bincount: expected numbers of 0 or more, got ", int64_t{ends.least});
  constexpr int64_t limit = int64_t{1} << 58;
  STRUCTURED_CHECK(int64_t{ends.greatest} < limit, "bincount: expected numbers below 2^58, got ",
                   int64_t{ends.greatest});
  return std::max<int64_t>(minlength, int64_t{ends.greatest} + 1);
}

// Counts in several tables, so that increments for equal elements in a row do not wait for each other.
template <class T>
void count_few(const T* from, int64_t count, int64_t bins, int64_t* total) {
  constexpr int64_t kTables = 4;
  std::vector<int64_t> tables(static_cast<size_t>(kTables * bins), 0);
  int64_t i = 0;
  for (; i + kTables <= count; i += kTables) {
    for (int64_t k = 0; k < kTables; ++k) ++tables[static_cast<size_t>(k * bins + from[i + k])];
  }
  for (; i < count; ++i) ++tables[static_cast<size_t>(from[i])];
  for (int64_t bin = 0; bin < bins; ++bin) {
    for (int64_t k = 0; k < kTables; ++k) total[bin] += tables[static_cast<size_t>(k * bins + bin)];
  }
}

}  // namespace

[[structured::impl("histc.out", "CPU")]]
void histc_cpu(const Tensor& self, [[maybe_unused]] int64_t bins, const Scalar& min, const Scalar& max,
               const Tensor& out) {
  const ScalarType dtype = self.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor counts = writable(out, dtype);
  visit<kFloatingTypes>("histc", dtype,
                        [&]<class T>() { count_in_bins<T>(dense(self, dtype), min.to<T>(), max.to<T>(), counts); });
  store(out, counts);
}

/// Number of occurrences of each value 0, 1, ... in the vector `self`, or the sum of their `weights`: a vector with at
/// least `minlength` elements. `self` holds non-negative integers. Counts are Long; sums of Float weights are Float, of
/// other weights Double.
[[structured::kernel("bincount", "CPU", "Meta"), structured::variants("bincount.out"), structured::not_differentiable]]
Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights = std::nullopt, int64_t minlength = 0) {
  STRUCTURED_CHECK(minlength >= 0, "bincount: expected `minlength` of 0 or more, got ", minlength);
  STRUCTURED_CHECK(self.dim() == 1, "bincount: expected `self` to be a vector, got ", self.dim(), " dimensions");
  STRUCTURED_CHECK(!self.is_meta(),
                   "bincount: the shape of the result depends on elements, which tensors on meta do not have");
  const bool is_weighted = weights && weights->defined();
  if (self.numel() == 0) {
    const Tensor zeros = empty(minlength, kLong);
    std::fill_n(zeros.data_ptr<int64_t>(), minlength, 0);
    return zeros;
  }
  return visit<kIntegralTypes>("bincount", self.scalar_type(), [&]<class T>() {
    STRUCTURED_CHECK(!is_weighted || weights->sizes() == self.sizes(), "bincount: expected `weights` of sizes ",
                     self.sizes(), ", got ", weights->sizes());
    const Tensor numbers = contiguous_of(self);
    const T* const number = numbers.data_ptr<T>();
    const int64_t count = self.numel();
    const int64_t bins = checked_bins(number, count, minlength);
    const auto add_up = [&]<class Total>(const Total* weight) {
      const Tensor result = empty(bins, scalar_type_of<Total>);
      Total* const total = result.data_ptr<Total>();
      std::fill(total, total + bins, Total(0));
      if constexpr (std::is_same_v<Total, int64_t>) {
        if (bins < count / 8) {
          count_few(number, count, bins, total);
          return result;
        }
      }
      for (int64_t i = 0; i < count; ++i) total[number[i]] += weight == nullptr ? Total(1) : weight[i];
      return result;
    };
    if (!is_weighted) return add_up(static_cast<const int64_t*>(nullptr));
    if (weights->scalar_type() == kFloat) {
      const Tensor floats = contiguous_of(*weights);
      return add_up(floats.data_ptr<float>());
    }
    const Tensor doubles = empty(weights->sizes(), kDouble);
    copy_into(doubles, *weights);
    return add_up(doubles.data_ptr<double>());
  });
}

[[structured::impl("aminmax.out", "CPU")]]
void aminmax_cpu(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& min, const Tensor& max) {
  if (self.dim() == 0) {
    copy_into(as_strided(min, {}, {}, min.storage_offset()), self);
    copy_into(as_strided(max, {}, {}, max.storage_offset()), self);
    return;
  }
  if (!dim && set_ends(self, min, max)) return;
  const IntArrayRef dims = dim ? IntArrayRef(*dim) : IntArrayRef();
  Tensor least = min;
  Tensor greatest = max;
  structured::amin_out(least, self, dims, keepdim);
  structured::amax_out(greatest, self, dims, keepdim);
}

}  // namespace structured::kernels
