#include "model/last_build.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"
#include "model/operator_index.h"

namespace structured::gen {
namespace {

/// References of one source to operators that it does not define.
struct References {
  std::set<OperatorName> names;
  std::set<std::pair<OperatorName, std::string>> impls;    ///< by variant and backend
  std::set<std::pair<OperatorName, std::string>> kernels;  ///< like `impls`, of unstructured operators
};

References references(const OperatorIndex& index) {
  References result;
  auto add = [&](const OperatorRef& ref, std::set<std::pair<OperatorName, std::string>>* of_backends) {
    result.names.insert(ref.name);
    if (!of_backends) return;
    for (const std::string& backend : ref.backends()) of_backends->emplace(ref.name, backend);
  };
  for (const OperatorRef& ref : index.unresolved()) add(ref, ref.role() == Role::impl ? &result.impls : nullptr);
  for (const PlainOperator& op : index.plain()) {
    for (const OperatorRef& ref : op.kernels) add(ref, &result.kernels);
  }
  return result;
}

/// Whether this source has all of the backends, as far as is known.
bool are_own(llvm::ArrayRef<std::string> backends, const OperatorSignature& op,
             const std::set<std::pair<OperatorName, std::string>>& own) {
  return llvm::all_of(backends, [&](const std::string& backend) {
    return llvm::any_of(op.variants,
                        [&](const VariantSignature& variant) { return own.contains({variant.schema.name, backend}); });
  });
}

const DefinedOperator* find_definition(const OperatorIndex& source, const OperatorSignature& op) {
  for (const VariantSignature& variant : op.variants) {
    if (const DefinedOperator* found = source.find_defined(variant.schema.name)) return found;
  }
  return nullptr;
}

/// Parts of a signature that the source must agree with.
struct Needed {
  bool definition = false;
  bool outputs = false;
};

Needed needed(const OperatorSignature& op, const DefinedOperator* own_definition, const References& own) {
  bool is_structured = role_of(op.definition) == Role::meta;
  if (own_definition) {
    // This source has the meta function; the impls, which determine the outputs, are in other sources.
    return {false, is_structured && own_definition->is_structured() && own_definition->impls.empty()};
  }
  bool is_named = llvm::any_of(
      op.variants, [&](const VariantSignature& variant) { return own.names.contains(variant.schema.name); });
  if (!is_named) return {};
  if (is_structured) return {true, !are_own(op.impls, op, own.impls)};
  bool is_plain = role_of(op.definition) != Role::pointwise;
  return {!is_plain || !are_own(op.variants.front().kernels, op, own.kernels), false};
}

}  // namespace

ImportedLibrary last_build(Signatures signatures, const Fragment& source, const TypeTable& types, llvm::StringRef file,
                           llvm::StringRef text) {
  OperatorIndex index(source, signatures.schema_namespace);
  References own = references(index);
  std::vector<OperatorSignature> operators;
  std::vector<Needed> needed_parts;
  for (OperatorSignature& op : signatures.operators) {
    const DefinedOperator* own_definition = find_definition(index, op);
    Needed parts = needed(op, own_definition, own);
    if (!parts.definition && !parts.outputs) continue;
    if (own_definition) op.definition = own_definition->definition.declaration();  // outputs follow its inputs
    op.impls.clear();
    for (VariantSignature& variant : op.variants) variant.kernels.clear();
    operators.push_back(std::move(op));
    needed_parts.push_back(parts);
  }
  signatures.operators = std::move(operators);
  ImportedLibrary library = imported_library(signatures, types, file, text);
  library.is_last_build = true;
  std::vector<Declaration> definitions;
  std::vector<Declaration> kernels;
  for (auto [op, parts, definition] : llvm::zip(signatures.operators, needed_parts, library.definitions.declarations)) {
    if (parts.definition) definitions.push_back(std::move(definition));
    std::string name = to_string(op.variants.front().schema.name);
    auto found = llvm::find_if(library.kernels.declarations, [&](const Declaration& k) { return k.name == name; });
    if (parts.outputs && found != library.kernels.declarations.end()) kernels.push_back(std::move(*found));
  }
  library.definitions.declarations = std::move(definitions);
  library.kernels.declarations = std::move(kernels);
  return library;
}

}  // namespace structured::gen
