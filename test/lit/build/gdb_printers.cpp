// gdb loads the pretty-printers with the runtime library and prints tensors with their elements.
//
// REQUIRES: gdb
// RUN: rm -rf %t && mkdir %t
// RUN: %gxx -g -O0 -I%runtime %s %runtime_lib -o %t/program
// RUN: env LD_LIBRARY_PATH=$(dirname %runtime_lib) gdb -q -batch -nx \
// RUN:   -iex "add-auto-load-safe-path $(dirname $(readlink -f %runtime_lib))" -ex "break stop" -ex run \
// RUN:   -ex "print transposed" -ex "print undefined" -ex "print shape" -ex "print scalar" -ex "print sizes" \
// RUN:   -ex "print number" -ex "print boxed" -ex "print list" -ex "print shapes" %t/program | FileCheck %s
#include <structured/structured.h>

using namespace structured;

// CHECK: $1 = Tensor Float[2, 2] on cpu strides [1, 2] = {[0, 0] = 1, [0, 1] = 3, [1, 0] = 2, [1, 1] = 4.5}
// CHECK: $2 = Tensor (undefined)
// CHECK: $3 = Tensor Long[1000, 1000] on meta
// CHECK: $4 = Scalar 2.5
// CHECK: $5 = ArrayRef of 2 = {2, 3}
// CHECK: $6 = Value integer = 7
// CHECK: $7 = Value tensor = Tensor Float[2, 2] on cpu
// CHECK: $8 = Value tensor_list of 2 = {Tensor Float[2, 2] on cpu = {[0, 0] = 1, {{.*}}}, Tensor (undefined)}
// CHECK: $9 = Value int_list of 2 = {4, 5}
__attribute__((noinline)) void stop(const Tensor& transposed, const Tensor& undefined, const Tensor& shape,
                                    const Scalar& scalar, IntArrayRef sizes, const Value& number, const Value& boxed,
                                    const Value& list, const Value& shapes) {
  asm volatile("" ::"r"(&transposed), "r"(&undefined), "r"(&shape), "r"(&scalar), "r"(&sizes), "r"(&number),
               "r"(&boxed), "r"(&list), "r"(&shapes));
}

int main() {
  const Tensor matrix = tensor<float>({{1, 2}, {3, 4.5F}});
  stop(as_strided(matrix, {2, 2}, {1, 2}), Tensor(), zeros({1000, 1000}, TensorOptions(kLong, kMeta)), 2.5, {2, 3}, 7,
       matrix, TensorList({matrix, Tensor()}), IntArrayRef({4, 5}));
}
