// `no_out` leaves off the out= variant of an operator, and `--no-implied-out` those that no function names. Impls may still
// name the operator by its default out= variant.
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen list --namespace=acme %t/a.json | FileCheck --match-full-lines --implicit-check-not=out %s
// RUN: %structured_gen list --namespace=acme --no-implied-out %t/a.json | FileCheck --match-full-lines --implicit-check-not=out --check-prefix=NAMED %s
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: for source in src/no_out src/no_out.tables src/no_out.boxed operators; do \
// RUN:   %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp || exit 1; done
// RUN: for flavour in edge static; do %structured_gen emit --namespace=acme --flavour=$flavour --output-dir %t/$flavour %t/a.json && \
// RUN:   %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/$flavour/include %t/$flavour/src/no_out.cpp || exit 1; done
// RUN: not grep _out %t/out/include/acme/ops/gate.h
// RUN: grep no_out %t/out/include/acme/signatures.json | count 2

#include <structured/structured.h>

namespace kernels {
using namespace structured;

// CHECK: duple(Tensor self) -> Tensor
// CHECK-NEXT: duple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
// NAMED: duple(Tensor self) -> Tensor
[[structured::meta("duple")]]
void duple_meta(MetaBase& op, const Tensor& self);
[[structured::impl("duple.out", "CPU")]]
void duple_cpu(const Tensor& self, const Tensor& out);

// CHECK-NEXT: gate(Tensor self) -> Tensor
// CHECK-NEXT: gate_(Tensor(a!) self) -> Tensor(a!)
// NAMED-NEXT: gate(Tensor self) -> Tensor
// NAMED-NEXT: gate_(Tensor(a!) self) -> Tensor(a!)
[[structured::meta("gate", "gate_"), structured::no_out]]
void gate_meta(MetaBase& op, const Tensor& self);
[[structured::impl("gate", "CPU")]]
void gate_cpu(const Tensor& self, const Tensor& out);

// CHECK-NEXT: half(Tensor self) -> Tensor
// CHECK-NEXT: half.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
// NAMED-NEXT: half(Tensor self) -> Tensor
// NAMED-NEXT: half.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
[[structured::meta("half", "half.out")]]
void half_meta(MetaBase& op, const Tensor& self);
[[structured::impl("half.out", "CPU")]]
void half_cpu(const Tensor& self, const Tensor& out);

// The name of the variant that is left off is free.
// CHECK-NEXT: third(Tensor self) -> Tensor
// CHECK-NEXT: third.out(Tensor self, *, Tensor(a!)[] out) -> ()
// NAMED-NEXT: third(Tensor self) -> Tensor
// NAMED-NEXT: third.out(Tensor self, *, Tensor(a!)[] out) -> ()
[[structured::meta("third"), structured::no_out]]
void third_meta(MetaBase& op, const Tensor& self);
[[structured::impl("third", "CPU")]]
void third_cpu(const Tensor& self, const Tensor& result);
[[structured::kernel("third.out", "CPU", "Meta"), structured::out]]
void third_out(const Tensor& self, [[structured::alias("a!")]] TensorList out);

}  // namespace kernels
