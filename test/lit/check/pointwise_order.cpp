// A scalar function that compares elements, compiled for complex dtypes.
// Why: A scalar function is compiled for every dtype that `dtypes` lists, and for all of them without it. Complex numbers
// have no order, so the compiler would reject the emitted loops.
// Cure: List the dtypes that have an order. For `if constexpr` and other conditions on the type, nothing is reported.
// RUN: cp %s %t.h
// RUN: not %structured_gen check %t.h -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify -x c++ %t.h
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
template <typename T>
// CHECK: pointwise_order.cpp.tmp.h:[[@LINE+6]]:15: error: `pointwise` for `gate` compares elements by `>`, which complex numbers do not have; expected `dtypes("floating", "integral", "bool")`, or fewer dtypes [structured-pointwise-order]
// CHECK: pointwise_order.cpp.tmp.h:[[@LINE+3]]:3: note: without `dtypes`, the function is compiled for all dtypes
// expected-error@+4 {{`pointwise` for `gate` compares elements by `>`, which complex numbers do not have; expected `dtypes("floating", "integral", "bool")`, or fewer dtypes [structured-pointwise-order]}}
// expected-note@+1 {{without `dtypes`, the function is compiled for all dtypes}}
[[structured::pointwise("gate")]]
constexpr T gate(T self) {
  return self > T(0) ? self : T(0);
}
// example end

// CHECK: pointwise_order.cpp.tmp.h:[[@LINE+6]]:70: error: `pointwise` for `least` compares elements by `<=`,
// CHECK: pointwise_order.cpp.tmp.h:[[@LINE+4]]:38: note: dtypes declared here
// expected-error@+4 {{`pointwise` for `least` compares elements by `<=`, which complex numbers do not have; expected `dtypes("floating", "integral", "bool")`, or fewer dtypes [structured-pointwise-order]}}
// expected-note@+2 {{dtypes declared here}}
template <typename T>
[[structured::pointwise("least")]] [[structured::dtypes("floating", "complex")]]
T least(T self, T other, [[structured::scalar]] T limit) { if (limit <= other) return other; return self; }

// Near misses: dtypes with an order, a choice by type, other operands, template arguments.
template <typename T>
[[structured::pointwise("clamp"), structured::dtypes("floating", "integral")]]
T clamp(T self, T other) { return self < other ? other : self; }
template <typename T>
[[structured::pointwise("choose")]]
T choose(T self) {
  if constexpr (sizeof(T) < 8) return self > T(0) ? self : T(0);
  return self;
}
template <typename T>
[[structured::pointwise("count")]]
T count(T self, int64_t n) { return n > 2 ? static_cast<T>(self) : self; }
template <typename T>
[[structured::pointwise("declared")]]
T declared(T self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
