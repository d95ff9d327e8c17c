// Cumulative maximum, minimum and log-sum-exp on CPU.
#include <structured/core/convert.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/parallel.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "cpu/rows.h"
#include "math/extrema.h"

namespace structured::kernels {
namespace {

// `replaces(best, value)` returns whether `value` replaces `best`.
template <class Replaces>
void running_extrema(const char* name, const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices,
                     Replaces replaces) {
  if (self.numel() == 0) return;
  const InputRows in(self, dim);
  const OutputRows value_rows(values, dim);
  const OutputRows index_rows(indices, dim);
  visit<kRealTypes | kBool>(name, self.scalar_type(), [&]<class T>() {
    parallel_for(0, in.count(), kGrainSize / in.length() + 1, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const T* const from = in.row<T>(row);
        T* const value = value_rows.row<T>(row);
        int64_t* const index = index_rows.row<int64_t>(row);
        T best = from[0];
        int64_t place = 0;
        for (int64_t i = 0; i < in.length(); ++i) {
          const T here = from[i];
          const bool is_better = is_nan(here) || replaces(best, here);
          best = is_better ? here : best;
          place = is_better ? i : place;
          value[i] = best;
          index[i] = place;
        }
      }
    });
  });
  value_rows.finish();
  index_rows.finish();
}

}  // namespace

[[structured::impl("cummax.out", "CPU")]]
void cummax_cpu(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  running_extrema("cummax", self, dim, values, indices, [](auto best, auto value) { return value >= best; });
}

[[structured::impl("cummin.out", "CPU")]]
void cummin_cpu(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  running_extrema("cummin", self, dim, values, indices, [](auto best, auto value) { return value <= best; });
}

// Stores the sum divided by the exponential of the greatest term, so that it does not overflow.
[[structured::impl("logcumsumexp.out", "CPU")]]
void logcumsumexp_cpu(const Tensor& self, int64_t dim, const Tensor& out) {
  if (self.numel() == 0) return;
  const InputRows in(self, dim);
  const OutputRows rows(out, dim);
  visit<kAllFloatingTypes>("logcumsumexp", self.scalar_type(), [&]<class T>() {
    parallel_for(0, in.count(), 1024 / in.length() + 1, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const T* const from = in.row<T>(row);
        T* const to = rows.row<T>(row);
        double greatest = -std::numeric_limits<double>::infinity();
        double sum = 0;
        for (int64_t i = 0; i < in.length(); ++i) {
          const double value = static_cast<double>(from[i]);
          if (value <= greatest || is_nan(greatest)) {
            if (!std::isinf(greatest)) sum += std::exp(value - greatest);
          } else {  // also for NaN
            sum = std::isinf(greatest) ? 1 : sum * std::exp(greatest - value) + 1;
            greatest = value;
          }
          to[i] = convert<T>(std::isinf(greatest) ? greatest : greatest + std::log(sum));
        }
      }
    });
  });
  rows.finish();
}

}  // namespace structured::kernels
