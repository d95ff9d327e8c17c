#include "model/library_json.h"

#include "llvm/ADT/ArrayRef.h"
#include "model/cpp_type_json.h"
#include "model/json_reader.h"
#include "model/json_writer.h"
#include "model/scalar_graph_json.h"
#include "model/shape_program_json.h"

namespace structured::gen {

namespace {
constexpr llvm::StringRef library_format = "structured library";
}

// In the order of the enumerators.
static llvm::ArrayRef<llvm::StringRef> names_of(Variant::Kind) {
  static constexpr llvm::StringRef names[] = {"functional", "inplace", "out"};
  static_assert(std::size(names) == static_cast<std::size_t>(Variant::Kind::out) + 1);
  return names;
}

static llvm::ArrayRef<llvm::StringRef> names_of(Pointwise::Role) {
  static constexpr llvm::StringRef names[] = {"element",          "boolean_element",  "scalar",
                                              "promoting_scalar", "converted_scalar", "value"};
  static_assert(std::size(names) == static_cast<std::size_t>(Pointwise::Role::value) + 1);
  return names;
}

static llvm::ArrayRef<llvm::StringRef> names_of(Backward::Kind) {
  static constexpr llvm::StringRef names[] = {"tensors", "scalar", "derived"};
  static_assert(std::size(names) == static_cast<std::size_t>(Backward::Kind::derived) + 1);
  return names;
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Function> function) {
  archive.required("name", function.name);
  archive.field("is_extern_c", function.is_extern_c);
  archive.required("result", function.result);
  archive.field("parameters", function.parameters);
  archive.field("refined", function.refined);
  archive.required("source", function.source);
  archive.places_in(function.source);
  archive.field("range", function.range);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ClassReference> reference) {
  archive.required("name", reference.name);
  archive.field("header", reference.header);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Kernel> kernel) {
  archive.required("backend", kernel.backend);
  archive.required("function", kernel.function);
  archive.field("takes_base", kernel.takes_base);
  archive.field("dtypes", kernel.dtypes);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Variant> variant) {
  archive.required("kind", variant.kind);
  archive.required("schema", variant.schema);
  archive.field("input_types", variant.input_types);
  archive.field("kernels", variant.kernels);
  archive.field("derived_from", variant.derived_from);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Precomputed> precomputed) {
  archive.required("type", precomputed.type);
  archive.field("replaced", precomputed.replaced);
  archive.field("members", precomputed.members);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<StructuredParts> parts) {
  archive.required("base", parts.base);
  archive.required("meta", parts.meta);
  archive.field("precomputed", parts.precomputed);
  archive.field("output_names", parts.output_names);
  archive.field("impls", parts.impls);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Pointwise> pointwise) {
  archive.required("function", pointwise.function);
  archive.required("type_parameter", pointwise.type_parameter);
  archive.field("roles", pointwise.roles);
  archive.field("returns_bool", pointwise.returns_bool);
  archive.field("promotion", pointwise.promotion);
  archive.field("dtypes", pointwise.dtypes);
  archive.field("backends", pointwise.backends);
  archive.field("is_opaque", pointwise.is_opaque);
  archive.field("bodies", pointwise.bodies);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Backward> backward) {
  archive.field("kind", backward.kind);
  archive.required("function", backward.function);
  archive.field("parameters", backward.parameters);
  archive.field("inputs", backward.inputs);
  archive.field("bodies", backward.bodies);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Operator> op) {
  archive.required("variants", op.variants);
  archive.field("structured", op.structured);
  archive.field("pointwise", op.pointwise);
  archive.field("loop", op.loop);
  archive.field("backwards", op.backwards);
  archive.field("is_differentiable", op.is_differentiable, true);
  archive.field("not_differentiable", op.not_differentiable);
  archive.field("documentation", op.documentation);
  archive.field("tags", op.tags);
  archive.field("is_method", op.is_method);
  archive.field("checks_device", op.checks_device, true);
  archive.field("shape", op.shape);
  archive.field("autocast", op.autocast);
  archive.field("sharding", op.sharding);
  archive.field("no_cpp_default", op.no_cpp_default);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<ImportedOperator> imported) {
  archive.required("operator", imported.op);
  archive.required("schema_namespace", imported.schema_namespace);
  archive.required("cpp_namespace", imported.cpp_namespace);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Library> library) {
  archive.required("schema_namespace", library.schema_namespace);
  archive.required("cpp_namespace", library.cpp_namespace);
  archive.required("dialect", library.dialect);
  archive.required("operators", library.operators);
  archive.field("imported", library.imported);
}

std::string to_json(const Library& library) {
  return write_json_document(library, library_format, Library::format_version);
}

llvm::Expected<Library> library_from_json(llvm::StringRef text) {
  return read_json_document<Library>(text, library_format, Library::format_version);
}

}  // namespace structured::gen
