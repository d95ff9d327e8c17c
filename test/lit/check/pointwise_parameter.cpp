// Parameters of scalar functions.
// Why: A pointwise function receives tensors element by element, by value. Every other parameter is a number, a boolean
// or a string that is the same for all elements.
// Cure: Take `T` for tensors, `[[structured::scalar]] T` for a scalar, `[[structured::tensor]] bool` for a mask, or one
// of the listed types.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: pointwise_parameter.cpp:[[@LINE+6]]:9: error: parameter `self` is `const T&`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view` [structured-pointwise-parameter]
// expected-error@+5 {{parameter `self` is `const T&`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view` [structured-pointwise-parameter]}}
// CHECK: pointwise_parameter.cpp:[[@LINE+4]]:33: error: parameter `dims` is `IntArrayRef`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view` [structured-pointwise-parameter]
// expected-error@+3 {{parameter `dims` is `IntArrayRef`; expected `T`, `int64_t`, `double`, `bool` or `std::string_view` [structured-pointwise-parameter]}}
template <typename T>
[[structured::pointwise("twice")]]
T twice(const T& self, T other, IntArrayRef dims);
// expected-error-re@-1 {{`pointwise` for `twice` is in `{{.*}}`;}}
// example end

// CHECK: pointwise_parameter.cpp:[[@LINE+6]]:20: error: `scalar` parameter `factor` is `double`; expected `T` [structured-pointwise-parameter]
// expected-error@+5 {{`scalar` parameter `factor` is `double`; expected `T` [structured-pointwise-parameter]}}
// CHECK: pointwise_parameter.cpp:[[@LINE+4]]:58: error: `tensor` parameter `mask` is `int64_t`; expected `bool`, as `T` is a tensor without it [structured-pointwise-parameter]
// expected-error@+3 {{`tensor` parameter `mask` is `int64_t`; expected `bool`, as `T` is a tensor without it [structured-pointwise-parameter]}}
template <typename T>
[[structured::pointwise("thrice")]]
T thrice(T self, [[structured::scalar]] double factor, [[structured::tensor]] int64_t mask);
// expected-error-re@-1 {{`pointwise` for `thrice` is in `{{.*}}`;}}

// Near miss: all supported parameters, although not in a header.
// CHECK: pointwise_parameter.cpp:[[@LINE+4]]:3: error: `pointwise` for `half` is in
// expected-error-re@+3 {{`pointwise` for `half` is in `{{.*}}`;}}
template <typename T>
[[structured::pointwise("half"), structured::promote("int_to_float")]]
T half(T self, [[structured::tensor]] bool mask, [[structured::scalar]] T factor, int64_t n, double p, bool flag);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 7 errors generated.
