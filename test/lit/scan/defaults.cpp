// Default arguments: the text as written, and what it evaluates to where that is a number, a bool or a string.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs > %t.json
// RUN: FileCheck %s < %t.json

#include "mock.h"

#define EPSILON 1e-5
#define NOTHING std::nullopt

namespace demo {
using namespace structured;

// CHECK:      "text": "1",
// CHECK-NEXT: "value": "1"
// CHECK:      "text": "1e-5",
// CHECK-NEXT: "value": "1e-05"
// CHECK:      "text": "1.0",
// CHECK-NEXT: "value": "1.0"
// CHECK:      "text": "1e-05",
// CHECK-NEXT: "value": "1e-05"
// CHECK:      "text": "-1",
// CHECK-NEXT: "value": "-1"
// CHECK:      "text": "true",
// CHECK-NEXT: "value": "true"
// CHECK:      "text": "std::nullopt"
// CHECK-NEXT: }
// CHECK:      "text": "std::nullopt"
// CHECK-NEXT: }
// CHECK:      "text": "{}"
// CHECK-NEXT: }
// CHECK:      "text": "{0, 1}"
// CHECK-NEXT: }
// CHECK:      "text": "0",
// CHECK-NEXT: "value": "0"
// CHECK:      "text": "Mean",
// CHECK-NEXT: "value": "1"
// CHECK:      "text": "MemoryFormat::Contiguous",
// CHECK-NEXT: "value": "0"
// CHECK:      "text": "kFloat",
// CHECK-NEXT: "value": "6"
// CHECK:      "text": "\"constant\"",
// CHECK-NEXT: "value": "constant"
// CHECK:      "text": "0.1f",
// CHECK-NEXT: "value": "0.1"
// CHECK:      "text": "2 * 3",
// CHECK-NEXT: "value": "6"
// CHECK:      "text": "1.0 / 3",
// CHECK-NEXT: "value": "0.3333333333333333"
[[structured::kernel("f", "CPU")]]
void f(const Scalar& alpha = 1, double eps = 1e-5, double one = 1.0, double from_macro = EPSILON, int64_t dim = -1,
       bool keepdim = true, std::optional<double> scale = std::nullopt, std::optional<int64_t> end = NOTHING,
       IntArrayRef stride = {}, IntArrayRef dims = {0, 1}, IntArrayRef padding = 0, int64_t reduction = Mean,
       MemoryFormat format = MemoryFormat::Contiguous, ScalarType dtype = kFloat,
       std::string_view mode = "constant", double tenth = 0.1f, int64_t six = 2 * 3, double third = 1.0 / 3);

// The default of an earlier declaration holds for this one.
// CHECK:      "text": "7",
// CHECK-NEXT: "value": "7"
void later(int64_t n = 7);
[[structured::kernel("later", "CPU")]] void later(int64_t n);

}  // namespace demo
