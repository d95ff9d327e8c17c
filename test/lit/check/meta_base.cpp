// The first parameter of a meta function is the operator's base.
// Why: The first parameter of a meta function is the object that receives the outputs' shapes: a mutable `MetaBase`, or
// an object of a class derived from it.
// Cure: Take `MetaBase& op` or `TensorIteratorBase& op` first.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: meta_base.cpp:[[@LINE+3]]:17: error: `meta` for `twice` takes `const Tensor&` first; expected a reference to `structured::MetaBase` or to a class derived from it [structured-meta-base]
// expected-error@+2 {{`meta` for `twice` takes `const Tensor&` first; expected a reference to `structured::MetaBase` or to a class derived from it [structured-meta-base]}}
[[structured::meta("twice")]]
void twice_meta(const Tensor& self);
[[structured::impl("twice", "CPU")]]
void twice_cpu(const Tensor& self, const Tensor& out);
// example end

// CHECK: meta_base.cpp:[[@LINE+3]]:18: error: `meta` for `thrice` takes its base as `const MetaBase&`; expected a reference to non-const, `MetaBase&` [structured-meta-base]
// expected-error@+2 {{`meta` for `thrice` takes its base as `const MetaBase&`; expected a reference to non-const, `MetaBase&` [structured-meta-base]}}
[[structured::meta("thrice")]]
void thrice_meta(const MetaBase& op, const Tensor& self);
[[structured::impl("thrice", "CPU")]]
void thrice_cpu(const Tensor& self, const Tensor& out);

// CHECK: meta_base.cpp:[[@LINE+3]]:16: error: `meta` for `zero` has no parameters; expected `structured::MetaBase&` first [structured-meta-base]
// expected-error@+2 {{`meta` for `zero` has no parameters; expected `structured::MetaBase&` first [structured-meta-base]}}
[[structured::meta("zero")]]
void zero_meta();
[[structured::impl("zero", "CPU")]]
void zero_cpu(const Tensor& out);

// Near miss: a class derived from the base.
[[structured::meta("half")]]
void half_meta(TensorIteratorBase& op, const Tensor& self);
[[structured::impl("half", "CPU")]]
void half_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
