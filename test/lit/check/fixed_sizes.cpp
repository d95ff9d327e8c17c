// A meta function that cannot be computed on symbolic sizes.
// Why: `torch.compile` and `torch.export` call operators with sizes that are symbols. The generator translates a meta function
// to Python, where it computes such sizes. One that it cannot translate reads the numbers that the symbols stand for: other
// sizes compile again, and an export with dynamic dimensions fails.
// Cure: Replace what the message names: define helpers in the same source or in a header, and use the functions of ATen that
// `docs/pytorch.md` lists. If the operator never gets symbolic sizes, suppress the warning by `allow("fixed-sizes")`.
// RUN: %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
#include "aten_mock.h"

using at::Tensor;

namespace kernels {

// example begin
int64_t padded(int64_t size);

// CHECK: fixed_sizes.cpp:[[@LINE+2]]:6: warning: the meta function of `pad` calls `kernels::padded`, whose body is not known here, so that calls with symbolic sizes fix them [structured-fixed-sizes]
[[structured::meta("pad", "pad.out")]]
void pad_meta(at::impl::MetaBase& op, const Tensor& self) {
  // CHECK: fixed_sizes.cpp:[[@LINE+1]]:33: note: it does so here
  op.set_output_raw_strided(0, {padded(self.size(0))}, {}, self.options());
}
// example end

[[structured::impl("pad.out", "CPU")]]
void pad_cpu(const Tensor& self, const Tensor& out);

// Near misses: a helper that is visible, and a warning that is suppressed.
inline int64_t twice(int64_t size) { return 2 * size; }
[[structured::meta("extend", "extend.out")]]
void extend_meta(at::impl::MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {twice(self.size(0))}, {}, self.options());
}
[[structured::impl("extend.out", "CPU")]]
void extend_cpu(const Tensor& self, const Tensor& out);
[[structured::meta("fit", "fit.out"), structured::allow("fixed-sizes")]]
void fit_meta(at::impl::MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, {padded(self.size(0))}, {}, self.options());
}
[[structured::impl("fit.out", "CPU")]]
void fit_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 warning generated.
