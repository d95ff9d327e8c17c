// `scan --scalar-graphs` stores the bodies of scalar functions as graphs, and `explain --scalar-graph` prints them.
//
// RUN: %structured_gen scan --scalar-graphs -o %t.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen explain --scalar-graph soft_clip %t.json | FileCheck %s --check-prefix=CLIP
// RUN: %structured_gen explain --scalar-graph power %t.json | FileCheck %s --check-prefix=POWER
// RUN: %structured_gen explain --scalar-graph quotient %t.json | FileCheck %s --check-prefix=QUOTIENT
// RUN: %structured_gen explain --scalar-graph only_complex %t.json 2>&1 | FileCheck %s --check-prefix=COMPLEX
//
// Without the option, the fragment has none.
// RUN: %structured_gen scan -o %t.plain.json %s -- -std=c++20 -I%runtime
// RUN: not grep scalar_bodies %t.plain.json
// RUN: not %structured_gen explain --scalar-graph power %t.plain.json 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no graph of `power` for a real dtype in the fragment of `{{.*}}scalar_graphs.cpp`; scan it with `--scalar-graphs`
//
// Apart from the graphs, both are the same.
// RUN: %structured_gen list %t.json > %t.list
// RUN: %structured_gen list %t.plain.json | diff %t.list -
#include <structured/annotate.h>
#include <structured/base/error.h>
#include <structured/number/math.h>

#include <optional>
#include <type_traits>

template <class T>
T clamped(T x, T low, T high) {
  if (x < low) return low;
  const auto smaller = [&](T bound) { return x > bound ? bound : x; };
  return smaller(high);
}

// CLIP: soft_clip
// CLIP-NEXT: soft_clip at {{.*}}scalar_graphs.cpp:[[# @LINE + 6]]
// CLIP-NEXT:  float, double: (self: T, has limit, limit: T) -> T, 7 operations
// CLIP:       return {{.*}}
// CLIP: derived from soft_clip at
// CLIP-NEXT:  float, double, derivative by self: (self: T, has limit, limit: T, grad: T) -> T, {{[0-9]+}} operations
template <class T>
[[structured::pointwise("soft_clip"), structured::dtypes("floating")]] T soft_clip(
    T self, [[structured::scalar("converts")]] std::optional<T> limit = std::nullopt) {
  const T bound = limit ? *limit : T(1);
  return clamped(self, -bound, bound) + structured::math::tanh(self);
}

// A loop with a constant number of iterations is unrolled, `if constexpr` resolved for each dtype.
// POWER:      byte, char, short, int, long: (self: T, times: int64) -> T, 5 operations
// POWER:      float, double: (self: T, times: int64) -> T, 3 operations
// POWER-NEXT:   t0 = mul(self, self)
// POWER-NEXT:   t1 = mul(t0, t0)
// POWER-NEXT:   return mul(t1, t1)
template <class T>
[[structured::pointwise("power"), structured::dtypes("integral", "floating")]] T power(T self, std::int64_t times) {
  (void)times;
  if constexpr (std::is_integral_v<T>) {
    using U = std::conditional_t<sizeof(T) <= 4, unsigned, unsigned long>;
    U result = static_cast<U>(self);
    for (int i = 0; i < 3; ++i) result *= result;
    return static_cast<T>(result);
  } else {
    for (int i = 0; i < 3; ++i) self *= self;
    return self;
  }
}

// A dtype without a graph has a reason, with its source location.
// QUOTIENT:      byte, char, short, int, long: no graph
// QUOTIENT-NEXT:   may fail: calls `structured::detail::fail_check` at {{.*}}scalar_graphs.cpp:[[# @LINE + 6]]:{{.*}}
// QUOTIENT-NEXT: float, double: (self: T, other: T) -> T, 1 operation
// QUOTIENT-NEXT:   return div(self, other)
template <class T>
[[structured::pointwise("quotient"), structured::dtypes("integral", "floating"), structured::not_differentiable]] T
quotient(T self, T other) {
  if constexpr (std::is_integral_v<T>) STRUCTURED_CHECK(other != 0, "division by zero");
  return static_cast<T>(self / other);
}

// COMPLEX: error: no graph of `only_complex` for a real dtype
template <class T>
[[structured::pointwise("only_complex"), structured::dtypes("complex")]] T only_complex(T self) {
  return self;
}
