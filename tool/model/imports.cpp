#include "model/imports.h"

#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Locates schemas in the text of the document. They must be requested in document order.
class SchemaFinder {
 public:
  SchemaFinder(llvm::StringRef file, llvm::StringRef text) : file_(file), text_(text) {}

  /// Returns the range of the schema without its quotes, or the beginning of the document if it is spelled differently.
  SourceRange find(const Schema& schema) {
    std::string literal = "\"";
    for (char c : to_string(schema)) {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
    literal += '"';
    std::size_t found = text_.find(literal, offset_);
    if (found == llvm::StringRef::npos) return {file_.str(), {1, 1}, {1, 1}};
    llvm::StringRef passed = text_.slice(offset_, found + 1);
    line_ += static_cast<unsigned>(passed.count('\n'));
    offset_ = found + 1;
    std::size_t line_start = text_.rfind('\n', found) + 1;
    auto column = static_cast<unsigned>(offset_ - line_start) + 1;
    return {file_.str(), {line_, column}, {line_, column + static_cast<unsigned>(literal.size()) - 2}};
  }

 private:
  llvm::StringRef file_;
  llvm::StringRef text_;
  std::size_t offset_ = 0;
  unsigned line_ = 1;
};

/// Adds the namespace to an operator's name in an attribute.
void qualify(AttributeArgument& argument, llvm::StringRef schema_namespace) {
  auto* text = std::get_if<std::string>(&argument.value);
  if (!text) return;
  llvm::Expected<OperatorName> name = parse_operator_name(*text);
  if (!name) return llvm::consumeError(name.takeError());
  if (name->ns.empty()) name->ns = schema_namespace.str();
  *text = to_string(*name);
}

bool is_variant_of(const AttributeArgument& argument, const OperatorSignature& op) {
  const auto* text = std::get_if<std::string>(&argument.value);
  return text && llvm::any_of(op.variants,
                              [&](const VariantSignature& variant) { return to_string(variant.schema.name) == *text; });
}

void qualify_names(std::vector<Attribute>& attributes, const OperatorSignature& op, llvm::StringRef schema_namespace) {
  for (Attribute& attribute : attributes) {
    auto role = role_named(attribute.name);
    bool names_all = role == Role::meta || role == Role::pointwise;
    for (AttributeArgument& argument : attribute.arguments) {
      bool is_first = &argument == &attribute.arguments.front();
      if (names_all || (role && is_first) || (attribute.name == "returns" && is_first && is_variant_of(argument, op))) {
        qualify(argument, schema_namespace);
      }
    }
  }
}

void stand_at(Declaration& declaration, const SourceRange& place) {
  for (SourceRange* range :
       {&declaration.range, &declaration.name_range, &declaration.result_range, &declaration.parameters_range}) {
    *range = place;
  }
  for (Parameter& parameter : declaration.parameters) {
    for (SourceRange* range : {&parameter.range, &parameter.type_range, &parameter.name_range}) *range = place;
    if (parameter.default_argument) parameter.default_argument->range = place;
    for (Attribute& attribute : parameter.attributes) attribute.range = place;
  }
  for (Attribute& attribute : declaration.attributes) {
    attribute.range = place;
    for (AttributeArgument& argument : attribute.arguments) argument.range = place;
  }
  for (std::optional<ClassFact>* fact : {&declaration.base_class, &declaration.result_class}) {
    if (*fact) (*fact)->range = place;
  }
}

Attribute role_attribute(llvm::StringRef role, const OperatorName& name, llvm::ArrayRef<std::string> backends) {
  Attribute attribute{role.str(), {{to_string(name), {}}}, {}};
  for (const std::string& backend : backends) attribute.arguments.push_back({backend, {}});
  return attribute;
}

Parameter parameter(std::string name, CppType type) {
  Parameter result;
  result.name = std::move(name);
  result.type = std::move(type);
  return result;
}

/// Sets the parameters that every impl of the structured operator has.
void set_impl_signature(Declaration& impl, const OperatorSignature& op, const TypeTable& types) {
  const Declaration& meta = op.definition;
  for (const Parameter* input : impl_inputs(meta)) impl.parameters.push_back(parameter(input->name, input->type));
  if (has_precomputed(meta)) {
    CppType type{precomputed_parameter_type(meta), "const " + meta.result.written + "&"};
    impl.parameters.push_back(parameter("precomputed", std::move(type)));
  }
  for (const std::string& output : op.outputs) {
    impl.parameters.push_back(parameter(output, {("const " + types.tensor() + " &").str(), "const Tensor&"}));
  }
}

/// Returns one declaration for all impls and kernels, since signatures do not name the functions.
Declaration kernels_of(const OperatorSignature& op, const TypeTable& types) {
  Declaration kernels;
  kernels.name = to_string(op.variants.front().schema.name);
  kernels.result = {"void", "void"};
  if (role_of(op.definition) == Role::meta) {
    set_impl_signature(kernels, op, types);
    kernels.attributes.push_back(role_attribute("impl", op.variants.front().schema.name, op.impls));
  }
  for (const VariantSignature& variant : op.variants) {
    if (variant.kernels.empty()) continue;
    kernels.attributes.push_back(role_attribute("kernel", variant.schema.name, variant.kernels));
  }
  return kernels;
}

/// Returns the definition, with the backends of the kernels if the operator is unstructured.
Declaration definition_of(const OperatorSignature& op) {
  Declaration definition = op.definition;
  for (Attribute& attribute : definition.attributes) {
    if (role_named(attribute.name) != Role::kernel) continue;
    for (const std::string& backend : op.variants.front().kernels) attribute.arguments.push_back({backend, {}});
  }
  return definition;
}

}  // namespace

ImportedLibrary imported_library(const Signatures& signatures, const TypeTable& types, llvm::StringRef file,
                                 llvm::StringRef text) {
  ImportedLibrary library{signatures.schema_namespace, signatures.cpp_namespace, {}, {}};
  for (Fragment* fragment : {&library.definitions, &library.kernels}) {
    fragment->source = file.str();
    fragment->dialect = signatures.dialect;
  }
  SchemaFinder finder(file, text);
  for (const OperatorSignature& op : signatures.operators) {
    SourceRange place = finder.find(op.variants.front().schema);
    auto add = [&](Fragment& fragment, Declaration declaration) {
      qualify_names(declaration.attributes, op, signatures.schema_namespace);
      stand_at(declaration, place);
      fragment.declarations.push_back(std::move(declaration));
    };
    auto role = role_of(op.definition);
    add(library.definitions, definition_of(op));
    if (role == Role::meta || role == Role::pointwise) add(library.kernels, kernels_of(op, types));
  }
  return library;
}

}  // namespace structured::gen
