// A scalar function is a template over one type.
// Why: A scalar function is compiled for every dtype, so it is a template over the element type, and its tensors are
// the parameters of that type. Loops take at most three tensors. Emitted code includes the header that defines the
// function.
// Cure: Write `template <typename T>` with one to three parameters of type `T`, in a header that is listed among the
// sources. Write a `meta` function and an `impl` for an operator with more tensors.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: pointwise_form.cpp:[[@LINE+3]]:8: error: `pointwise` for `twice` is not a template; expected a function template with one type parameter, `template <typename T>` [structured-pointwise-form]
// expected-error@+2 {{`pointwise` for `twice` is not a template; expected a function template with one type parameter, `template <typename T>` [structured-pointwise-form]}}
[[structured::pointwise("twice")]]
double twice(double self);
// example end

// Consequences of the missing template are not reported.
// CHECK: pointwise_form.cpp:[[@LINE+3]]:8: error: `pointwise` for `thrice` is not a template;
// expected-error@+2 {{`pointwise` for `thrice` is not a template; expected a function template with one type parameter, `template <typename T>` [structured-pointwise-form]}}
[[structured::pointwise("thrice", "thrice_", "thrice.out")]]
double thrice(double self, [[structured::scalar]] double factor);
[[structured::backward("thrice")]]
Tensor thrice_backward(const Tensor& grad, const Tensor& self);
[[structured::kernel("thrice", "SparseCPU")]]
Tensor thrice_sparse(const Tensor& self, const Scalar& factor);

// CHECK: pointwise_form.cpp:[[@LINE+4]]:3: error: `pointwise` for `sum` has 2 template parameters; expected a function template with one type parameter, `template <typename T>` [structured-pointwise-form]
// expected-error@+3 {{`pointwise` for `sum` has 2 template parameters; expected a function template with one type parameter, `template <typename T>` [structured-pointwise-form]}}
template <typename T, typename U>
[[structured::pointwise("sum")]]
T sum(T self, U other);

// CHECK: pointwise_form.cpp:[[@LINE+5]]:7: error: `pointwise` for `one` has no tensor; expected a parameter of type `T` [structured-pointwise-form]
// expected-error@+4 {{`pointwise` for `one` has no tensor; expected a parameter of type `T` [structured-pointwise-form]}}
// expected-error-re@+3 {{`pointwise` for `one` is in `{{.*}}pointwise_form.cpp`;}}
template <typename T>
[[structured::pointwise("one")]]
T one(int64_t n);

// CHECK: pointwise_form.cpp:[[@LINE+5]]:37: error: `pointwise` for `four` has 4 tensors; expected 3 at most [structured-pointwise-form]
// expected-error@+4 {{`pointwise` for `four` has 4 tensors; expected 3 at most [structured-pointwise-form]}}
// expected-error-re@+3 {{`pointwise` for `four` is in `{{.*}}pointwise_form.cpp`;}}
template <typename T>
[[structured::pointwise("four")]]
T four(T self, T a, int64_t n, T b, T c);

// Near miss: `inline` and `constexpr` are allowed.
// CHECK: pointwise_form.cpp:[[@LINE+4]]:20: error: `pointwise` for `half` is in `{{.*}}pointwise_form.cpp`; expected it in a header, which emitted code can include [structured-pointwise-form]
// expected-error-re@+3 {{`pointwise` for `half` is in `{{.*}}pointwise_form.cpp`; expected it in a header, which emitted code can include [structured-pointwise-form]}}
template <typename T>
[[structured::pointwise("half", "half_")]]
constexpr inline T half(T self) {
  return self / 2;
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 8 errors generated.
