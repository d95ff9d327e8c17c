// The checks run during compilation and report the same source ranges as the command line. Declarations that another
// source of the library may contain are not required.
//
// RUN: %clangxx -fplugin=%plugin -I%S/../Inputs -fsyntax-only -Xclang -verify %s
// RUN: %structured_gen check --partial %s -- -I%runtime -I%S/../Inputs > %t.out 2>&1; test $? = 1
// RUN: %clangxx -fplugin=%plugin -I%S/../Inputs -fsyntax-only %s > %t.plugin 2>&1; test $? = 1
// RUN: sed -e 's,^%S/,,' -e '/generated/d' %t.plugin > %t.plugin.lines
// RUN: sed -e 's,^%S/,,' -e '/generated/d' %t.out > %t.out.lines
// RUN: grep -o '[a-z_.]*:[0-9]*:[0-9]*: .*' %t.plugin.lines > %t.expected
// RUN: grep -o '[a-z_.]*:[0-9]*:[0-9]*: .*' %t.out.lines | diff - %t.expected

#include "mock.h"

namespace demo {
using namespace structured;

// expected-note@+2 {{`meta` parameter declared here}}
[[structured::meta("scale", "scale.out")]]
void scale_meta(MetaBase& op, const Tensor& self, double factor) { op.set_output_raw_strided(0, {}, {}, {}); }

// expected-error@+2 {{[structured-impl-mismatch]}}
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(MetaBase& op, const Tensor& self, int64_t factor, const Tensor& out) {}

// A meta function without an impl here, and an impl without its meta function.
[[structured::meta("elsewhere")]]
void elsewhere_meta(MetaBase& op, const Tensor& self) { op.set_output_raw_strided(0, {}, {}, {}); }
[[structured::impl("other_source.out", "CPU")]]
void other_source_cpu(MetaBase& op, const Tensor& self, const Tensor& out) {}

// expected-error@+1 {{parameter `n` is `int`, which has no schema type; expected `int64_t` [structured-unsupported-type]}}
[[structured::kernel("count", "CPU", "Meta")]] Tensor count(const Tensor& self, int n);

// expected-error@+1 {{[structured-unknown-backend]}}
[[structured::kernel("f", "CPUU", "Meta")]] Tensor f(const Tensor& self);

}  // namespace demo
