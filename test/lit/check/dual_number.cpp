// A scalar function that uses `std` where its derivative needs `structured::math`.
// Why: The derivative of a scalar function is computed by calling it with dual numbers, which carry a derivative. The
// functions of `std` do not accept them, and `std::is_floating_point_v` is false for them.
// Cure: Call the function of the same name in `structured::math`, from `<structured/number/math.h>`. Or write a `backward`
// function, or mark the operator `not_differentiable`; then nothing is reported.
// RUN: cp %s %t.h
// RUN: not %structured_gen check %t.h -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify -x c++ %t.h
#include "mock.h"

namespace std {
double exp(double);
double fabs(double);
double fmod(double, double);
double sin(double);
double sqrt(double);
template <class T>
inline constexpr bool is_floating_point_v = false;
template <class T>
inline constexpr bool is_integral_v = false;
}  // namespace std

// The fixes refer to these.
namespace structured {
namespace math {
double exp(double);
double sqrt(double);
}  // namespace math
template <class T>
inline constexpr bool is_floating_point_v = false;
}  // namespace structured

using namespace structured;

namespace kernels {

// example begin
template <typename T>
[[structured::pointwise("decay"), structured::dtypes("floating")]]
T decay(T self) {
  // CHECK: dual_number.cpp.tmp.h:[[@LINE+2]]:10: error: `pointwise` for `decay` uses `std::exp`, which does not accept dual numbers, from which derivatives are computed; expected `structured::math::exp` [structured-dual-number]
  // expected-error@+1 {{`pointwise` for `decay` uses `std::exp`, which does not accept dual numbers, from which derivatives are computed; expected `structured::math::exp` [structured-dual-number]}}
  return std::exp(-self);
}
// example end

// CHECK: dual_number.cpp.tmp.h:[[@LINE+5]]:42: error: `pointwise` for `whole` tests `std::is_floating_point_v`, which is false for dual numbers, from which derivatives are computed; expected `structured::is_floating_point_v` [structured-dual-number]
// expected-error@+4 {{`pointwise` for `whole` tests `std::is_floating_point_v`, which is false for dual numbers, from which derivatives are computed; expected `structured::is_floating_point_v` [structured-dual-number]}}
template <typename T>
[[structured::pointwise("whole"), structured::dtypes("floating", "integral")]]
T whole(T self) {
  if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) return self * self;
  return self;
}

// CHECK: dual_number.cpp.tmp.h:[[@LINE+7]]:76: error: `backward` for `root` uses `std::sqrt`,
// expected-error@+6 {{`backward` for `root` uses `std::sqrt`, which does not accept dual numbers, from which derivatives are computed; expected `structured::math::sqrt` [structured-dual-number]}}
template <typename T>
[[structured::pointwise("root"), structured::dtypes("floating")]]
T root(T self) { return std::sqrt(self); }
template <typename T>
[[structured::backward("root")]]
T root_backward(T grad, T self) { return self == T(0) ? T(0) : grad / (2 * std::sqrt(self)); }

// Near misses: a result that has no derivative, dtypes without one, other names, other functions of `std`.
template <typename T>
[[structured::pointwise("is_large"), structured::dtypes("floating")]]
bool is_large(T self) { return std::fabs(self) > T(1); }
template <typename T>
[[structured::pointwise("rest"), structured::dtypes("integral")]]
T rest(T self) { return static_cast<T>(std::fmod(self, 3)); }
template <typename T>
[[structured::pointwise("noise"), structured::dtypes("floating"), structured::not_differentiable]]
T noise(T self) { return std::sin(self); }
template <typename T>
[[structured::pointwise("swap_sign"), structured::dtypes("floating")]]
T swap_sign(T self) { return std::is_integral_v<T> ? -self : self; }

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
