// Cumulative maximum, minimum and log-sum-exp on CPU.
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/complex.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Logarithm of a sum of exponentials. The sum is divided by the exponential of the greatest term, so that it does not
// overflow.
struct LogSumExp {
  using Number = double;
  double greatest = -kInfinity, sum = 0;

  double add(double value) {
    if (value <= greatest || is_nan(greatest)) {
      if (!std::isinf(greatest)) sum += std::exp(value - greatest);
    } else {  // also for NaN
      sum = std::isinf(greatest) ? 1 : sum * std::exp(greatest - value) + 1;
      greatest = value;
    }
    return std::isinf(greatest) ? greatest : greatest + std::log(sum);
  }
};

// The imaginary part of the result is continuous in the terms, and not limited to a turn.
struct ComplexLogSumExp {
  using Number = Complex<double>;
  std::complex<double> total{-kInfinity, 0};

  Number add(Number number) {
    const std::complex<double> value(number.real(), number.imag());
    const bool is_greater = value.real() > total.real();
    const std::complex<double> greatest = is_greater ? value : total;
    const std::complex<double> least = is_greater ? total : value;
    if (std::isnan(value.real() + value.imag()) || std::isnan(total.real() + total.imag())) {
      total = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    } else if (std::isinf(least.real()) && least.real() == greatest.real()) {
      total = least.real() < 0 ? least : std::log(std::exp(least) + std::exp(greatest));
    } else {
      total = std::log(1.0 + std::exp(least - greatest)) + greatest;
    }
    return total;
  }
};

}  // namespace

[[structured::impl("cummax.out", "CPU")]]
void cummax_cpu(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  running_extrema("cummax", self, dim, values, indices, [](auto best, auto value) { return value >= best; });
}

[[structured::impl("cummin.out", "CPU")]]
void cummin_cpu(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  running_extrema("cummin", self, dim, values, indices, [](auto best, auto value) { return value <= best; });
}

[[structured::impl("logcumsumexp.out", "CPU")]]
void logcumsumexp_cpu(const Tensor& self, int64_t dim, const Tensor& out) {
  if (self.numel() == 0) return;
  const InputRows in(self, dim);
  const OutputRows rows(out, dim);
  visit<kAllFloatingTypes | kComplexTypes>("logcumsumexp", self.scalar_type(), [&]<class T>() {
    parallel_for(0, in.count(), 1024 / in.length() + 1, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const T* const from = in.row<T>(row);
        T* const to = rows.row<T>(row);
        std::conditional_t<is_complex_v<T>, ComplexLogSumExp, LogSumExp> sum;
        for (int64_t i = 0; i < in.length(); ++i)
          to[i] = convert<T>(sum.add(convert<typename decltype(sum)::Number>(from[i])));
      }
    });
  });
  rows.finish();
}

}  // namespace structured::kernels
