#include "sample_library.h"

#include "llvm/ADT/StringRef.h"

namespace structured::gen {
namespace {

const std::string tensor = "const structured::Tensor &";
const std::string written_tensor = "structured::Tensor &";
const std::string scalar = "const structured::Scalar &";

Variant variant(Variant::Kind kind, llvm::StringRef schema, std::vector<Kernel> kernels = {}) {
  Variant result;
  result.kind = kind;
  result.schema = llvm::cantFail(parse_schema(schema));
  result.kernels = std::move(kernels);
  return result;
}

Function function(std::string name, std::string result, std::vector<std::string> parameters, std::string source) {
  return {"acme::kernels::" + std::move(name), false, std::move(result), std::move(parameters), std::move(source), {}};
}

Kernel kernel(std::string backend, Function f, bool takes_base = false) {
  return {std::move(backend), std::move(f), takes_base, {}};
}

ClassReference meta_base() { return {"structured::MetaBase", "structured/kernel/meta_base.h"}; }
ClassReference iterator_base() { return {"structured::TensorIteratorBase", "structured/iterator/tensor_iterator.h"}; }

// Has an iterator as base, which impl takes, all three variants, and a sparse kernel.
Operator add() {
  const std::string base = "structured::TensorIteratorBase &";
  Operator op;
  op.documentation = "Adds `alpha * other` to `self`.";
  op.variants = {
      variant(
          Variant::Kind::functional, "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
          {kernel("SparseCPU", function("add_sparse", "structured::Tensor", {tensor, tensor, scalar}, "plain.cpp"))}),
      variant(Variant::Kind::inplace, "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"),
      variant(Variant::Kind::out,
              "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)")};
  op.structured.emplace();
  op.structured->base = iterator_base();
  op.structured->meta = function("add_meta", "void", {base, tensor, tensor, scalar}, "meta.cpp");
  op.structured->output_names = {"out"};
  op.structured->impls = {
      kernel("CPU", function("add_cpu", "void", {base, tensor, tensor, scalar, tensor}, "cpu.cpp"), true)};
  return op;
}

// Has two outputs, and arguments whose names collide with those in wrappers.
Operator max() {
  Operator op;
  op.variants = {
      variant(Variant::Kind::functional,
              "max.dim(Tensor op, int guard, bool keepdim=False) -> (Tensor values, Tensor indices)"),
      variant(Variant::Kind::out,
              "max.dim_max(Tensor op, int guard, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> "
              "(Tensor(a!) values, Tensor(b!) indices)")};
  op.structured.emplace();
  op.structured->base = meta_base();
  op.structured->meta = function("max_meta", "void", {"structured::MetaBase &", tensor, "long", "bool"}, "meta.cpp");
  op.structured->output_names = {"max", "max_values"};
  op.structured->impls = {
      kernel("CPU", function("max_cpu", "void", {tensor, "long", "bool", tensor, tensor}, "cpu.cpp")),
      kernel("CUDA", function("max_cuda", "void", {tensor, "long", "bool", tensor, tensor}, "cpu.cpp"))};
  return op;
}

// Has a precomputed value that replaces an argument.
Operator mean() {
  Operator op;
  op.variants = {variant(Variant::Kind::functional, "mean.dim(Tensor self, int[1]? dim, bool keepdim=False) -> Tensor"),
                 variant(Variant::Kind::out,
                         "mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)")};
  op.structured.emplace();
  op.structured->base = meta_base();
  op.structured->precomputed.emplace();
  op.structured->precomputed->type = {"acme::MeanDims", "acme/mean_dims.h"};
  op.structured->precomputed->replaced = {"dim"};
  op.structured->precomputed->members = {{"dim", {"std::vector<long>", "std::vector<int64_t>"}}};
  op.structured->meta =
      function("mean_meta", "acme::MeanDims",
               {"structured::MetaBase &", tensor, "structured::OptionalIntArrayRef", "bool"}, "meta.cpp");
  op.structured->output_names = {"out"};
  op.structured->impls = {
      kernel("CPU", function("mean_cpu", "void", {tensor, "bool", "const acme::MeanDims &", tensor}, "cpu.cpp"))};
  return op;
}

Operator plain(Variant::Kind kind, llvm::StringRef schema, std::vector<Kernel> kernels) {
  Operator op;
  op.variants = {variant(kind, schema, std::move(kernels))};
  return op;
}

Operator view() {
  const Function f = function("view", "structured::Tensor", {tensor, "structured::ArrayRef<long>"}, "plain.cpp");
  return plain(Variant::Kind::functional, "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
               {kernel("CPU", f), kernel("Meta", f)});
}

Operator copy() {
  return plain(
      Variant::Kind::inplace, "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
      {kernel("CPU", function("copy_", "structured::Tensor &", {written_tensor, tensor, "bool"}, "plain.cpp"))});
}

Operator ones_out() {
  return plain(Variant::Kind::out, "ones.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)",
               {kernel("CPU", function("ones_out", "structured::Tensor &",
                                       {"structured::ArrayRef<long>", written_tensor}, "plain.cpp"))});
}

Operator foreach_add() {
  Operator op = plain(Variant::Kind::inplace, "_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()",
                      {kernel("CPU", function("foreach_add_", "void",
                                              {"structured::ArrayRef<structured::Tensor>", scalar}, "plain.cpp"))});
  op.checks_device = false;
  return op;
}

Operator empty() {
  const Function f = function(
      "empty", "structured::Tensor",
      {"structured::ArrayRef<long>", "std::optional<structured::ScalarType>", "std::optional<structured::Layout>",
       "std::optional<structured::Device>", "std::optional<bool>", "std::optional<structured::MemoryFormat>"},
      "plain.cpp");
  return plain(
      Variant::Kind::functional,
      "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
      {kernel("CPU", f), kernel("Meta", f), kernel("PrivateUse1", f)});
}

Operator split() {
  return plain(Variant::Kind::functional, "split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]",
               {kernel("CompositeExplicitAutograd",
                       function("split", "std::vector<structured::Tensor>", {tensor, "long", "long"}, "plain.cpp"))});
}

Operator linear() {
  return plain(Variant::Kind::functional, "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
               {kernel("CompositeImplicitAutograd",
                       function("linear", "structured::Tensor",
                                {tensor, tensor, "const std::optional<structured::Tensor> &"}, "plain.cpp"))});
}

// Has a default of every kind.
Operator defaults() {
  return plain(
      Variant::Kind::functional,
      "defaults(Tensor self, int[2] stride=1, int[2] padding=[0,1], int[] dim=[], str mode=\"constant\", "
      "float value=1e-05, float bound=inf, int reduction=Mean, ScalarType dtype=long, int? axis=None, Scalar "
      "scale=1.5, "
      "bool flag=True, MemoryFormat format=contiguous_format, int last=-9223372036854775808) -> (Tensor, float, int)",
      {kernel("CPU", function("defaults", "std::tuple<structured::Tensor, double, long>",
                              {tensor, "structured::ArrayRef<long>", "structured::ArrayRef<long>",
                               "structured::ArrayRef<long>", "std::basic_string_view<char>", "double", "double", "long",
                               "structured::ScalarType", "std::optional<long>", scalar, "bool",
                               "structured::MemoryFormat", "long"},
                              "plain.cpp"))});
}

}  // namespace

Library sample_library() {
  Library library;
  library.schema_namespace = "acme";
  library.cpp_namespace = "acme";
  library.dialect = "native";
  library.operators = {foreach_add(), add(),  copy(),     defaults(), empty(), linear(),
                       max(),         mean(), ones_out(), split(),    view()};
  return library;
}

}  // namespace structured::gen
