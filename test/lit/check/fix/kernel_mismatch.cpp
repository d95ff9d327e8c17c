// Applying the edits of structured-kernel-mismatch leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, double alpha);
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor& add_sparse_(Tensor& self, const Tensor& b, const Scalar& alpha);

[[structured::kernel("flip", "CPU")]]
Tensor flip_cpu(const Tensor& self, int64_t dim);
[[structured::kernel("flip", "CUDA")]]
Tensor flip_cuda(const Tensor& self, double dim);
[[structured::kernel("flip", "Meta")]]
std::vector<Tensor> flip_meta(const Tensor& self, int64_t axis);

}  // namespace kernels

// CHECK: Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha);
// CHECK: Tensor& add_sparse_(Tensor& self, const Tensor& other, const Scalar& alpha);
// CHECK: Tensor flip_cuda(const Tensor& self, int64_t dim);
// CHECK: Tensor flip_meta(const Tensor& self, int64_t dim);
