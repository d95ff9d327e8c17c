// Fragments record why emitted code cannot link to a function; the checks report it.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs > %t.json
// RUN: FileCheck %s < %t.json

#include "mock.h"

namespace demo {
using structured::Tensor;

// CHECK-NOT: "linkage_errors"
// CHECK: "name": "demo::fine"
[[structured::kernel("a", "CPU")]] Tensor fine(const Tensor& self);

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_template"
// CHECK-NEXT: ]
// CHECK-NEXT: "name": "demo::generic"
template <class T>
[[structured::kernel("a", "CPU")]] Tensor generic(const T& self);

struct Class {
  // CHECK:      "linkage_errors": [
  // CHECK-NEXT:  "is_member"
  // CHECK-NEXT: ]
  // CHECK-NEXT: "name": "demo::Class::member"
  [[structured::kernel("a", "CPU")]] Tensor member(const Tensor& self);
  // CHECK:      "linkage_errors": [
  // CHECK-NEXT:  "is_member"
  // CHECK-NEXT: ]
  // CHECK-NEXT: "name": "demo::Class::static_member"
  [[structured::kernel("a", "CPU")]] static Tensor static_member(const Tensor& self);
};

template <class T>
struct ClassTemplate {
  // CHECK:      "linkage_errors": [
  // CHECK-NEXT:  "is_template",
  // CHECK-NEXT:  "is_member"
  // CHECK-NEXT: ]
  [[structured::kernel("a", "CPU")]] Tensor member(const Tensor& self);
};

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_static"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] static Tensor local(const Tensor& self);

namespace {
// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_in_unnamed_namespace"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] Tensor hidden(const Tensor& self);
}  // namespace

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_inline"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] inline Tensor inlined(const Tensor& self) { return self; }

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_constexpr"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] constexpr int constant(int n) { return n; }

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "returns_auto"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] auto deduced(const Tensor& self) { return self; }

// CHECK-NOT:  "linkage_errors"
// CHECK:      "name": "demo::trailing"
[[structured::kernel("a", "CPU")]] auto trailing(const Tensor& self) -> Tensor;

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_c_variadic"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] Tensor variadic(const Tensor& self, ...);

// CHECK:      "linkage_errors": [
// CHECK-NEXT:  "is_deleted"
// CHECK-NEXT: ]
[[structured::kernel("a", "CPU")]] Tensor deleted(const Tensor& self) = delete;

// CHECK:      "is_extern_c": true,
// CHECK-NEXT: "name": "demo::c_function"
extern "C" {
[[structured::kernel("a", "CPU")]] void c_function(const Tensor& self);
}

}  // namespace demo
