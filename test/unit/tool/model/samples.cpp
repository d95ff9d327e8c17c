#include "samples.h"

#include <utility>

namespace structured::gen {

namespace {

constexpr const char* source = "kernels/cpu/sample.cpp";
constexpr const char* header = "kernels/common.h";

SourceRange at(unsigned line, unsigned column, const char* file = source) {
  return {file, {line, column}, {line, column + 5}};
}

Function function(const char* name, unsigned line) {
  return {name,
          line % 2 == 1,
          "void",
          {"structured::MetaBase &", "structured::RefinedTensor<float>"},
          source,
          at(line, 6),
          {"", "structured::RefinedTensor<float>"}};
}

Schema schema(const char* text) {
  llvm::Expected<Schema> parsed = parse_schema(text);
  return parsed ? *parsed : Schema{};
}

ClassFact class_fact() {
  return {
      .name = "kernels::Base",
      .bases = {"structured::TensorIteratorBase", "structured::MetaBase"},
      .is_final = true,
      .is_abstract = true,
      .is_default_constructible = true,
      .is_visible_from_header = true,
      .header = "kernels/common.h",
      .members = {{"dim", {"long", "int64_t"}}, {"keep", {"bool", "bool"}}},
      .range = at(3, 8, header),
  };
}

Declaration declaration() {
  Declaration declaration;
  declaration.name = "kernels::sample_meta";
  declaration.is_extern_c = true;
  declaration.is_definition = true;
  declaration.result = {"kernels::Pre", "Pre"};
  declaration.parameters.push_back({
      .name = "x",
      .type = {"const structured::Tensor &", "const Tensor&"},
      .is_enum = true,
      .default_argument =
          DefaultArgument{"1 + 1", {"2", "2", "k::Mode::two", {{{"1", {}, {}, {}, true}, {}}}, false}, at(9, 40)},
      .attributes = {{"kwonly", {}, at(9, 3)}, {"alias", {{"a -> *", at(9, 12)}, {int64_t{-1}, at(9, 20)}}, {}}},
      .range = at(9, 1),
      .type_range = at(9, 22),
      .name_range = at(9, 35),
      .is_invalid = true,
  });
  declaration.parameters.emplace_back();  // unnamed, without any facts
  declaration.attributes = {
      {"meta", {{"add.Tensor", at(8, 10)}, {true, at(8, 20)}, {"", at(8, 30, header)}}, at(8, 3)}};
  for (int i = 0; i <= static_cast<int>(LinkageError::has_asm_label); ++i) {
    declaration.linkage_errors.push_back(static_cast<LinkageError>(i));
  }
  declaration.is_invalid = true;
  declaration.base_class = class_fact();
  declaration.result_class = ClassFact{};  // a class without facts
  declaration.template_parameters = {"T", "U"};
  declaration.ordering = Ordering{">", at(10, 9)};
  declaration.iterator = IteratorFact{"int_to_float", "checks its arguments", at(11, 3)};
  declaration.comment = "Adds.\n\nA \"quoted\" \\ line, \xC3\xA9, and a tab\there.";
  declaration.range = at(8, 1);
  declaration.name_range = at(9, 6);
  declaration.result_range = at(9, 1);
  declaration.parameters_range = {source, {9, 7}, {10, 2}};
  declaration.macro_ranges = {at(9, 22), at(9, 35, header)};
  return declaration;
}

StructuredParts structured_parts() {
  StructuredParts parts;
  parts.base = {"structured::TensorIteratorBase", "structured/iterator/tensor_iterator.h"};
  parts.meta = function("kernels::add_meta", 4);
  parts.precomputed = Precomputed{{"kernels::Pre", "kernels/pre.h"}, {"dim"}, {{"dim", {"long", "int64_t"}}}};
  parts.output_names = {"out", "indices"};
  parts.impls = {{"CPU", function("kernels::add_cpu", 5), true, {"floating", "bfloat16"}},
                 {"CUDA", function("kernels::add_cuda", 6), false, {}}};
  return parts;
}

}  // namespace

Fragment full_fragment() {
  return {source, "native", {declaration(), Declaration{}}, {{"kernel", {{"view", at(20, 4)}}, at(20, 3)}}};
}

Library full_library() {
  Operator add;
  add.variants = {
      {Variant::Kind::functional, schema("add.Tensor(Tensor self, *, Scalar alpha=1) -> Tensor"), {"long"}, {}},
      {Variant::Kind::inplace, schema("add_.Tensor(Tensor(a!) self, str s=\"\\\"\") -> Tensor(a!)"), {}, {}},
      {Variant::Kind::out, schema("aten::add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"), {}, {}}};
  add.variants[0].kernels = {{"SparseCPU", function("kernels::add_sparse", 7), false, {"all"}}};
  add.variants[2].derived_from = "add.Tensor";
  add.structured = structured_parts();
  add.pointwise = Pointwise{.function = function("kernels::add", 9),
                            .type_parameter = "T",
                            .roles = {Pointwise::Role::element, Pointwise::Role::boolean_element,
                                      Pointwise::Role::scalar, Pointwise::Role::value},
                            .returns_bool = true,
                            .promotion = "int_to_float",
                            .dtypes = {"floating"},
                            .backends = {"CPU", "CUDA"}};
  add.loop = Pointwise{.function = function("kernels::add_cpu", 5),
                       .type_parameter = "",
                       .roles = {Pointwise::Role::element, Pointwise::Role::scalar},
                       .promotion = "default",
                       .dtypes = {"float"},
                       .backends = {},
                       .is_opaque = true,
                       .bodies = {{"float", "", std::nullopt, "has more than one loop", at(5, 3)}}};
  add.backwards = {
      {Backward::Kind::scalar, function("kernels::add_backward", 10), {"grad", "other"}, {"self", "other"}}};
  add.documentation = "Adds.\nTwo lines.";
  add.tags = {"core", "pointwise"};
  add.is_method = true;
  add.checks_device = false;
  add.no_cpp_default = {"*", "alpha"};

  Operator view;
  view.variants = {{Variant::Kind::functional, schema("view(Tensor(a) self, SymInt[] size) -> Tensor(a)"), {}, {}}};
  view.variants[0].kernels = {{"CPU", function("kernels::view", 11), false, {}}};
  ImportedOperator imported{view, "other", "a::other"};
  return {"aten", "structured", "native", {std::move(add), std::move(view)}, {std::move(imported)}};
}

}  // namespace structured::gen
