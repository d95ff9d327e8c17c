// Applying the edits of structured-schema-name leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix --dialect=torch %t.cpp -- -std=c++20 -I%S/../../derive/Inputs -I%runtime
// RUN: %structured_gen check --dialect=torch %t.cpp -- -std=c++20 -I%S/../../derive/Inputs -I%runtime 2>&1 | count 0
// RUN: FileCheck --input-file %t.cpp %s
#include "aten_mock.h"

namespace kernels {

// All functions of an operator get the new name.
[[structured::meta("scale", "scale.out")]]
void scale_meta(at::TensorIteratorBase& op, const at::Tensor& self, double is);
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(at::TensorIteratorBase& op, const at::Tensor& self, double is, const at::Tensor& out);

}  // namespace kernels

// CHECK: void scale_meta(at::TensorIteratorBase& op, const at::Tensor& self, double is_);
// CHECK: void scale_cpu(at::TensorIteratorBase& op, const at::Tensor& self, double is_, const at::Tensor& out);
