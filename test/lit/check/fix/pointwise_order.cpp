// Applying the edits of structured-pointwise-order leaves no errors.
// RUN: grep -v CHECK %s > %t.h
// RUN: %structured_gen check --fix %t.h -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.h -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin -x c++ %t.h
// RUN: FileCheck --input-file %t.h %s
#include "mock.h"

using namespace structured;

namespace kernels {

template <typename T>
[[structured::pointwise("gate")]]
T gate(T self) {
  return self > T(0) ? self : T(0);
}
template <typename T>
[[using structured: pointwise("least"), method]]
T least(T self, T other) {
  return self <= other ? self : other;
}

}  // namespace kernels

// CHECK: {{\[\[}}structured::pointwise("gate"), structured::dtypes("floating", "integral", "bool")]]
// CHECK: {{\[\[}}using structured: pointwise("least"), dtypes("floating", "integral", "bool"), method]]
