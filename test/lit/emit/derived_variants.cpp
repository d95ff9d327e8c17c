// Variants that `variants` derives from kernels: the runtime computes them by calls of the operator.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen list --namespace=acme %t/a.json | FileCheck --match-full-lines %s
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: for source in src/derived_variants src/derived_variants.tables src/derived_variants.boxed operators; do \
// RUN:   %gxx -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I%runtime -I%t/out/include %t/out/$source.cpp && \
// RUN:   %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp || exit 1; done
// RUN: FileCheck --check-prefix=TABLES --input-file %t/out/src/derived_variants.tables.cpp %s
// RUN: FileCheck --check-prefix=API --input-file %t/out/include/acme/ops/total.h %s
// RUN: %structured_gen explain total.out %t/out/operators.json | FileCheck --check-prefix=EXPLAIN %s

#include <structured/structured.h>

using namespace structured;

namespace kernels {

/// Sum of all elements.
[[structured::kernel("total", "CPU", "Meta"), structured::variants("total.out"), structured::tags("core", "reduction")]]
Tensor total(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt);
// CHECK-DAG: total(Tensor self, *, ScalarType? dtype=None) -> Tensor
// CHECK-DAG: total.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
// API: Tensor& total_out(::structured::Tensor& out, const ::structured::Tensor& self,
// API-NEXT: std::optional<::structured::ScalarType> dtype = std::nullopt);
// EXPLAIN: total.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
// EXPLAIN: acme::total.out by calls of acme::total

// Outputs have the names of named results.
[[structured::composite("halves"), structured::variants("halves.both"), structured::returns("low", "high")]]
std::tuple<Tensor, Tensor> halves(const Tensor& self, int64_t at = 1);
// CHECK-DAG: halves(Tensor self, int at=1) -> (Tensor low, Tensor high)
// CHECK-DAG: halves.both(Tensor self, int at=1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)

// But for names that are those of another variant.
[[structured::composite("parts"), structured::variants("parts.out"), structured::returns("parts", "part")]]
std::vector<Tensor> parts(const Tensor& self);
// CHECK-DAG: parts(Tensor self) -> Tensor[] part
// CHECK-DAG: parts.out(Tensor self, *, Tensor(a!)[] out) -> ()

// Names for the out= variant alone.
[[structured::kernel("bounds", "CPU", "Meta"), structured::variants("bounds.out"),
  structured::returns("bounds.out", "least", "greatest")]]
std::tuple<Tensor, Tensor> bounds(const Tensor& self);
// CHECK-DAG: bounds(Tensor self) -> (Tensor, Tensor)
// CHECK-DAG: bounds.out(Tensor self, *, Tensor(a!) least, Tensor(b!) greatest) -> (Tensor(a!) least, Tensor(b!) greatest)

[[structured::kernel("unique_pair", "CPU", "Meta"), structured::variants("unique_pair.out")]]
std::tuple<Tensor, Tensor> unique_pair(const Tensor& self);
// CHECK-DAG: unique_pair.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))

[[structured::kernel("pieces", "CPU", "Meta"), structured::variants("pieces.out")]]
std::vector<Tensor> pieces(const Tensor& self, int64_t count);
// CHECK-DAG: pieces.out(Tensor self, int count, *, Tensor(a!)[] out) -> ()

// The options of a factory come from the output.
[[structured::kernel("dice.seeded", "CompositeExplicitAutograd"), structured::variants("dice.seeded_out")]]
Tensor dice(IntArrayRef size, [[structured::kwonly]] int64_t seed, std::optional<ScalarType> dtype = std::nullopt,
            std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
            std::optional<bool> pin_memory = std::nullopt, std::optional<MemoryFormat> memory_format = std::nullopt);
// CHECK-DAG: dice.seeded_out(int[] size, *, int seed, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)

[[structured::kernel("shake_", "CPU", "Meta"), structured::variants("shake", "shake.out")]]
Tensor& shake_(Tensor& self, double by = 1);
// CHECK-DAG: shake(Tensor self, float by=1) -> Tensor
// CHECK-DAG: shake.out(Tensor self, float by=1, *, Tensor(a!) out) -> Tensor(a!)
// CHECK-DAG: shake_(Tensor(a!) self, float by=1) -> Tensor(a!)
// TABLES: // shake(Tensor self, float by=1) -> Tensor
// TABLES: extern ::structured::Operator<signature_shake_> op_shake_;
// TABLES: constinit ::structured::Operator<signature_shake> op_shake{
// TABLES: ::structured::FunctionalVariant<::acme::emitted::op_shake, ::acme::emitted::op_shake_>::call,
// TABLES: ::structured::OutVariant<::acme::emitted::op_shake_out, ::acme::emitted::op_shake>::call,

// TABLES: constinit ::structured::Operator<signature_total_out> op_total_out{
// TABLES: ::structured::OutVariant<::acme::emitted::op_total_out, ::acme::emitted::op_total>::call,

}  // namespace kernels
