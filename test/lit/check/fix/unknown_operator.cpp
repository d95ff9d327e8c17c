// Applying the edits of structured-unknown-operator leaves no errors.
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

[[structured::impl("ad.out", "CUDA")]]
void add_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

[[structured::backward("add.Tensr")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad);

}  // namespace kernels

// CHECK: {{\[\[}}structured::impl("add.out", "CUDA")]]
// CHECK: {{\[\[}}structured::backward("add.Tensor")]]
