// Overloads that one use of a macro declares are different functions; each has a schema, in a header only once.
// RUN: %structured_gen scan -o %t.json %s -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: %structured_gen list %t.json | FileCheck --match-full-lines %s
// RUN: %structured_gen list %t.json %t.json | FileCheck --match-full-lines %s
#include "mock.h"

using namespace structured;

#define EACH(name)                                                                                     \
  [[structured::kernel(name ".double", "CPU", "Meta")]] Tensor each(const Tensor& self, double value);  \
  [[structured::kernel(name ".int", "CPU", "Meta")]] Tensor each(const Tensor& self, int64_t value);    \
  [[structured::kernel(name ".Tensor", "CPU", "Meta")]] Tensor each(const Tensor& self, const Tensor& value); \
  [[structured::kernel(name, "CPU", "Meta")]] Tensor each(const Tensor& self)

namespace kernels {
EACH("each");
}  // namespace kernels

// CHECK: each(Tensor self) -> Tensor
// CHECK-NEXT: each.Tensor(Tensor self, Tensor value) -> Tensor
// CHECK-NEXT: each.double(Tensor self, float value) -> Tensor
// CHECK-NEXT: each.int(Tensor self, int value) -> Tensor
// CHECK-NOT: each
