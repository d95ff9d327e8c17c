// Stubs of the Python package of a library for PyTorch: types as torch.ops takes them, and documentation.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t/a.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t/out %t/a.json
// RUN: %structured_gen python --module=my_ops --output-dir %t/py %t/out/operators.json
// RUN: FileCheck %s --input-file=%t/py/__init__.pyi
// RUN: %python -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' %t/py/__init__.pyi
// RUN: test -e %t/py/py.typed
// RUN: sed 's/"dialect": "torch"/"dialect": "native"/' %t/out/operators.json > %t/native.json
// RUN: not %structured_gen python --module=my_ops --output-dir %t/no %t/out/operators.json %t/native.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MIXED
// MIXED: error: Python modules need libraries of the dialect `native`, and packages for PyTorch those of `torch` or `torch_stable`; that of `my` is `native`
#include "aten_mock.h"

namespace kernels {

// CHECK: from torch import Generator, SymInt, Tensor, device, dtype, layout, memory_format
// CHECK: @overload
// CHECK-NEXT: def clip(self: Tensor, limit: complex = ..., mask: Tensor | None = ...) -> Tensor:
// CHECK-NEXT:     """Limits the elements to \"limit \\ 2\".
// CHECK-EMPTY:
// CHECK-NEXT:     Where the mask is zero."""
// CHECK: def clip(self: Tensor, limit: complex = ..., mask: Tensor | None = ..., *, out: Tensor) -> Tensor:
// CHECK: def clip_(self: Tensor, limit: complex = ..., mask: Tensor | None = ...) -> Tensor:
/// Limits the elements to "limit \ 2".
///
/// Where the mask is zero.
[[structured::meta("clip", "clip_", "clip.out")]]
void clip_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit = 1,
               at::OptionalTensorRef mask = {});
[[structured::impl("clip.out", "CPU")]]
void clip_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, at::OptionalTensorRef mask,
              const at::Tensor& out);

// torch.ops knows no other name for `from`, so that calls pass it by position, or in a dictionary.
// CHECK: def drawn(self: Tensor, from_: float, /, to: float) -> Tensor: ...
[[structured::kernel("drawn", "CPU", "Meta")]] at::Tensor drawn(const at::Tensor& self, double from, double to);
// CHECK: def faded(self: Tensor, **kwargs: object) -> Tensor: ...
[[structured::kernel("faded", "CPU", "Meta")]]
at::Tensor faded(const at::Tensor& self, [[structured::kwonly]] double lambda = 0.5);

// CHECK: def narrow(self: Tensor, size: int | SymInt) -> Tensor: ...
[[structured::kernel("narrow", "CPU", "Meta")]] at::Tensor narrow(const at::Tensor& self, c10::SymInt size);

// Each output is a keyword.
// CHECK: def parts(self: Tensor, sizes: int | Sequence[int]) -> list[Tensor]: ...
[[structured::kernel("parts", "CPU", "Meta")]]
std::vector<at::Tensor> parts(const at::Tensor& self, [[structured::size(2)]] at::IntArrayRef sizes);

// CHECK: def range(self: Tensor) -> tuple[Tensor, Tensor]: ...
// CHECK: def range(self: Tensor, *, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]: ...
[[structured::meta("range", "range.out"), structured::returns("low", "high")]]
void range_meta(at::impl::MetaBase& op, const at::Tensor& self);
[[structured::impl("range.out", "CPU")]]
void range_cpu(const at::Tensor& self, const at::Tensor& low, const at::Tensor& high);

}  // namespace kernels
