// A kernel with the form of an in-place variant, and a name that is not in-place.
// Why: Only a name that ends in `_` makes `self` the result of an in-place variant. With another name, a mutable tensor
// that is returned is an out argument: the C++ function is `zap_out`, and the operator has no argument that is read.
// Cure: Add the underscore. An out variant that modifies nothing else has the overload `out`.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: missing_underscore.cpp:[[@LINE+2]]:22: warning: kernel for `zap` modifies and returns `self`, so its only argument is an out argument; expected the in-place name `zap_` [structured-missing-underscore]
// expected-warning@+1 {{kernel for `zap` modifies and returns `self`, so its only argument is an out argument; expected the in-place name `zap_` [structured-missing-underscore]}}
[[structured::kernel("zap", "CPU", "Meta")]]
// CHECK: missing_underscore.cpp:[[@LINE+2]]:13: note: `self` declared here
// expected-note@+1 {{`self` declared here}}
Tensor& zap(Tensor& self);
// example end

// Near misses: an in-place name, an out variant, another argument.
[[structured::kernel("half_", "CPU", "Meta")]]
Tensor& half_(Tensor& self);
[[structured::kernel("zero.out", "CPU", "Meta")]]
Tensor& zero_out(Tensor& self);
[[structured::kernel("fill", "CPU", "Meta")]]
Tensor& fill(Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 warning generated.
