// Names that do not form functional, in-place and out variants.
// Why: The variants of one operator share a base name: `add.Tensor`, `add_.Tensor`, `add.out`. A variant with another
// base name belongs to another operator.
// Cure: List the functional variant first, then the in-place variant with the same base and `_`, then one out variant.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: variant_name.cpp:[[@LINE+2]]:34: error: in-place variant `sub_.Tensor` does not belong to `add.Tensor`; expected `add_.Tensor` [structured-variant-name]
// expected-error@+1 {{in-place variant `sub_.Tensor` does not belong to `add.Tensor`; expected `add_.Tensor` [structured-variant-name]}}
[[structured::meta("add.Tensor", "sub_.Tensor", "add.out")]]
void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& out);
// example end

// CHECK: variant_name.cpp:[[@LINE+2]]:20: error: `mul_` is in-place, because its name ends in `_`, but is the first name of `meta`; expected the functional variant first, which has another name [structured-variant-name]
// expected-error@+1 {{`mul_` is in-place, because its name ends in `_`, but is the first name of `meta`; expected the functional variant first, which has another name [structured-variant-name]}}
[[structured::meta("mul_", "mul.out")]]
void mul_meta(MetaBase& op, const Tensor& self);
[[structured::impl("mul.out", "CPU")]]
void mul_cpu(const Tensor& self, const Tensor& out);

// CHECK: variant_name.cpp:[[@LINE+4]]:38: error: `div.output` is a second out variant; expected one of each kind [structured-variant-name]
// expected-error@+3 {{`div.output` is a second out variant; expected one of each kind [structured-variant-name]}}
// CHECK: variant_name.cpp:[[@LINE+2]]:27: note: the first one is `div.out`
// expected-note@+1 {{the first one is `div.out`}}
[[structured::meta("div", "div.out", "div.output")]]
void div_meta(MetaBase& op, const Tensor& self);
[[structured::impl("div", "CPU")]]
void div_cpu(const Tensor& self, const Tensor& out);

// CHECK: variant_name.cpp:[[@LINE+4]]:27: error: `no_out` leaves off the out variant, and `rem.out` names it; expected the name or `no_out`, not both [structured-variant-name]
// expected-error@+3 {{`no_out` leaves off the out variant, and `rem.out` names it; expected the name or `no_out`, not both [structured-variant-name]}}
// CHECK: variant_name.cpp:[[@LINE+2]]:39: note: `no_out` is here
// expected-note@+1 {{`no_out` is here}}
[[structured::meta("rem", "rem.out"), structured::no_out]]
void rem_meta(MetaBase& op, const Tensor& self);
[[structured::impl("rem", "CPU")]]
void rem_cpu(const Tensor& self, const Tensor& out);

// CHECK: variant_name.cpp:[[@LINE+2]]:72: error: `view.out` does not belong to `flat`; expected the base name `flat` [structured-variant-name]
// expected-error@+1 {{`view.out` does not belong to `flat`; expected the base name `flat` [structured-variant-name]}}
[[structured::kernel("flat", "CPU", "Meta"), structured::variants(     "view.out")]]
Tensor flat(const Tensor& self);

// CHECK: variant_name.cpp:[[@LINE+2]]:64: error: out variant `fill.out` of the in-place `fill_` needs a functional variant; expected `fill` before it [structured-variant-name]
// expected-error@+1 {{out variant `fill.out` of the in-place `fill_` needs a functional variant; expected `fill` before it [structured-variant-name]}}
[[structured::kernel("fill_", "CPU"), structured::variants(    "fill.out"), structured::allow("no-meta-kernel")]]
Tensor& fill(Tensor& self);

// CHECK: variant_name.cpp:[[@LINE+2]]:48: error: no variant of `row` can be derived: its kernel returns a view of `self` [structured-variant-name]
// expected-error@+1 {{no variant of `row` can be derived: its kernel returns a view of `self` [structured-variant-name]}}
[[structured::kernel("row", "CPU", "Meta"),    structured::variants("row.out")]]
Tensor row([[structured::alias("a")]] const Tensor& self);

// CHECK: variant_name.cpp:[[@LINE+2]]:48: error: no variant of `peek` can be derived: its kernel modifies `state` [structured-variant-name]
// expected-error@+1 {{no variant of `peek` can be derived: its kernel modifies `state` [structured-variant-name]}}
[[structured::kernel("peek", "CPU", "Meta"),   structured::variants("peek.out")]]
Tensor peek(const Tensor& self, Tensor& state);

// CHECK: variant_name.cpp:[[@LINE+2]]:48: error: no variant of `count` can be derived: its kernel returns `int64_t`, which is not a new tensor [structured-variant-name]
// expected-error@+1 {{no variant of `count` can be derived: its kernel returns `int64_t`, which is not a new tensor [structured-variant-name]}}
[[structured::kernel("count", "CPU", "Meta"),  structured::variants("count.out")]]
int64_t count(const Tensor& self);

// CHECK: variant_name.cpp:[[@LINE+2]]:87: error: no variant of `one` can be derived: its kernel is the kernel of several operators [structured-variant-name]
// expected-error@+1 {{no variant of `one` can be derived: its kernel is the kernel of several operators [structured-variant-name]}}
[[structured::kernel("one", "CPU", "Meta"), structured::kernel("two", "CPU", "Meta"), structured::variants("one.out")]]
Tensor one(const Tensor& self);

// Near miss: overloads of the variants may differ.
[[structured::meta("pow.Tensor_Scalar", "pow_.Scalar", "pow.Tensor_Scalar_out")]]
void pow_meta(MetaBase& op, const Tensor& self);
[[structured::impl("pow_.Scalar", "CPU")]]
void pow_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: {{[0-9]+}} errors generated.
