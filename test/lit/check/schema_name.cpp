// Names in schemas that PyTorch does not accept.
// Why: PyTorch parses schemas when it loads a library, with the keywords of TorchScript: `in`, `is`, `assert` and others
// that Python reserves. Names consist of letters of ASCII, digits and `_`. The load fails otherwise. Schemas of the
// dialect `native` may have these names, except for characters such as `$`.
// Cure: Choose another name, such as `in_` for `in`.
// RUN: not %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: sed 's/at::Tensor/structured::Tensor/g; s/aten_mock/mock/' %s > %t.native.cpp
// RUN: not %structured_gen check %t.native.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck --check-prefix=NATIVE %s
#include "aten_mock.h"

namespace kernels {

// example begin
// CHECK: schema_name.cpp:[[@LINE+2]]:49: error: argument `in` of `twice` has a name that PyTorch reserves in schemas; expected another one, such as `in_` [structured-schema-name]
[[structured::composite("twice")]]
at::Tensor twice(const at::Tensor& self, double in);
// example end

// CHECK: schema_name.cpp:[[@LINE+2]]:37: error: argument `größe` of `thrice` has a name that is not valid in schemas of PyTorch; expected letters of ASCII, digits and `_` [structured-schema-name]
[[structured::composite("thrice")]]
at::Tensor thrice(const at::Tensor& größe);

// CHECK: schema_name.cpp:[[@LINE+1]]:25: error: operator `assert` has a name that PyTorch reserves in schemas; expected another one [structured-schema-name]
[[structured::composite("assert")]]
at::Tensor check(const at::Tensor& self);

// CHECK: schema_name.cpp:[[@LINE+1]]:25: error: overload `default` of `half` has a name that PyTorch does not accept; expected a name other than `default` and keywords of Python that does not begin with `__` [structured-schema-name]
[[structured::composite("half.default")]]
at::Tensor half(const at::Tensor& self);

// CHECK: schema_name.cpp:[[@LINE+1]]:60: error: result `is` of `both` has a name that PyTorch reserves in schemas; expected another one [structured-schema-name]
[[structured::composite("both"), structured::returns("it", "is")]]
std::tuple<at::Tensor, at::Tensor> both(const at::Tensor& self);

// Other names are taken.
// CHECK: error: argument `is` of `other` has a name that PyTorch reserves in schemas; expected another one, such as `is__`
[[structured::composite("other")]]
at::Tensor other(const at::Tensor& is, const at::Tensor& is_);

// CHECK: error: argument `n$` of `dollar` has a name that is not valid in schemas of PyTorch
// NATIVE: error: argument `n$` of `dollar` has a name that is not valid in schemas; expected letters, digits and `_` [structured-schema-name]
[[structured::composite("dollar")]]
at::Tensor dollar(const at::Tensor& self, double n$);

// Near misses: names of types, and other words of schemas.
[[structured::composite("fork.int")]]
at::Tensor fork(const at::Tensor& Tensor_, double number, double None_);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 7 errors generated.
// NATIVE-NOT: {{error|warning}}:
// NATIVE: 1 error generated.
