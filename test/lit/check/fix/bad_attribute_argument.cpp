// Applying the edits of structured-bad-attribute-argument leaves no errors.
// RUN: grep -v CHECK %s > %t.h
// RUN: %structured_gen check --fix %t.h -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.h -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -x c++ -I%S/../../Inputs -fplugin=%plugin %t.h
// RUN: FileCheck --input-file %t.h %s
#include "mock.h"

using namespace structured;

namespace kernels {

template <typename T>
[[structured::pointwise("third"), structured::promote("int_to_flaot"), structured::dtypes("flaot"),
  structured::no_cpp_default("scal")]]
T third(T self, [[structured::scalar]] T scale = 1) {
  return self * scale;
}

}  // namespace kernels

// CHECK: structured::promote("int_to_float"), structured::dtypes("float")
// CHECK: structured::no_cpp_default("scale")
