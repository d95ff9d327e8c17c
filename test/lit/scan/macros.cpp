// Functions and attributes spelled by a macro are located at its expansion, in every run.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs > %t.json
// RUN: FileCheck %s < %t.json

#include "mock.h"

#define KERNEL(name, suffix) \
  [[structured::kernel(#name, "CPU")]] structured::Tensor name##suffix(const structured::Tensor& self, double x = 2 * 1e-5)
#define ON_CPU(name) [[structured::kernel(name, "CPU")]]
#define TENSOR const structured::Tensor&

namespace demo {

// CHECK:      "range": "[[@LINE+9]]:1-[[@LINE+9]]:19",
// CHECK-NEXT: "value": "relu"
// CHECK:      "name": "demo::relu_cpu"
// CHECK:      "text": "2 * 1e-05"
// CHECK-NEXT: "value": "2e-05"
// CHECK:      "range": "[[@LINE+4]]:1-[[@LINE+4]]:19",
// CHECK-NEXT: "type": {
// CHECK-NEXT:   "canonical": "double",
// CHECK-NEXT:   "written": "double"
KERNEL(relu, _cpu);

// CHECK:      "range": "[[@LINE+7]]:1-[[@LINE+7]]:14",
// CHECK-NEXT: "value": "exp"
// CHECK:      "name": "demo::exp_cpu",
// CHECK:      "name": "self",
// CHECK:      "canonical": "const structured::Tensor &",
// CHECK:      "range": "[[@LINE+2]]:1-[[@LINE+2]]:54",
// CHECK:      "result": {
ON_CPU("exp") structured::Tensor exp_cpu(TENSOR self);

}  // namespace demo
