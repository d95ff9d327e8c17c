// Names of operators and arguments that Python reserves.
// Why: PyTorch accepts the name in a schema, but a call in Python cannot say `lambda=0.5`, and code that `torch.compile`
// and `torch.export` write for such a call is not valid. In Python modules of the dialect `native`, calls say `lambda_=0.5`.
// Cure: Choose another name, such as `lambda_`. Callers that pass the argument by position are not affected. Or suppress the
// warning with `allow("python-keyword")`.
// RUN: %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: sed 's/at::Tensor/structured::Tensor/g; s/aten_mock/mock/' %s > %t.native.cpp
// RUN: %structured_gen check %t.native.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
#include "aten_mock.h"

namespace kernels {

// example begin
// CHECK: python_keyword.cpp:[[@LINE+2]]:50: warning: argument `lambda` of `shrink` has the name of a keyword of Python, so that calls cannot pass it by name; expected another one, such as `lambda_` [structured-python-keyword]
[[structured::composite("shrink")]]
at::Tensor shrink(const at::Tensor& self, double lambda);
// example end

// CHECK: python_keyword.cpp:[[@LINE+1]]:25: warning: operator `yield` has the name of a keyword of Python, so that a call is `getattr(torch.ops.my, "yield")(...)`; expected another one [structured-python-keyword]
[[structured::composite("yield")]]
at::Tensor yield(const at::Tensor& self);

// Near misses: suppressed, and overloads.
[[structured::composite("place.from"), structured::allow("python-keyword")]]
at::Tensor place(const at::Tensor& self, double from);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 warnings generated.
