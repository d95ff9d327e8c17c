// A backend with only a kernel for the out= variant of a structured operator gets the other variants through that
// kernel.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/src/out_kernel.tables.cpp
// RUN: FileCheck %s --input-file=%t/out/src/out_kernel.cpp --check-prefix=WRAPPER
// RUN: %gxx -Wall -Wextra -Werror -I%t/out/include %t/out/src/*.cpp %t/out/operators.cpp %s %runtime_lib -o %t/program
// RUN: env LD_LIBRARY_PATH=$(dirname %runtime_lib) %t/program | FileCheck %s --check-prefix=OUTPUT

#include <structured/structured.h>

#include <iostream>

namespace acme {
namespace kernels {
using namespace structured;

[[structured::meta("twice", "twice_", "twice.out")]]
void twice_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}
[[structured::kernel("twice.out", "CPU")]]
Tensor& twice_cpu(const Tensor& self, Tensor& out) {
  for (int64_t i = 0; i < self.numel(); ++i) {
    out.data_ptr<float>()[i] = 2 * self.data_ptr<float>()[i];
  }
  return out;
}

}  // namespace kernels
structured::Tensor twice(const structured::Tensor& self);
structured::Tensor& twice_(structured::Tensor& self);
}  // namespace acme

int main() {
  structured::Tensor a = structured::tensor<float>({1, 2});
  std::cout << acme::twice(a) << "\n";
  std::cout << acme::twice_(a) << "\n";
}

// WRAPPER: wrapper_cpu_twice_out(
// WRAPPER: const ::structured::Outputs outputs(out);
// WRAPPER-NEXT: outputs.check_reusable(self);
// WRAPPER-NEXT: twice_cpu(self, out);

// CHECK: Operator<signature_twice> op_twice{
// CHECK: {::structured::Backend::Meta, wrapper_meta_twice},
// CHECK-NEXT: {::structured::Backend::CPU, wrapper_via_out_twice},
// CHECK: Operator<signature_twice_out> op_twice_out{
// CHECK: {::structured::Backend::CPU, wrapper_cpu_twice_out},
// CHECK: Operator<signature_twice_> op_twice_{
// CHECK: {::structured::Backend::CPU, wrapper_via_out_twice_},

// OUTPUT: tensor([2., 4.])
// OUTPUT-NEXT: tensor([2., 4.])
