// Warnings of the plugin honor -w and -Werror like Clang's own.
//
// RUN: %clangxx -fplugin=%plugin -I%S/../Inputs -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %clangxx -fplugin=%plugin -I%S/../Inputs -c -o %t.o %s -w 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: rm %t.o
// RUN: not %clangxx -fplugin=%plugin -I%S/../Inputs -c -o %t.o %s -Werror 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t.o
// WARNING: warnings.cpp:[[@LINE+9]]:{{[0-9]+}}: warning: {{.*}} [structured-impl-default]
// WARNING: 2 warnings generated.
// ERROR: warnings.cpp:[[@LINE+7]]:{{[0-9]+}}: error: {{.*}} [structured-impl-default]
// QUIET-NOT: warning

#include "mock.h"
namespace demo {
using namespace structured;
[[structured::meta("a", "a.out")]] void a_meta(MetaBase& op, const Tensor& self, double x) { op.set_output_raw_strided(0, {}, {}, {}); }
[[structured::impl("a.out", "CPU")]] void a_cpu(MetaBase& op, const Tensor& self, double x = 1.0, const Tensor& out = Tensor()) {}
}  // namespace demo
