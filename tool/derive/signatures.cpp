#include "derive/signatures.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/operator_index.h"

namespace structured::gen {
namespace {

/// Attributes that affect the schema or the wrappers. The others concern only the library itself.
constexpr llvm::StringLiteral kept_attributes[] = {"returns", "out", "no_out", "promote", "device_check"};

void clear_locations(std::vector<Attribute>& attributes) {
  for (Attribute& attribute : attributes) {
    attribute.range = {};
    for (AttributeArgument& argument : attribute.arguments) argument.range = {};
  }
}

std::optional<ClassFact> without_location(std::optional<ClassFact> fact) {
  if (fact) fact->range = {};
  return fact;
}

/// Returns the function without source locations and library-private attributes.
Declaration public_declaration(const OperatorRef& ref) {
  const Declaration& found = ref.declaration();
  Declaration result;
  result.name = found.name;
  result.result = found.result;
  result.parameters = found.parameters;
  result.base_class = without_location(found.base_class);
  result.result_class = without_location(found.result_class);
  result.template_parameters = found.template_parameters;
  for (Parameter& parameter : result.parameters) {
    parameter.range = parameter.type_range = parameter.name_range = {};
    parameter.is_enum = false;  // only a fact about types without a schema type
    if (parameter.default_argument) parameter.default_argument->range = {};
    clear_locations(parameter.attributes);
  }
  Attribute role = *ref.attribute;
  if (ref.role() == Role::kernel || ref.role() == Role::composite) {
    role.name = "kernel";
    role.arguments.resize(1);  // the backends are in the signature, not in the definition
  }
  result.attributes.push_back(std::move(role));
  for (const Attribute& attribute : found.attributes) {
    if (llvm::is_contained(kept_attributes, attribute.name)) result.attributes.push_back(attribute);
  }
  clear_locations(result.attributes);
  return result;
}

/// Returns the meta function emitted for a scalar function. Other libraries can add impls to the operator.
Declaration meta_declaration(Declaration function, const Operator& op, const TypeTable& types) {
  function.template_parameters.clear();
  function.result = {"void", "void"};
  for (auto [parameter, type] : llvm::zip(function.parameters, op.variants.front().input_types)) {
    parameter.type = {type, types.written_argument(type)};
    llvm::erase_if(parameter.attributes,
                   [](const Attribute& attribute) { return attribute.name == "scalar" || attribute.name == "tensor"; });
  }
  ClassFact base;
  base.name = "structured::TensorIteratorBase";
  base.bases = {types.meta_base().str()};
  base.is_default_constructible = true;
  base.is_visible_from_header = true;
  base.header = "structured/iterator/tensor_iterator.h";
  Parameter iterator;
  iterator.name = "op";
  iterator.type = {base.name + " &", base.name + "&"};
  function.parameters.insert(function.parameters.begin(), std::move(iterator));
  function.base_class = std::move(base);
  llvm::erase_if(function.attributes, [](const Attribute& attribute) { return attribute.name == "promote"; });
  for (Attribute& attribute : function.attributes) {
    if (attribute.name == "pointwise") attribute.name = "meta";
  }
  return function;
}

std::vector<std::string> backends_of(llvm::ArrayRef<Kernel> kernels) {
  std::vector<std::string> backends;
  for (const Kernel& kernel : kernels) backends.push_back(kernel.backend);
  return backends;
}

OperatorSignature signature_of(const Operator& op, const OperatorRef& definition, const TypeTable& types) {
  OperatorSignature signature;
  signature.definition = public_declaration(definition);
  if (op.pointwise && !op.pointwise->backends.empty()) {
    signature.definition = meta_declaration(std::move(signature.definition), op, types);
    signature.outputs = {"out"};
    signature.impls = op.pointwise->backends;
  }
  for (const Variant& variant : op.variants) {
    signature.variants.push_back({variant.schema, backends_of(variant.kernels)});
  }
  if (op.structured) {
    signature.outputs = op.structured->output_names;
    signature.impls = backends_of(op.structured->impls);
  }
  return signature;
}

}  // namespace

Signatures signatures_of(const Library& library, llvm::ArrayRef<Fragment> fragments, const TypeTable& types,
                         llvm::ArrayRef<ImportedLibrary> imports) {
  OperatorIndex index(fragments, library.schema_namespace, imports);
  std::map<OperatorName, const OperatorRef*> definitions;
  for (const DefinedOperator& op : index.defined()) definitions.try_emplace(op.definition.name, &op.definition);
  for (const PlainOperator& op : index.plain()) definitions.try_emplace(op.name, &op.kernels.front());

  Signatures signatures{library.schema_namespace, library.cpp_namespace, library.dialect, {}};
  for (const Operator& op : library.operators) {
    if (!op.variants.front().derived_from.empty()) continue;  // other libraries cannot add kernels to it
    const OperatorRef& definition = *definitions.at(op.variants.front().schema.name);
    signatures.operators.push_back(signature_of(op, definition, types));
  }
  return signatures;
}

}  // namespace structured::gen
