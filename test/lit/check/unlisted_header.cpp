// A scalar function in a header that is not a source of the library.
// Why: Loops over a scalar function are emitted for the header that defines it, one source for each listed header.
// Cure: Add the header to the sources in `structured_add_library`.
// RUN: split-file %s %t && cd %t
// RUN: not %structured_gen check source.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Near misses: the header is a source, or the source is only a part of the library.
// RUN: %structured_gen check source.cpp gate.h -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
// RUN: %structured_gen check --partial source.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin source.cpp

// CHECK: gate.h:4:3: error: `pointwise` for `gate` is in `gate.h`, which is not a source of the library; add it to the sources in `structured_add_library`, or scan it and pass its fragment to `emit` [structured-unlisted-header]
// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.

// example begin
//--- gate.h
#include "mock.h"
template <typename T>
[[structured::pointwise("gate")]]
T gate(T self) {
  return self / (1 + self * self);
}
//--- source.cpp
#include "gate.h"
// example end
