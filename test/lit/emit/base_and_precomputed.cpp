// An operator base of the author, precomputed values, several outputs, and argument names that collide with those in
// wrappers.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime -I%S/Inputs
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/src/base_and_precomputed.cpp
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include -I%S/Inputs %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include -I%S/Inputs %t/all.cpp

#include <structured/core/tensor.h>

#include <cstdint>

#include "emit_base.h"

namespace acme::kernels {

using structured::OptionalIntArrayRef;
using structured::Tensor;

[[structured::meta("mean.dim", "mean.out")]]
Dims mean_meta(CountingBase& base, const Tensor& self, OptionalIntArrayRef dim, bool precomputed = false) {
  return {};
}
[[structured::impl("mean.out", "CPU")]]
void mean_cpu(const Tensor& self, bool precomputed, const Dims& dims, const Tensor& out) {}

[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices")]]
void max_meta(structured::MetaBase& base, const Tensor& op, int64_t guard) {}
[[structured::impl("max.dim_max", "CPU")]]
void max_cpu(const Tensor& op, int64_t guard, const Tensor& max, const Tensor& max_values) {}

}  // namespace acme::kernels

// CHECK: #include "emit_base.h"
// CHECK: ::structured::Functional<::structured::MetaBase, 2> op_;
// CHECK-NEXT: ::acme::kernels::max_meta(op_, op, guard);
// CHECK-NEXT: ::acme::kernels::max_cpu(op, guard, op_.output(0), op_.output(1));
// CHECK-NEXT: return std::move(op_).take_outputs();
// CHECK: ::structured::Out<::structured::MetaBase, 2> op_(max, max_values);
// CHECK: return {max, max_values};
// CHECK: ::structured::Functional<::acme::CountingBase, 1> op;
// CHECK-NEXT: const auto precomputed_ = ::acme::kernels::mean_meta(op, self, dim, precomputed);
// CHECK-NEXT: ::acme::kernels::mean_cpu(self, precomputed, precomputed_, op.output(0));
