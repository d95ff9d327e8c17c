// A library for libtorch has no public C++ functions, with which the author's functions could collide.
// RUN: %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: not %structured_gen check --namespace=my %S/../check/overload_collision.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// The namespaces of PyTorch are its own.
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -DIN_ATEN -I%S/../derive/Inputs -I%runtime
// RUN: not %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json 2>&1 | FileCheck %s
// CHECK: torch_names.cpp:16:22: error: `aten::narrow` is in the namespace `aten` of PyTorch, which defines its operators already; expected a namespace of your own, or `IMPORTS aten` to add kernels to PyTorch's operators [structured-operator-name]
#include "aten_mock.h"

namespace my {

[[structured::kernel("narrow", "CPU", "Meta")]] at::Tensor narrow(const at::Tensor& self, int64_t size);
[[structured::kernel("narrow.start", "CPU", "Meta")]] at::Tensor narrow_start(const at::Tensor& self, int64_t start);

#ifdef IN_ATEN
[[structured::kernel("aten::narrow", "CPU", "Meta")]] at::Tensor narrow_of_aten(const at::Tensor& self, int64_t size);
#endif

}  // namespace my
