// Emitted code must be able to include the definitions of operator bases and precomputed values.
// Why: Emitted code derives the operator's class from the base class and stores the precomputed values, so it must
// include the definitions of both classes.
// Cure: Move the class to a header that the source includes.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
class HiddenBase : public MetaBase {};
struct HiddenPlan {
  int64_t blocks;
};

// CHECK: hidden_class.cpp:[[@LINE+9]]:1: error: `kernels::HiddenPlan`, the type of the precomputed values, is not defined in a header; expected one that emitted code can include [structured-hidden-class]
// expected-error@+8 {{`kernels::HiddenPlan`, the type of the precomputed values, is not defined in a header; expected one that emitted code can include [structured-hidden-class]}}
// CHECK: hidden_class.cpp:[[@LINE-6]]:8: note: `kernels::HiddenPlan` defined here
// expected-note@-7 {{`kernels::HiddenPlan` defined here}}
// CHECK: hidden_class.cpp:[[@LINE+5]]:23: error: `kernels::HiddenBase`, the operator's base, is not defined in a header; expected one that emitted code can include [structured-hidden-class]
// expected-error@+4 {{`kernels::HiddenBase`, the operator's base, is not defined in a header; expected one that emitted code can include [structured-hidden-class]}}
// CHECK: hidden_class.cpp:[[@LINE-11]]:7: note: `kernels::HiddenBase` defined here
// expected-note@-12 {{`kernels::HiddenBase` defined here}}
[[structured::meta("twice")]]
HiddenPlan twice_meta(HiddenBase& op, const Tensor& self);
[[structured::impl("twice", "CPU")]]
void twice_cpu(const Tensor& self, const HiddenPlan& plan, const Tensor& out);
// example end

// Near miss: the body of an impl may use any class.
[[structured::meta("half")]]
void half_meta(TensorIteratorBase& op, const Tensor& self);
[[structured::impl("half", "CPU")]]
void half_cpu(const Tensor& self, const Tensor& out) {
  HiddenPlan plan{1};
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
