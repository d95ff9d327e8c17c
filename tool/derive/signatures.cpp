#include "derive/signatures.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/operator_index.h"

namespace structured::gen {
namespace {

/// Attributes that say something of the schema, or of what wrappers do; the others are the library's own affair.
constexpr llvm::StringLiteral kept_attributes[] = {"returns", "out", "promote", "device_check"};

void forget_places(std::vector<Attribute>& attributes) {
  for (Attribute& attribute : attributes) {
    attribute.range = {};
    for (AttributeArgument& argument : attribute.arguments) argument.range = {};
  }
}

std::optional<ClassFact> essence_of(std::optional<ClassFact> fact) {
  if (fact) fact->range = {};
  return fact;
}

/// The function without places and without what is no matter of others.
Declaration essence_of(const OperatorRef& ref) {
  const Declaration& found = ref.declaration();
  Declaration result;
  result.name = found.name;
  result.result = found.result;
  result.parameters = found.parameters;
  result.base_class = essence_of(found.base_class);
  result.result_class = essence_of(found.result_class);
  result.template_parameters = found.template_parameters;
  for (Parameter& parameter : result.parameters) {
    parameter.range = parameter.type_range = parameter.name_range = {};
    if (parameter.default_argument) parameter.default_argument->range = {};
    forget_places(parameter.attributes);
  }
  Attribute role = *ref.attribute;
  if (ref.role() == Role::kernel || ref.role() == Role::composite) {
    role.name = "kernel";
    role.arguments.resize(1);  // each backend is listed beside the definition
  }
  result.attributes.push_back(std::move(role));
  for (const Attribute& attribute : found.attributes) {
    if (llvm::is_contained(kept_attributes, attribute.name)) result.attributes.push_back(attribute);
  }
  forget_places(result.attributes);
  return result;
}

/// A canonical type of the runtime as authors write it, for messages: `const Tensor&`.
std::string as_written(llvm::StringRef canonical) {
  std::string result;
  while (!canonical.empty()) {
    if (canonical.consume_front("structured::")) continue;
    if (canonical.starts_with(" &")) canonical = canonical.drop_front();
    result += canonical.front();
    canonical = canonical.drop_front();
  }
  return result;
}

/// A scalar function as the meta function that is emitted for it: other libraries add impls to the operator as to any
/// other one.
Declaration meta_declaration(Declaration function, const Operator& op) {
  function.template_parameters.clear();
  function.result = {"void", "void"};
  for (auto [parameter, type] : llvm::zip(function.parameters, op.variants.front().input_types)) {
    parameter.type = {type, as_written(type)};
    llvm::erase_if(parameter.attributes,
                   [](const Attribute& attribute) { return attribute.name == "scalar" || attribute.name == "tensor"; });
  }
  ClassFact base;
  base.name = "structured::TensorIteratorBase";
  base.bases = {"structured::MetaBase"};
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

OperatorSignature signature_of(const Operator& op, const OperatorRef& definition, bool has_emitted_code) {
  OperatorSignature signature;
  signature.definition = essence_of(definition);
  if (op.pointwise && has_emitted_code) {
    signature.definition = meta_declaration(std::move(signature.definition), op);
    signature.outputs = {"out"};
    signature.impls = {"CPU"};
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

Signatures signatures_of(const Library& library, llvm::ArrayRef<Fragment> fragments,
                         llvm::ArrayRef<ImportedLibrary> imports) {
  OperatorIndex index(fragments, library.schema_namespace, imports);
  std::map<OperatorName, const OperatorRef*> definitions;
  for (const DefinedOperator& op : index.defined()) definitions.try_emplace(op.definition.name, &op.definition);
  for (const PlainOperator& op : index.plain()) definitions.try_emplace(op.name, &op.kernels.front());

  Signatures signatures{library.schema_namespace, library.cpp_namespace, library.dialect, {}};
  for (const Operator& op : library.operators) {
    const OperatorRef& definition = *definitions.at(op.variants.front().schema.name);
    signatures.operators.push_back(signature_of(op, definition, library.dialect == "native"));
  }
  return signatures;
}

}  // namespace structured::gen
