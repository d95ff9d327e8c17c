// `allow` suppresses warnings, and all diagnostics about a body, on one function.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::kernel("quiet", "CPU"), structured::allow("no-meta-kernel")]]
Tensor quiet(const Tensor& self);
// The printed name of the kind is accepted as well.
[[structured::kernel("silent", "CPU"), structured::allow("structured-no-meta-kernel", "impl-default")]]
Tensor silent(const Tensor& self);
// CHECK: allow.cpp:[[@LINE+1]]:22: warning: `loud` has no kernel for `Meta`,
[[structured::kernel("loud", "CPU"), structured::allow("impl-default")]]
Tensor loud(const Tensor& self);

// A path that no call takes.
[[structured::meta("clip"), structured::allow("output-unset")]]
void clip_meta(MetaBase& op, const Tensor& self, bool keep) {
  if (keep) op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("clip", "CPU")]]
void clip_cpu(const Tensor& self, bool keep, const Tensor& out);

[[structured::meta("crop")]]
void crop_meta(MetaBase& op, const Tensor& self, bool keep) {
  if (keep) op.set_output_raw_strided(0, {}, {}, {});  // expected-note {{taken when this is false}}
  // CHECK: allow.cpp:[[@LINE+2]]:1: error: a path through `meta` `kernels::crop_meta` ends here without setting output 0
  // expected-error@+1 {{a path through `meta` `kernels::crop_meta` ends here without setting output 0}}
}
[[structured::impl("crop", "CPU")]]
void crop_cpu(const Tensor& self, bool keep, const Tensor& out);  // expected-note {{output 0 is `out` of the impl}}

// CHECK: allow.cpp:[[@LINE+2]]:56: error: `allow` names unknown kind `no-meta-kernal`; did you mean `no-meta-kernel`? [structured-bad-attribute-argument]
// expected-error@+1 {{`allow` names unknown kind `no-meta-kernal`; did you mean `no-meta-kernel`?}}
[[structured::composite("misspelt"), structured::allow("no-meta-kernal")]]
Tensor misspelt(const Tensor& self);
// CHECK: allow.cpp:[[@LINE+2]]:56: error: `allow` names `unsupported-type`, which is an error; expected a warning or an error about a body: `misspelt-attribute`, `skipped-annotation`,
// expected-error@+1 {{`allow` names `unsupported-type`, which is an error; expected a warning or an error about a body:}}
[[structured::composite("mistaken"), structured::allow("unsupported-type")]]
Tensor mistaken(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
