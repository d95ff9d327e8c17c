// Variances and standard deviations on CPU.
#include "cpu/reduction.h"

#include <cmath>
#include <limits>
#include <optional>

namespace structured::kernels {
namespace {

constexpr double kRootScale = 0x1p-64;  // standard deviations may exceed the greatest float

STRUCTURED_COLD double minus_scaled_root(double squares) { return -std::sqrt(squares) * kRootScale; }

// Sums of squared deviations by B. P. Welford's updates, combined as by T. F. Chan, G. H. Golub and R. J. LeVeque
// (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <class T>
struct Deviation {
  using Element = T;
  struct Accumulator {
    double mean = 0;
    double squares = 0;
    double count = 0;
  };
  static Accumulator identity() { return {}; }
  static Accumulator lift(T value) { return {static_cast<double>(value), 0, 1}; }
  static Accumulator combine(const Accumulator& a, const Accumulator& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double count = a.count + b.count;
    const double distance = b.mean - a.mean;
    return {a.mean + distance * (b.count / count),
            a.squares + b.squares + distance * distance * (a.count * b.count / count), count};
  }
  // Returns the sum, or the scaled square root with a negative sign if the sum overflows T, since the variance or its
  // square root may not.
  static T project(const Accumulator& sum) {
    if (sum.squares > static_cast<double>(std::numeric_limits<T>::max())) [[unlikely]]
      return static_cast<T>(minus_scaled_root(sum.squares));
    return static_cast<T>(sum.squares);
  }
};

// Calls `apply(projected, variance, deviation)` for each result. `deviation` is valid where `projected` is negative,
// `variance` elsewhere.
template <class Apply>
void variance(const char* name, const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
              const Tensor& out, Apply apply) {
  const DimMask mask = reduced_dims(name, dim, self.dim());
  const int64_t count = count_reduced(self, mask);
  const double left = static_cast<double>(count - correction.value_or(1));
  const double divisor = count > 0 && left > 0 ? left : 0;
  const double of_root = -1 / (kRootScale * std::sqrt(divisor));
  reduce_and_apply<kAllFloatingTypes>(
      name, out, [&]<class T>(const Tensor& result) { reduce<Deviation<T>>(result, self, mask); },
      [divisor, of_root, apply](auto x) {
        const double projected = static_cast<double>(x);
        return apply(x, projected / divisor, projected * of_root);
      });
}

}  // namespace

[[structured::impl("var.correction_out", "CPU")]]
void var_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("var", self, dim, correction, out, [](auto x, double variance, double deviation) {
    return static_cast<decltype(x)>(x < 0 ? deviation * deviation : variance);
  });
}

[[structured::impl("std.correction_out", "CPU")]]
void std_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("std", self, dim, correction, out, [](auto x, double variance, double deviation) {
    using T = decltype(x);
    return x < 0 ? static_cast<T>(deviation) : std::sqrt(static_cast<T>(variance));
  });
}

}  // namespace structured::kernels
