// An annotation in a preprocessor branch that the scan skips.
// Why: Scans read sources with Clang's macros and without the flags that select instructions or optimisations. A
// function that only another compiler sees would silently be no operator.
// Cure: Move the declaration out of the branch and keep only its body there. If the function is meant to be absent, add
// `allow("skipped-annotation")` to its attribute list.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The kind does not depend on whether the annotation came from a source or a fragment.
// RUN: %structured_gen scan -o %t.json %s -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: %structured_gen check %t.json 2>&1 | FileCheck %s
// The plugin is the compiler: what it skips is not compiled.
// RUN: %clangxx -fsyntax-only -Werror -I%S/../Inputs -fplugin=%plugin %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
#ifndef __clang__
// CHECK: skipped_annotation.cpp:[[@LINE+1]]:3: warning: `kernel` for `twice` is in a preprocessor branch that the scan skips, so the library does not have it; move the declaration out of the branch, which depends on the compiler or its flags [structured-skipped-annotation]
[[structured::kernel("twice", "CPU", "Meta")]]
Tensor twice(const Tensor& self);
#endif
// example end

#ifdef __clang__
#elif defined(__AVX2__)
// CHECK: skipped_annotation.cpp:[[@LINE+1]]:21: warning: `kernel` for `thrice` is in a
[[using structured: kernel("thrice", "CPU", "Meta"), dtypes("floating")]]
Tensor thrice(const Tensor& self);
#endif

#if __clang__
#else
// CHECK: skipped_annotation.cpp:[[@LINE+1]]:3: warning: `composite` for `fourth` is in a
[[structured::composite("fourth"), gnu::section("text")]]
Tensor fourth(const Tensor& self);
#endif

// Near misses: a condition that all compilers agree on, the same kernel in the branch that is read, a comment, and a
// function that may be absent.
#ifdef WITH_MKL
[[structured::kernel("mkl", "CPU", "Meta")]]
Tensor mkl(const Tensor& self);
#endif
#ifdef __GNUC__
[[structured::kernel("half", "CPU", "Meta")]]
Tensor half_gnu(const Tensor& self);
#else
[[structured::kernel("half", "CPU")]]
Tensor half(const Tensor& self);
#endif
#ifdef _OPENMP
// [[structured::kernel("parallel", "CPU", "Meta")]]
[[structured::kernel("openmp", "CPU", "Meta"), structured::allow("skipped-annotation")]]
Tensor openmp(const Tensor& self);
#endif

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 warnings generated.
