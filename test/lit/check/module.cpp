// A kernel source that imports a C++ module, or belongs to one.
// Why: Scans read one source without the modules that a build compiles. Emitted code declares annotated functions again,
// which no code outside of their module can do.
// Cure: Include headers in kernel sources. Code that needs a module belongs in a source without annotations.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
#include "mock.h"

// example begin
// CHECK: module.cpp:[[@LINE+1]]:1: error: a kernel source has `import`, and scans read no modules; include a header, or move the code that needs the module to a source without annotations [structured-module]
import std;
// example end

using namespace structured;

namespace kernels {

// The errors that follow have the same cause.
Tensor rotated(const std::array<nothing, 3>& self);
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, std::optional<unknown> factor);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
