// Default arguments: the text as written, and the value if it is a number, a bool or a string.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs > %t.json
// RUN: FileCheck %s < %t.json

#include "mock.h"

#define EPSILON 1e-5
#define NOTHING std::nullopt

namespace demo {
using namespace structured;

// CHECK:      "literal": "1",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "1",
// CHECK-NEXT: "value": "1"
// CHECK:      "literal": "1e-5",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "1e-5",
// CHECK-NEXT: "value": "1e-05"
// CHECK:      "literal": "1.0",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "1.0",
// CHECK-NEXT: "value": "1.0"
// CHECK:      "default_argument": {
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "1e-05",
// CHECK-NEXT: "value": "1e-05"
// CHECK:      "literal": "-1",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "-1",
// CHECK-NEXT: "value": "-1"
// CHECK:      "text": "true",
// CHECK-NEXT: "value": "true"
// CHECK:      "is_initial": true,
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "std::nullopt"
// CHECK:      "is_initial": true,
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "std::nullopt"
// CHECK:      "is_initial": true,
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "{}"
// CHECK:      "elements": [
// CHECK-NEXT:  {
// CHECK-NEXT:   "literal": "0",
// CHECK-NEXT:   "value": "0"
// CHECK-NEXT:  },
// CHECK-NEXT:  {
// CHECK-NEXT:   "literal": "0x10",
// CHECK-NEXT:   "value": "16"
// CHECK-NEXT:  }
// CHECK-NEXT: ],
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "{0, 0x10}"
// CHECK:      "literal": "0",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "0",
// CHECK-NEXT: "value": "0"
// CHECK:      "enumerator": "structured::Reduction::Mean",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "Reduction::Mean",
// CHECK-NEXT: "value": "1"
// CHECK:      "enumerator": "structured::MemoryFormat::Contiguous",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "MemoryFormat::Contiguous",
// CHECK-NEXT: "value": "0"
// CHECK:      "enumerator": "structured::ScalarType::Float",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "kFloat",
// CHECK-NEXT: "value": "6"
// CHECK:      "literal": "\"constant\"",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "\"constant\"",
// CHECK-NEXT: "value": "constant"
// CHECK:      "literal": "0.1f",
// CHECK-NEXT: "range": "
// CHECK-NEXT: "text": "0.1f",
// CHECK-NEXT: "value": "0.10000000149011612"
// CHECK:      "text": "2 * 3",
// CHECK-NEXT: "value": "6"
// CHECK:      "text": "1.0 / 3",
// CHECK-NEXT: "value": "0.3333333333333333"
[[structured::kernel("f", "CPU")]]
void f(const Scalar& alpha = 1, double eps = 1e-5, double one = 1.0, double from_macro = EPSILON, int64_t dim = -1,
       bool keepdim = true, std::optional<double> scale = std::nullopt, std::optional<int64_t> end = NOTHING,
       IntArrayRef stride = {}, IntArrayRef dims = {0, 0x10}, IntArrayRef padding = 0,
       int64_t reduction = Reduction::Mean, MemoryFormat format = MemoryFormat::Contiguous, ScalarType dtype = kFloat,
       std::string_view mode = "constant", double tenth = 0.1f, int64_t six = 2 * 3, double third = 1.0 / 3);

// A default argument is inherited from an earlier declaration.
// CHECK:      "text": "7",
// CHECK-NEXT: "value": "7"
void later(int64_t n = 7);
[[structured::kernel("later", "CPU")]] void later(int64_t n);

}  // namespace demo
