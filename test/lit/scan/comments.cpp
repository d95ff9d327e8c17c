// The documentation comment is the text above the declaration without comment markers.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime | FileCheck %s

namespace demo {

// CHECK: "comment": "Adds two numbers.\n\nReally: `a + b`.",
/// Adds two numbers.
///
/// Really: `a + b`.
[[structured::kernel("a", "CPU")]] void a();

// CHECK: "comment": "Subtracts;\nin a block.",
/**
 * Subtracts;
 * in a block.
 */
[[structured::kernel("b", "CPU")]] void b();

// CHECK: "comment": "A template.",
/// A template.
template <class T>
[[structured::pointwise("d")]] T d(T self);

// A plain comment is not documentation.
// CHECK-NOT: "comment"
[[structured::kernel("c", "CPU")]] void c();

}  // namespace demo
