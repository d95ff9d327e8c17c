// Meta functions as Python, for symbolic sizes, in the package of a library for PyTorch.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --meta-functions --dialect=torch --namespace=my --source-root %S -o %t/a.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t/out %t/a.json 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %structured_gen python --module=my_ops --output-dir %t/py %t/out/operators.json
// RUN: FileCheck %s --input-file=%t/py/_shapes.py
// RUN: FileCheck %s --check-prefix=LIBRARY --input-file=%t/out/library.cpp
// RUN: %structured_gen explain --namespace=my rows %t/a.json | FileCheck %s --check-prefix=EXPLAIN
// RUN: %structured_gen explain --namespace=my hidden %t/a.json | FileCheck %s --check-prefix=HIDDEN
// RUN: %structured_gen explain --namespace=my found %t/a.json | FileCheck %s --check-prefix=FOUND
// Functions that are emitted call only those that the package has.
// RUN: %python -c 'import ast, sys; shapes = ast.parse(open(sys.argv[1]).read()); known = {"dtype_names"} | {each.name for each in ast.parse(open(sys.argv[2]).read()).body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}; used = {each.attr for each in ast.walk(shapes) if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == "shapes"}; sys.exit(str(used - known) if used - known else 0)' %t/py/_shapes.py %runtime/structured/torch/shapes.py
// All functions of the registry are in the package.
// RUN: grep -o '^STRUCTURED_SHAPE_CALL([^)]*' %runtime/../tool/model/shape_calls.def | sed 's/.*, //' | sort -u > %t/names
// RUN: grep -o '^def [a-z_]*' %runtime/structured/torch/shapes.py | sed 's/def //' | sort -u > %t/known
// RUN: comm -23 %t/names %t/known | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: {{.}}
#include <cstdint>

#include "aten_mock.h"

namespace kernels {

struct Extent {
  int64_t size = 1;
  bool is_open = false;
};

inline int64_t padded(const Extent& extent, int64_t by) { return (extent.size + by) / 2; }

// CHECK: def found_meta(self):
// CHECK-NEXT: return shapes.new_empty(self, [shapes.dynamic_size(0, shapes.size(self, 0))])
// CHECK: def leaves_nothing_meta(op, self, kind):
// CHECK-NEXT: rows = 0
// CHECK-NEXT: for d in range(shapes.rank(self)):
// CHECK-NEXT: chosen = kind
// CHECK-NEXT: if chosen == 1:
// CHECK-NEXT: rows = rows + shapes.size(self, d)
// CHECK-NEXT: else:
// CHECK-NEXT: rows += 1
// CHECK: def padded(extent, by):
// CHECK-NEXT: return shapes.quotient(extent.size + by, 2)
// CHECK: def rows_meta(op, self, range_, count):
// CHECK-NEXT: extent = shapes.Record(size=1, is_open=False)
// CHECK-NEXT: extent.size = shapes.size(self, 0)
// CHECK-NEXT: if not range_:
// CHECK-NEXT:   extent.is_open = (shapes.rank(self) > 1) and (count != 0)
// CHECK-NEXT: rows = 0
// CHECK-NEXT: for d in range(shapes.rank(self)):
// CHECK-NEXT:   if d == 2:
// CHECK-NEXT:     continue
// CHECK-NEXT:   rows = rows + shapes.size(self, d)
// CHECK-NEXT: shapes.set_output_strided(op, 0, [rows, padded(extent, count)], [], shapes.options(self))
// CHECK: def register():
// CHECK: shapes.register_symbolic({
// CHECK-NEXT: "my::_symbolic_leaves_nothing":
// CHECK-NEXT: "my::_symbolic_rows": ("_symbolic_rows(Tensor self, bool range, int count, Tensor?[] outputs) -> Tensor[]", _{{[0-9]}}),
// CHECK-NEXT: })
// CHECK-NEXT: shapes.register_kernel("my::found", _{{[0-9]}}())
// LIBRARY: m.impl_meta<signature_hidden, wrapper_meta_hidden>();
// LIBRARY: m.impl_meta<signature_rows, wrapper_meta_rows>("my::_symbolic_rows", ::structured::torch::Variant::functional);
// LIBRARY: m.impl_meta<signature_rows_out, wrapper_meta_rows_out>("my::_symbolic_rows",{{[[:space:]]+}}::structured::torch::Variant::out);
// LIBRARY-NOT: found_meta
// EXPLAIN: compilers
// EXPLAIN-NEXT: keep symbolic sizes
// HIDDEN: compilers
// HIDDEN-NEXT: fix symbolic sizes: the meta function calls `kernels::elsewhere`, whose body is not known here at torch_shapes.cpp:{{[0-9]+}}
// FOUND: compilers
// FOUND-NEXT: know sizes that depend on data as symbols
[[structured::meta("rows", "rows.out")]]
void rows_meta(at::impl::MetaBase& op, const at::Tensor& self, bool range, int64_t count = 1) {
  Extent extent;
  extent.size = self.size(0);
  if (!range) extent.is_open = self.dim() > 1 && count;
  int64_t rows = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d == 2) continue;
    rows += self.size(d);
  }
  op.set_output_raw_strided(0, {rows, padded(extent, count)}, {}, self.options());
}
[[structured::impl("rows.out", "CPU")]]
void rows_cpu(const at::Tensor& self, bool range, int64_t count, const at::Tensor& out);

// WARNING: torch_shapes.cpp:[[@LINE+4]]:6: warning: the meta function of `hidden` calls `kernels::elsewhere`, whose body is not known here, so that calls with symbolic sizes fix them [structured-fixed-sizes]
int64_t elsewhere(int64_t size);

[[structured::meta("hidden", "hidden.out")]]
void hidden_meta(at::impl::MetaBase& op, const at::Tensor& self) {
  op.set_output_raw_strided(0, {elsewhere(self.size(0))}, {}, self.options());
}
[[structured::impl("hidden.out", "CPU")]]
void hidden_cpu(const at::Tensor& self, const at::Tensor& out);

// A `break` that leaves a `switch` from within another statement would leave a loop in Python.
// WARNING: warning: the meta function of `leaves` leaves a `switch` from within a statement, so that
[[structured::meta("leaves", "leaves.out")]]
void leaves_meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t kind) {
  int64_t rows = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    switch (kind) {
      case 1:
        if (d == 1) break;
        rows += self.size(d);
        break;
      default:
        ++rows;
    }
  }
  op.set_output_raw_strided(0, {rows}, {}, self.options());
}
[[structured::impl("leaves.out", "CPU")]]
void leaves_cpu(const at::Tensor& self, int64_t kind, const at::Tensor& out);
[[structured::meta("leaves_nothing", "leaves_nothing.out")]]
void leaves_nothing_meta(at::impl::MetaBase& op, const at::Tensor& self, int64_t kind) {
  int64_t rows = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    switch (kind) {
      case 1: {
        rows += self.size(d);
        break;
      }
      default:
        ++rows;
    }
  }
  op.set_output_raw_strided(0, {rows}, {}, self.options());
}
[[structured::impl("leaves_nothing.out", "CPU")]]
void leaves_nothing_cpu(const at::Tensor& self, int64_t kind, const at::Tensor& out);

[[structured::kernel("found", "CPU"), structured::not_differentiable]]
at::Tensor found(const at::Tensor& self);
[[structured::kernel("found", "Meta")]]
at::Tensor found_meta(const at::Tensor& self) {
  return self.new_empty({structured::dynamic_size(0, self.size(0))});
}

}  // namespace kernels
