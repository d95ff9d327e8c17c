// A misspelt attribute of the C++ standard.
// Why: clang++ cannot disable its warning about unknown attributes for one namespace, so `structured/annotate.h` disables
// it for all of them.
// Cure: Apply the suggestion, or write the namespace of an attribute that is not the standard's.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The kind does not depend on whether the attribute came from a source or a fragment.
// RUN: %structured_gen scan -o %t.json %s -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: %structured_gen check %t.json 2>&1 | FileCheck %s
// With the plugin, and in g++, the compiler warns.
// RUN: %clangxx -fsyntax-only -fplugin=%plugin -I%S/../Inputs %s 2>&1 | FileCheck --check-prefix=COMPILER %s
// RUN: %gxx -fsyntax-only -I%S/../Inputs %s 2>&1 | FileCheck --check-prefix=COMPILER %s
// COMPILER: warning: {{.*}}nodicard
// COMPILER: warning: {{.*}}mabe_unused
// COMPILER: warning: {{.*}}fast
#include <structured/annotate.h>

#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: misspelt_attribute.cpp:[[@LINE+1]]:3: warning: unknown attribute `nodicard`; did you mean `nodiscard`? [structured-misspelt-attribute]
[[nodicard]] int count(int dim);
// example end

// CHECK: misspelt_attribute.cpp:[[@LINE+1]]:35: warning: unknown attribute `mabe_unused`; did you mean `maybe_unused`? [structured-misspelt-attribute]
[[structured::composite("twice"), mabe_unused]]
Tensor twice(const Tensor& self);

// A body that the scan skips.
int rows(int dim) {
  // CHECK: misspelt_attribute.cpp:[[@LINE+1]]:5: warning: unknown attribute `fast`; expected an attribute of the C++ standard, or a namespace as in `gnu::fast` [structured-misspelt-attribute]
  [[fast]] int result = dim;
  return result;
}

// Near misses: attributes of the standard, and of other namespaces, and one that is allowed.
[[nodiscard("half"), noreturn, __maybe_unused__]] int half(int dim);
[[gnu::noinline, gnu::hot]] int third(int dim);
[[using gnu: noinline, hot]] int fourth([[maybe_unused]] int dim);
[[structured::composite("thrice")]] [[deprecated("use twice")]]
Tensor thrice(const Tensor& self, [[structured::kwonly]] [[maybe_unused]] bool flag = false);
[[structured::composite("fifth"), structured::allow("misspelt-attribute"), vendor]]
Tensor fifth(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 warnings generated.
