// Properties that impls require of tensors by the type of a parameter.
// Why: Wrappers check a refined tensor once, before the meta function. A property that only the impl requires would not
// be checked, and the Meta backend would accept tensors that other backends cannot use.
// Cure: Give the parameter of the meta function the same type, or a type with more properties.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("trace", "trace.out")]]
void trace_meta(MetaBase& op, const Tensor& self);

// CHECK: refinement.cpp:[[@LINE+5]]:16: error: `impl` for `trace.out` requires `self` with 2 dimensions, which `meta` does not require [structured-refinement]
// expected-error@+4 {{`impl` for `trace.out` requires `self` with 2 dimensions, which `meta` does not require [structured-refinement]}}
// CHECK: refinement.cpp:[[@LINE-4]]:31: note: `meta` parameter declared here
// expected-note@-5 {{`meta` parameter declared here}}
[[structured::impl("trace.out", "CPU")]]
void trace_cpu(RankedTensor<2> self, const Tensor& out);
// example end

[[structured::meta("dot")]]
void dot_meta(MetaBase& op, RankedTensor<1> self, RankedTensor<1> other);

// Near misses: impls may require less than meta, and memory of their own backend.
[[structured::impl("dot", "CPU")]]
void dot_cpu(const Tensor& self, RankedTensor<1> other, const Tensor& out);
[[structured::impl("dot", "SparseCPU")]]
void dot_sparse(CPUTensor self, RefinedTensor<> other, const Tensor& out);

// CHECK: refinement.cpp:[[@LINE+5]]:15: error: `impl` for `dot` requires `self` with elements of type `float` and contiguous elements, which `meta` does not require [structured-refinement]
// expected-error@+4 {{`impl` for `dot` requires `self` with elements of type `float` and contiguous elements, which `meta` does not require [structured-refinement]}}
// CHECK: refinement.cpp:[[@LINE-10]]:29: note: `meta` parameter declared here
// expected-note@-11 {{`meta` parameter declared here}}
[[structured::impl("dot", "CUDA")]]
void dot_cuda(DenseTensor<float, 1> self, RankedTensor<1> other, const Tensor& out);

// CHECK: refinement.cpp:[[@LINE+3]]:18: error: `impl` for `dot` requires `self` with memory on `CPU`, but is for backend `PrivateUse1` [structured-refinement]
// expected-error@+2 {{`impl` for `dot` requires `self` with memory on `CPU`, but is for backend `PrivateUse1` [structured-refinement]}}
[[structured::impl("dot", "PrivateUse1")]]
void dot_private(CPUTensor self, RankedTensor<1> other, const Tensor& out);

// Properties by `requires` and by type are the same.
[[structured::meta("sum")]]
void sum_meta(MetaBase& op, [[structured::requires("float", "rank 2", "CPU")]] const Tensor& self);
[[structured::impl("sum", "CPU")]]
void sum_cpu(RefinedTensor<float, 2> self, const Tensor& out);

// CHECK: refinement.cpp:[[@LINE+5]]:66: error: `impl` for `sum` requires `self` with contiguous elements, which `meta` does not require [structured-refinement]
// expected-error@+4 {{`impl` for `sum` requires `self` with contiguous elements, which `meta` does not require [structured-refinement]}}
// CHECK: refinement.cpp:[[@LINE-6]]:29: note: `meta` parameter declared here
// expected-note@-7 {{`meta` parameter declared here}}
[[structured::impl("sum", "SparseCPU")]]
void sum_sparse([[structured::requires("rank 2", "contiguous")]] const Tensor& self, const Tensor& out);

// CHECK: refinement.cpp:[[@LINE+5]]:15: error: `impl` for `sum` is for backend `CUDA`, but `meta` requires `self` with memory on `CPU` [structured-refinement]
// expected-error@+4 {{`impl` for `sum` is for backend `CUDA`, but `meta` requires `self` with memory on `CPU` [structured-refinement]}}
// CHECK: refinement.cpp:[[@LINE-13]]:29: note: `meta` parameter declared here
// expected-note@-14 {{`meta` parameter declared here}}
[[structured::impl("sum", "CUDA")]]
void sum_cuda(const Tensor& self, const Tensor& out);

// CHECK: refinement.cpp:[[@LINE+3]]:46: error: `kernel` for `rows` requires `self` with memory on `CPU`, but is for backend `CUDA` [structured-refinement]
// expected-error@+2 {{`kernel` for `rows` requires `self` with memory on `CPU`, but is for backend `CUDA` [structured-refinement]}}
[[structured::kernel("rows", "CPU", "CUDA", "Meta")]]
int64_t rows([[structured::requires("CPU")]] const Tensor& self);

}  // namespace kernels
