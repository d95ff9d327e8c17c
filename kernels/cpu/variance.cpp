// Variances and standard deviations on CPU.
#include "cpu/reduction.h"

#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise.h>
#include <structured/number/scalar.h>
#include <structured/ops/select.h>
#include <structured/ops/view_as_real.h>

#include <cmath>
#include <limits>
#include <optional>

#include "shared/vectorized_loops.h"

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
  // The deviation of an infinite element from its own mean is NaN, as it is of a NaN.
  static Accumulator lift(T value) {
    const double number = static_cast<double>(value);
    return {number, number - number, 1};
  }
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
void variance_of_real(const char* name, const Tensor& self, OptionalIntArrayRef dim,
                      const std::optional<Scalar>& correction, const Tensor& out, Apply apply) {
  const DimMask mask = reduced_dims(name, dim, self.dim());
  const int64_t count = count_reduced(self, mask);
  const double left = static_cast<double>(count) - correction.value_or(1).to<double>();
  const double divisor = count > 0 && left > 0 ? left : 0;
  const double of_root = -1 / (kRootScale * std::sqrt(divisor));
  reduce_and_apply<kAllFloatingTypes>(
      name, out, [&]<class T>(const Tensor& result) { reduce<Deviation<T>>(result, self, mask); },
      [divisor, of_root, apply](auto x) {
        const double projected = static_cast<double>(x);
        return apply(x, projected / divisor, projected * of_root);
      });
}

void variance_of_real(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                      const Tensor& out) {
  variance_of_real("var", self, dim, correction, out, [](auto x, double variance, double deviation) {
    return static_cast<decltype(x)>(x < 0 ? deviation * deviation : variance);
  });
}

// The variance of complex numbers is the sum of the variances of both parts.
void variance_of_complex(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                         const Tensor& out) {
  DimVector dims;
  if (!dim || dim->empty()) {  // but not the dimension of the parts
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  } else {
    for (const int64_t d : *dim) dims.push_back(wrap_dim(d, self.dim()));
  }
  const Tensor parts = structured::view_as_real(self);
  const Tensor imaginary = empty(out.sizes(), out.options());
  variance_of_real(structured::select(parts, -1, 0), dims, correction, out);
  variance_of_real(structured::select(parts, -1, 1), dims, correction, imaginary);
  pointwise_kernel<kAllFloatingTypes>("var", TensorIterator::binary_op(out, out, imaginary),
                                      [&]<class T>() { return [](T a, T b) -> T { return a + b; }; });
}

}  // namespace

[[structured::impl("var.correction_out", "CPU")]]
void var_cpu(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  if (self.is_complex()) return variance_of_complex(self, dim, correction, out);
  variance_of_real(self, dim, correction, out);
}

[[structured::impl("std.correction_out", "CPU")]]
void std_cpu(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
             [[maybe_unused]] bool keepdim, const Tensor& out) {
  if (self.is_complex()) {
    variance_of_complex(self, dim, correction, out);
    pointwise_kernel<kAllFloatingTypes>("std", TensorIterator::unary_op(out, out),
                                        [&]<class T>() { return [](T x) -> T { return std::sqrt(x); }; });
    return;
  }
  variance_of_real("std", self, dim, correction, out, [](auto x, double variance, double deviation) {
    using T = decltype(x);
    return x < 0 ? static_cast<T>(deviation) : std::sqrt(static_cast<T>(variance));
  });
}

}  // namespace structured::kernels
