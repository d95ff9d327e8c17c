// Applying the edits of structured-impl-mismatch leaves no errors.
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
void wrong_type(const Tensor& self, const Tensor& other, double alpha, const Tensor& out);
[[structured::impl("add.out", "CUDA")]]
void wrong_name(const Tensor& self, const Tensor& b, const Scalar& alpha, const Tensor& out);
[[structured::impl("add.out", "QuantizedCPU")]]
void wrong_order(const Tensor& other, const Tensor& self, const Scalar& alpha, const Tensor& out);
[[structured::impl("add.out", "SparseCPU")]]
void missing(const Tensor& self, const Tensor& out);
[[structured::impl("add.out", "PrivateUse1")]]
void additional(const Tensor& self, const Tensor& other, int64_t dim, const Scalar& alpha, const Tensor& out);
[[structured::impl("add.out", "PrivateUse2")]]
void wrong_base(MetaBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
[[structured::impl("add.out", "PrivateUse3")]]
void no_output(const Tensor& self, const Tensor& other, const Scalar& alpha);

}  // namespace kernels

// CHECK: void wrong_type(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void wrong_name(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void wrong_order(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void missing(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void additional(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void wrong_base(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// CHECK: void no_output(const Tensor& self, const Tensor& other, const Scalar& alpha, const structured::Tensor& out);
