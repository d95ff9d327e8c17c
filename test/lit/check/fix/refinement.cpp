// Applying the edits of structured-refinement leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::meta("trace", "trace.out")]]
void trace_meta(MetaBase& op, const Tensor& self);
[[structured::impl("trace.out", "CPU")]]
void trace_cpu(RankedTensor<2> self, const Tensor& out);

[[structured::meta("norm", "norm.out")]]
void norm_meta(MetaBase& op, const Tensor& self);
[[structured::impl("norm.out", "CUDA")]]
void norm_cuda(CPUTensor self, const Tensor& out);

[[structured::meta("sum", "sum.out")]]
void sum_meta(MetaBase& op, [[structured::requires("rank 2")]] const Tensor& self, const Tensor& other);
[[structured::impl("sum.out", "CPU")]]
void sum_cpu(DenseTensor<float, 2> self, [[structured::requires("long")]] const Tensor& other, const Tensor& out);

[[structured::kernel("rows", "CUDA", "Meta")]]
int64_t rows(CPUTensor self);

}  // namespace kernels

// CHECK: void trace_meta(MetaBase& op, RankedTensor<2> self);
// CHECK: void norm_cuda(const Tensor& self, const Tensor& out);
// CHECK: void sum_meta(MetaBase& op, {{\[\[}}structured::requires("rank 2", "float32", "contiguous")]] const Tensor& self, {{\[\[}}structured::requires("int64")]] const Tensor& other);
// CHECK: int64_t rows(const structured::Tensor& self);
