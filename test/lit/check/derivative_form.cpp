// Derivatives of operators whose calls cannot be recorded.
// Why: The runtime records one list of tensors for a call, after its other differentiable inputs, and one list of results.
// Cure: Name other inputs in `backward`, or change the signature of the operator. Libraries for PyTorch can have derivatives
// of several lists and of optional ones.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
// RUN: sed 's/using namespace structured;/using at::Tensor; using at::TensorList;/; s/"mock.h"/"aten_mock.h"/; s/std::optional/c10::optional/; s/expected-/then-/' %s > %t.torch.cpp
// RUN: not %structured_gen check --dialect=torch --namespace=my %t.torch.cpp -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck --check-prefix=TORCH %s
// TORCH-NOT: `add_all`
// TORCH-NOT: `add_some`
// TORCH: error: `backward` for `parts` is for an operator that returns a list of tensors beside other results; expected a list alone, or tensors alone [structured-derivative-form]
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::kernel("add_all", "CPU", "Meta")]]
Tensor add_all(TensorList left, TensorList right);
// CHECK: derivative_form.cpp:[[@LINE+4]]:3: error: `backward` for `add_all` has the gradient of a second list, `right` beside `left`; expected the gradient of one list, or one list with all tensors [structured-derivative-form]
// expected-error@+3 {{`backward` for `add_all` has the gradient of a second list, `right` beside `left`; expected the gradient of one list, or one list with all tensors [structured-derivative-form]}}
// CHECK: derivative_form.cpp:[[@LINE-3]]:8: note: the operator is declared here
// expected-note@-4 {{the operator is declared here}}
[[structured::backward("add_all")]]
std::tuple<std::vector<Tensor>, std::vector<Tensor>> add_all_backward(const Tensor& grad);
// example end

[[structured::kernel("add_some", "CPU", "Meta")]]
Tensor add_some(const Tensor& self, std::optional<TensorList> others);
// CHECK: error: `backward` for `add_some` has the gradient of `others`, an optional list; expected a list, or the names of other inputs in `backward` [structured-derivative-form]
// expected-error@+3 {{`backward` for `add_some` has the gradient of `others`, an optional list; expected a list, or the names of other inputs in `backward` [structured-derivative-form]}}
// CHECK: note: the operator is declared here
// expected-note@-4 {{the operator is declared here}}
[[structured::backward("add_some")]]
std::tuple<Tensor, std::vector<Tensor>> add_some_backward(const Tensor& grad);

[[structured::kernel("parts", "CPU", "Meta")]]
std::tuple<std::vector<Tensor>, Tensor> parts(const Tensor& self);
// CHECK: error: `backward` for `parts` is for an operator that returns a list of tensors beside other results; expected a list alone, or tensors alone [structured-derivative-form]
// expected-error@+3 {{`backward` for `parts` is for an operator that returns a list of tensors beside other results; expected a list alone, or tensors alone [structured-derivative-form]}}
// CHECK: note: the operator is declared here
// expected-note@-4 {{the operator is declared here}}
[[structured::backward("parts")]]
Tensor parts_backward(const Tensor& self);

[[structured::kernel("clear_", "CPU", "Meta")]]
void clear_(Tensor& self, const Tensor& other);
// CHECK: error: `backward` for `clear_` is for an in-place operator that returns nothing; expected an operator that returns `self`, or a functional one [structured-derivative-form]
// expected-error@+3 {{`backward` for `clear_` is for an in-place operator that returns nothing; expected an operator that returns `self`, or a functional one [structured-derivative-form]}}
// CHECK: note: the operator is declared here
// expected-note@-4 {{the operator is declared here}}
[[structured::backward("clear_", "other")]]
Tensor clear_backward(const Tensor& other);

// Near misses: other inputs, one list, a list of results.
[[structured::kernel("scale_all", "CPU", "Meta")]]
std::vector<Tensor> scale_all(TensorList left, const Tensor& scale, TensorList right);
[[structured::backward("scale_all", "left", "scale")]]
std::tuple<std::vector<Tensor>, Tensor> scale_all_backward(const Tensor& scale);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 4 errors generated.
