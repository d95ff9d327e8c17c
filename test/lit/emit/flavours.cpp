// The flavours of a library: boxed and direct calls compute equal results in all of them.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --backends=CPU,Meta --output-dir %t/dynamic %t/a.json
// RUN: for flavour in edge static; do %structured_gen emit --namespace=acme --flavour=$flavour --backends=CPU \
// RUN:   --output-dir %t/$flavour %t/a.json; done
// RUN: FileCheck %s --check-prefix=EDGE --input-file=%t/edge/src/flavours.tables.cpp
// RUN: FileCheck %s --check-prefix=UNBOX --input-file=%t/edge/src/flavours.boxed.cpp
// RUN: FileCheck %s --check-prefix=STATIC --input-file=%t/static/src/flavours.tables.cpp
// RUN: FileCheck %s --check-prefix=UNBOX-STATIC --input-file=%t/static/src/flavours.boxed.cpp
// RUN: FileCheck %s --check-prefix=INDEX --input-file=%t/static/operators.cpp
//
// Neither flavour has kernels for Meta, unless it is among the backends, nor nodes of gradients.
// RUN: not grep -rE 'meta_scale|slow_path|autograd|"scale\(' %t/edge/src/flavours.tables.cpp %t/edge/operators.cpp
// RUN: not grep -rE '::structured::Operator<|meta_scale' %t/static/src %t/static/operators.cpp
// RUN: %structured_gen emit --namespace=acme --flavour=static --backends=CPU,Meta --output-dir %t/meta %t/a.json
// RUN: grep 'case ::structured::Backend::Meta:' %t/meta/src/flavours.tables.cpp
//
// RUN: for flavour in dynamic edge static; do \
// RUN:   cat %t/$flavour/src/*.cpp %t/$flavour/operators.cpp %s > %t/$flavour.cpp; \
// RUN:   %gxx -O1 -DPROGRAM -Wall -Wextra -Werror -Wno-unused-parameter -Wno-comment -I%t/$flavour/include -c -o %t/$flavour.o \
// RUN:     %t/$flavour.cpp; \
// RUN:   %gxx -o %t/$flavour.run %t/$flavour.o %runtime_lib -Wl,-rpath,%build_dir/lib; \
// RUN:   %t/$flavour.run > %t/$flavour.txt 2> %t/$flavour.errors; done
// RUN: FileCheck %s --check-prefix=OUTPUT --input-file=%t/dynamic.txt
// RUN: cmp %t/dynamic.txt %t/edge.txt && cmp %t/dynamic.txt %t/static.txt
// RUN: FileCheck %s --check-prefix=ERRORS-EDGE --input-file=%t/edge.errors
// RUN: FileCheck %s --check-prefix=ERRORS-STATIC --input-file=%t/static.errors
// RUN: %clangxx -DPROGRAM -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -Wno-comment -I%t/static/include %t/static.cpp
//
// The functions with the switches call wrappers directly, and nothing runs at program start.
// RUN: %gxx -O2 -I%t/static/include -c -o %t/tables.o %t/static/src/flavours.tables.cpp
// RUN: objdump -drC --no-show-raw-insn %t/tables.o | FileCheck %s --check-prefix=CODE
// RUN: readelf -SW %t/edge.o %t/static.o | FileCheck %s --check-prefix=NO-INITIALISERS
//
// RUN: (%structured_gen emit --flavour=sour --output-dir %t/no %t/a.json || echo "status $?") 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: (%structured_gen emit --flavour=edge --checked --output-dir %t/no %t/a.json || echo "status $?") 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNCHECKED

#include <structured/structured.h>

namespace acme::kernels {
using namespace structured;

[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(TensorIteratorBase& op, const Tensor& self, [[structured::kwonly]] const Scalar& factor = 2) {
  op.build_unary_op(op.maybe_get_output(), self);
}

[[structured::impl("scale.out", "CPU")]]
void scale_cpu(TensorIteratorBase& op, const Tensor& self, const Scalar& factor, const Tensor& out) {
  visit<kFloatingTypes>("scale", op.common_dtype(), [&]<class T>() {
    cpu_kernel(op, [f = factor.to<T>()](T x) { return x * f; });
  });
}

/// Returns the first rows and columns, as a view.
[[structured::kernel("corner", "CPU", "Meta")]]
Tensor corner([[structured::alias("a")]] const Tensor& self, [[structured::size(2)]] IntArrayRef sizes = {2, 2},
              std::optional<double> weight = std::nullopt, std::string_view mode = "plain") {
  return as_strided(self, sizes, self.strides());
}

[[structured::composite("halves")]]
std::tuple<Tensor, Tensor> halves(const Tensor& self, TensorList others = {}, int64_t start = 1) {
  return {self, others.empty() ? self : others[0]};
}

}  // namespace acme::kernels

// EDGE: constinit ::structured::Operator<signature_corner> op_corner{
// EDGE-NEXT: "acme::corner",
// EDGE-NEXT: "",
// EDGE-NEXT: {
// EDGE-NEXT: {::structured::Backend::CPU, ::acme::kernels::corner},
// EDGE: return ::acme::emitted::op_corner(self, sizes, weight, mode);

// UNBOX: void boxed_corner(::structured::Stack& stack) { ::structured::unbox("acme::corner", op_corner, stack); }

// STATIC: ::structured::Tensor dispatch_scale(const ::structured::Tensor& self, const ::structured::Scalar& factor) {
// STATIC-NEXT: const ::structured::Backend backend = ::structured::dispatch_key(self, factor);
// STATIC-NEXT: switch (backend) {
// STATIC-NEXT: case ::structured::Backend::CPU:
// STATIC-NEXT: return wrapper_cpu_scale(self, factor);
// STATIC-NEXT: default:
// STATIC-NEXT: ::structured::throw_not_in_build("acme::scale", backend);
// STATIC: return ::acme::emitted::dispatch_scale(self, factor);

// UNBOX-STATIC: { ::structured::unbox("acme::corner", dispatch_corner, stack); }

// INDEX: constexpr ::structured::ParameterData parameters_corner[] = {
// INDEX-NEXT: // name, kind, is optional, is mutable, has an alias set, is keyword-only, length, default
// INDEX-NEXT: {"self", ::structured::Value::Kind::tensor, false, false, true, false, 0},
// INDEX-NEXT: {"sizes", ::structured::Value::Kind::int_list, false, false, false, false, 2,
// INDEX-NEXT: [] { return ::structured::Value(::structured::IntArrayRef{2, 2}); }},
// INDEX-NEXT: {"weight", ::structured::Value::Kind::floating, true, false, false, false, 0, ::structured::no_value},
// INDEX: {"acme::corner", nullptr, boxed_corner, nullptr, {parameters_corner, 4, 1}},
// INDEX-NOT: STRUCTURED_ANNOUNCE_OPERATORS

// UNKNOWN: structured-gen: error: unknown flavour `sour`; expected dynamic, edge or static
// UNKNOWN: status 2
// UNCHECKED: structured-gen: error: `--checked` needs `--flavour=dynamic`, found `edge`

#if defined(PROGRAM)
#include <acme/operators.h>
#include <structured/dispatch/call.h>
#include <structured/dispatch/signature.h>

#include <cstdio>

using namespace structured;

namespace {

void print(const char* what, const Tensor& tensor) {
  std::printf("%s:", what);
  Tensor dense = empty(tensor.sizes(), tensor.options());
  copy_into(dense, tensor);
  for (const double element : to_vector<double>(dense)) std::printf(" %a", element);
  std::printf("\n");
}

void print_signature(const char* name) {
  const OperatorSignature signature = signature_of(*acme::find_operator(name));
  std::printf("%s(", name);
  for (const Parameter& parameter : signature.arguments) {
    const std::string kind(to_string(parameter.kind));
    std::printf("%s%s%s %s:%d%d%d:%zu, ", kind.c_str(), parameter.is_optional ? "?" : "",
                parameter.default_value ? "=" : "", std::string(parameter.name).c_str(), parameter.is_mutable,
                parameter.is_alias, parameter.is_keyword_only, parameter.length);
  }
  std::printf(") %zu results\n", signature.results.size());
}

template <class Call>
void expect_error(const Call& call) {
  try {
    call();
    std::fprintf(stderr, "no error\n");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
}

}  // namespace

int main() {
  const Tensor x = tensor<double>({1, -2.25, 3}), square = tensor<double>({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  Tensor out = empty({0}, x.options());
  print("direct", acme::scale(x, 3));
  print("boxed", call_operator(*acme::find_operator("acme::scale"), {x}, {{"factor", 3}})[0].to_tensor());
  print("boxed", call_operator(*acme::find_operator("acme::scale"), {x})[0].to_tensor());
  print("out", acme::scale_out(out, x, 0.1));
  call_operator(*acme::find_operator("acme::scale.out"), {x}, {{"factor", 0.1}, {"out", out}});
  print("boxed", out);
  print("view", acme::corner(square));
  print("boxed", call_operator(*acme::find_operator("acme::corner"), {square})[0].to_tensor());
  print("boxed", call_operator(*acme::find_operator("acme::corner"), {square, 1})[0].to_tensor());
  print("pair", std::get<1>(acme::halves(x)));
  print("boxed", call_operator(*acme::find_operator("acme::halves"), {x})[1].to_tensor());
  for (const char* name : {"acme::scale.out", "acme::scale_", "acme::corner", "acme::halves"}) print_signature(name);

  Tensor leaf = tensor<double>({1, 2});
  leaf.requires_grad_();
  expect_error([&] { acme::scale(leaf); });
  expect_error([&] { acme::scale(empty({2}, kMeta)); });
  expect_error([&] { call_operator(*acme::find_operator("acme::scale"), {1.5}); });
}
#endif

// OUTPUT: direct: 0x1.8p+1 -0x1.bp+2 0x1.2p+3
// OUTPUT-NEXT: boxed: 0x1.8p+1 -0x1.bp+2 0x1.2p+3
// OUTPUT-NEXT: boxed: 0x1p+1 -0x1.2p+2 0x1.8p+2
// OUTPUT-NEXT: out: [[OUT:.*]]
// OUTPUT-NEXT: boxed: [[OUT]]
// OUTPUT-NEXT: view: 0x1p+0 0x1p+1 0x1p+2 0x1.4p+2
// OUTPUT-NEXT: boxed: 0x1p+0 0x1p+1 0x1p+2 0x1.4p+2
// OUTPUT-NEXT: boxed: 0x1p+0
// OUTPUT: acme::scale.out(Tensor self:000:0, Scalar= factor:001:0, Tensor out:111:0, ) 1 results
// OUTPUT-NEXT: acme::scale_(Tensor self:110:0, Scalar= factor:001:0, ) 1 results
// OUTPUT-NEXT: acme::corner(Tensor self:010:0, int[]= sizes:000:2, float?= weight:000:0, str= mode:000:0, ) 1 results
// OUTPUT-NEXT: acme::halves(Tensor self:000:0, Tensor[]= others:000:0, int= start:000:0, ) 2 results

// ERRORS-EDGE: `acme::scale` cannot be called while layers are active, or with tensors that require gradients
// ERRORS-EDGE-NEXT: `acme::scale` has no kernel for backend `Meta`; it has kernels for `CPU`
// ERRORS-EDGE-NEXT: `acme::scale`: argument 1: expected `Tensor`, got `float`
// ERRORS-STATIC: `acme::scale`: expected tensors that do not require gradients; its library was built without autograd
// ERRORS-STATIC-NEXT: `acme::scale` has no kernel for backend `Meta` in this build
// ERRORS-STATIC-NEXT: `acme::scale`: argument 1: expected `Tensor`, got `float`

// CODE: <acme::emitted::dispatch_scale(
// CODE-NOT: {{(call|jmp) +\*}}
// CODE: {{R_.*}} acme::emitted::wrapper_cpu_scale(
// NO-INITIALISERS: .text
// AddressSanitizer adds initialisers of its own, with a priority.
// NO-INITIALISERS-NOT: {{\.init_array }}
