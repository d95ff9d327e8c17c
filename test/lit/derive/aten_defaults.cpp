// An empty optional is the default value of every optional tensor type of ATen.
// RUN: %structured_gen scan --dialect=aten -o %t.json %s -- -std=c++20 -I%S/Inputs -I%runtime
// RUN: %structured_gen emit --dialect=aten --output-dir %t.gen %t.json
// RUN: %structured_gen list --dialect=aten %t.gen/operators.json | FileCheck %s
#include "aten_mock.h"

// CHECK: limit(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor
[[structured::composite("limit")]]
at::Tensor limit(const at::Tensor& self, const c10::optional<at::Tensor>& min = {}, at::OptionalTensorRef max = {});
