// Variances and standard deviations on the CPU.
#include "cpu/reduction.h"

#include <cmath>
#include <optional>

namespace structured::kernels {
namespace {

// Squared distances from the mean, by B. P. Welford's updates as T. F. Chan, G. H. Golub and R. J. LeVeque combine them
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
  static T project(const Accumulator& sum) { return static_cast<T>(sum.squares); }
};

template <class Apply>
void variance(const char* name, const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
              const Tensor& out, Apply apply) {
  const DimMask mask = reduced_dims(name, dim, self.dim());
  const double left = static_cast<double>(count_reduced(self, mask) - correction.value_or(1));
  const double divisor = left > 0 ? left : 0;
  reduce_and_apply<kAllFloatingTypes>(
      name, out, [&]<class T>(const Tensor& result) { reduce<Deviation<T>>(result, self, mask); },
      [divisor, apply](auto x) { return apply(static_cast<decltype(x)>(static_cast<double>(x) / divisor)); });
}

}  // namespace

[[structured::impl("var.correction_out", "CPU")]]
void var_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("var", self, dim, correction, out, [](auto x) { return x; });
}

[[structured::impl("std.correction_out", "CPU")]]
void std_cpu(const Tensor& self, OptionalIntArrayRef dim, std::optional<int64_t> correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  variance("std", self, dim, correction, out, [](auto x) { return std::sqrt(x); });
}

}  // namespace structured::kernels
