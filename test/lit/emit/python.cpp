// The sources and stubs of a Python module: one table of overloads for each name, in the order in which calls try them.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: %structured_gen python --module=acme_py --parts=2 --output-dir %t/py %t/out/operators.json
// RUN: cat %t/py/tables_0.cpp %t/py/tables_1.cpp | FileCheck %s
// RUN: FileCheck %s --check-prefix=MODULE --input-file=%t/py/module.cpp
// RUN: FileCheck %s --check-prefix=STUBS --input-file=%t/py/acme_py.pyi
// RUN: %python -m py_compile %t/py/acme_py_docs.py
// RUN: %python -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' %t/py/acme_py.pyi
// RUN: FileCheck %s --check-prefix=DOCS --input-file=%t/py/acme_py_docs.py
//
// A second run changes no file, and a function is a method because of its name, its attribute or the option.
// RUN: touch -d 2001-01-01 %t/py/module.cpp
// RUN: %structured_gen python --module=acme_py --parts=2 --output-dir %t/py %t/out/operators.json
// RUN: test $(date -r %t/py/module.cpp +%%Y) = 2001
// RUN: %structured_gen python --module=acme_py --self-methods --output-dir %t/all %t/out/operators.json
// RUN: FileCheck %s --check-prefix=METHODS --input-file=%t/all/tables_0.cpp
//
// RUN: not %structured_gen python --module=acme_py --output-dir %t/no %t/out/operators.json %t/out/operators.json \
// RUN:   2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: test ! -e %t/no

#include <structured/structured.h>

namespace acme::kernels {
using namespace structured;

/// Shifts each element by "a \ b".
[[structured::meta("shift.Scalar", "shift_.Scalar", "shift.Scalar_out")]]
void shift_scalar_meta(MetaBase& op, const Tensor& self, const Scalar& by) {}
[[structured::impl("shift.Scalar", "CPU")]]
void shift_scalar(const Tensor& self, const Scalar& by, const Tensor& out) {}
/// Shifts each element by another.
///
/// \param by the distances
[[structured::kernel("shift.Tensor", "CPU", "Meta")]]
Tensor shift(const Tensor& self, const Tensor& by) { return self; }

[[structured::kernel("parts.list", "CPU", "Meta")]]
Tensor parts_list(const Tensor& self, IntArrayRef count) { return self; }
[[structured::kernel("parts.one", "CPU", "Meta"), structured::method]]
std::tuple<Tensor, int64_t> parts_one(const Tensor& self, int64_t count, [[structured::kwonly]] bool from = false) {
  return {self, count};
}

// The shorter overload has no stub of its own, and new tensors may require gradients.
[[structured::kernel("made.a_step", "CPU", "Meta")]]
Tensor made_a_step(int64_t end, int64_t step = 1, [[structured::kwonly]] std::optional<std::string_view> tag = {},
                   std::optional<bool> pin_memory = {}) {
  return {};
}
[[structured::kernel("made.end", "CPU", "Meta")]]
Tensor made(int64_t end, [[structured::kwonly]] std::optional<std::string_view> tag = {},
            std::optional<bool> pin_memory = {}) {
  return {};
}

}  // namespace acme::kernels

// CHECK: #include <acme/ops/parts.h>
// CHECK: #include <structured/python/bindings.h>
// CHECK: namespace structured::emitted::acme_py {
// CHECK:      constexpr Overload overloads_parts[] = {
// CHECK-NEXT:     {"parts.one(Tensor self, int count, *, bool from=False) -> (Tensor, int)",
// CHECK-NEXT:      invoke<std::tuple<::structured::Tensor, int64_t>(const ::structured::Tensor&, int64_t, bool), ::acme::parts>},
// CHECK-NEXT:     {"parts.list(Tensor self, int[] count) -> Tensor",
// CHECK-NEXT:      invoke<::structured::Tensor(const ::structured::Tensor&, ::structured::IntArrayRef), ::acme::parts>},
// CHECK-NEXT: };
// CHECK:          {"parts", overloads_parts, true},
// CHECK: constinit const FunctionTable functions_0{functions, 2};
// CHECK-EMPTY:
// CHECK-NEXT: }  // namespace structured::emitted::acme_py
// CHECK:      constexpr Overload overloads_shift[] = {
// CHECK-NEXT:     {"shift.Tensor(Tensor self, Tensor by) -> Tensor",
// CHECK-NEXT:      invoke<::structured::Tensor(const ::structured::Tensor&, const ::structured::Tensor&), ::acme::shift>},
// CHECK-NEXT:     {"shift.Scalar(Tensor self, Scalar by) -> Tensor",
// CHECK:          {"shift.Scalar_out(Tensor self, Scalar by, *, Tensor(a!) out) -> Tensor(a!)",
// CHECK:          {"shift", overloads_shift, false},
// CHECK-NEXT:     {"shift_", overloads_shift_, true},
// CHECK: constinit const FunctionTable functions_1{functions, 2};
// CHECK-EMPTY:
// CHECK-NEXT: }  // namespace structured::emitted::acme_py

// MODULE: extern const ::structured::python::FunctionTable functions_1;
// MODULE: PyMODINIT_FUNC PyInit_acme_py() {
// MODULE:   return ::structured::python::create_module("acme_py", tables, 2);
// MODULE-NEXT: }

// STUBS: def made(end: int, step: int = ..., *, tag: str | None = ..., pin_memory: bool | None = ..., requires_grad: bool = ...) -> Tensor: ...
// STUBS-NOT: def made(end: int, *,
// STUBS: @overload
// STUBS-NEXT: def parts(self: Tensor, count: int, *, from_: bool = ...) -> tuple[Tensor, int]: ...
// STUBS-NEXT: @overload
// STUBS-NEXT: def parts(self: Tensor, count: Sequence[int]) -> Tensor: ...
// STUBS-NEXT: @overload
// STUBS-NEXT: def parts(self: Tensor, *count: int) -> Tensor: ...
// Each overload has the documentation of its operator.
// STUBS: def shift(self: Tensor, by: Tensor) -> Tensor:
// STUBS-NEXT:     """Shifts each element by another.
// STUBS-EMPTY:
// STUBS-NEXT:     Args:
// STUBS-NEXT:         by: the distances"""
// STUBS: def shift(self: Tensor, by: Number, *, out: Tensor) -> Tensor:
// STUBS-NEXT:     """Shifts each element by \"a \\ b\"."""
// STUBS: class TensorMethods:
// STUBS-NOT: def shift(
// STUBS:     def shift_(self, by: Number) -> Tensor:
// STUBS-NEXT:         """Shifts each element by \"a \\ b\"."""

// DOCS: "shift": "Shifts each element by another.\n\nArgs:\n    by: the distances\n\nShifts each element by \"a \\ b\".",

// METHODS: {"shift", overloads_shift, true},

// TWICE: error: operators `acme::made.{{.*}}` and `acme::made.{{.*}}` have the same name in Python
