// Fragments contain every attribute with its arguments and their source ranges.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs | FileCheck %s
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs | FileCheck %s --check-prefix=NAMES

#include "mock.h"

namespace demo {
using structured::Tensor;

//      CHECK: "CPU"
//      CHECK: "arguments": [
// CHECK-NEXT: {
// CHECK-NEXT: "range": "[[@LINE+26]]:20-[[@LINE+26]]:23",
// CHECK-NEXT: "value": "a"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "range": "[[@LINE+22]]:25-[[@LINE+22]]:32",
// CHECK-NEXT: "value": "bc"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "range": "[[@LINE+18]]:34-[[@LINE+18]]:40",
// CHECK-NEXT: "value": "d\u0000e"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "range": "[[@LINE+14]]:42-[[@LINE+14]]:46",
// CHECK-NEXT: "value": "ü"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "range": "[[@LINE+10]]:48-[[@LINE+10]]:52",
// CHECK-NEXT: "value": ""
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "name": "tags",
// CHECK-NEXT: "range": "[[@LINE+5]]:3-[[@LINE+5]]:53"
// CHECK-NEXT: }
[[structured::kernel("f", "CPU")]]
// String arguments: plain, two adjacent literals, with an embedded NUL, outside ASCII, empty. Each literal, joined or
// not, is one argument.
[[structured::tags("a", "b" "c", "d\0e", "ü", u8"")]]
Tensor f(const Tensor& self);

// NAMES:      "name": "meta",
// NAMES:      "name": "impl",
// NAMES:      "name": "kernel",
// NAMES:      "name": "composite",
// NAMES:      "name": "backward",
// NAMES:      "name": "returns",
// NAMES:      "name": "out",
// NAMES:      "name": "method",
// NAMES:      "name": "no_cpp_default",
// NAMES:      "name": "dtypes",
// NAMES:      "name": "promote",
// NAMES:      "value": false
// NAMES:      "name": "device_check",
// NAMES:      "name": "kwonly",
// NAMES:      "value": 2
// NAMES:      "name": "size",
// NAMES:      "value": -1
// NAMES:      "name": "symint",
// NAMES:      "name": "alias",
// NAMES:      "name": "schema_default",
// NAMES:      "name": "scalar",
// NAMES:      "name": "tensor",
// NAMES:      "name": "pointwise",
[[using structured: meta("g"), impl("g", "CPU"), kernel("g", "CPU"), composite("g"), backward("g"),
  returns("x", "y"), out, method]]
[[structured::no_cpp_default("a"), structured::dtypes("CPU", "floating"), structured::promote("bool")]]
[[structured::device_check(false)]] Tensor g(
    [[structured::kwonly]] const Tensor& a, structured::IntArrayRef b [[structured::size(2), structured::symint(-1)]],
    [[structured::alias("a -> *")]] [[structured::schema_default("0")]] [[structured::scalar, structured::tensor]]
    const Tensor& c);

template <class T>
[[structured::pointwise("h")]] T h(T self);

}  // namespace demo
