// Bodies of function templates are instantiated when the source has been parsed. What they need first there is declared
// then: the copy of an array within a class, a builtin function.
//
// RUN: %structured_gen check %s -- -std=c++20 -I%runtime | count 0
// RUN: not %structured_gen check %s -- -std=c++20 -I%runtime -DFORGETS 2>&1 | FileCheck %s

#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {

struct Steps {
  int64_t values[4];
};

template <class T>
void assign(MetaBase& op, const Tensor& self, T& to, const T& from) {
  to = from;
#ifdef FORGETS
  if (to.values[0] == 0) return;
#endif
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

[[structured::meta("copied", "copied.out")]]
void copied_meta(MetaBase& op, const Tensor& self) {
  Steps to{};
  assign(op, self, to, Steps{});
}
// CHECK: error: {{.*}} [structured-output-unset]

[[structured::impl("copied.out", "CPU")]]
void copied_cpu(const Tensor& self, const Tensor& out) {}

}  // namespace structured::kernels
