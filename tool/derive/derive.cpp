#include "derive/derive.h"

#include "derive/conventions.h"
#include "llvm/ADT/STLExtras.h"
#include "model/operator_index.h"

namespace structured::gen {
namespace {

bool has_kernels(const Operator& op) {
  return (op.pointwise && !op.pointwise->backends.empty()) || (op.structured && !op.structured->impls.empty()) ||
         llvm::any_of(op.variants, [](const Variant& variant) { return !variant.kernels.empty(); });
}

class Deriver {
 public:
  Deriver(Library& library, llvm::ArrayRef<ImportedLibrary> imports) : library_(library), imports_(imports) {}

  void add(Operator op, const FoundDeclaration& definition) {
    std::string schema = to_string(op.variants.front().schema);
    if (!definition.is_imported) {
      own_.emplace_back(std::move(schema), std::move(op));
    } else if (has_kernels(op)) {
      imported_.emplace_back(std::move(schema), imported(std::move(op), definition));
    }
  }

  void finish() {
    llvm::sort(own_, llvm::less_first());
    for (auto& [schema, op] : own_) library_.operators.push_back(std::move(op));
    llvm::sort(imported_, llvm::less_first());
    for (auto& [schema, op] : imported_) library_.imported.push_back(std::move(op));
  }

 private:
  ImportedOperator imported(Operator op, const FoundDeclaration& definition) const {
    const ImportedLibrary& owner = *llvm::find_if(
        imports_, [&](const ImportedLibrary& library) { return &library.definitions == definition.fragment; });
    // Source locations belong to the library that defines the operator.
    if (op.structured) {
      op.structured->meta.source.clear();
      op.structured->meta.range = {};
    }
    return {std::move(op), owner.schema_namespace, owner.cpp_namespace};
  }

  Library& library_;
  llvm::ArrayRef<ImportedLibrary> imports_;
  std::vector<std::pair<std::string, Operator>> own_;
  std::vector<std::pair<std::string, ImportedOperator>> imported_;
};

}  // namespace

Library derive(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, llvm::StringRef schema_namespace,
               llvm::StringRef cpp_namespace, llvm::ArrayRef<ImportedLibrary> imports,
               llvm::ArrayRef<std::string> backends) {
  Library library;
  library.schema_namespace = schema_namespace.str();
  library.cpp_namespace = cpp_namespace.str();
  if (!fragments.empty()) library.dialect = fragments.front().dialect;

  OperatorIndex index(fragments, schema_namespace, imports);
  Deriver deriver(library, imports);
  for (const DefinedOperator& definition : index.defined()) {
    Operator op = definition.is_structured() ? derive_structured(definition, index, types)
                                             : derive_pointwise(definition, index, types, backends);
    if (definition.is_imported()) op.pointwise.reset();
    if (definition.scalar_function) {
      DefinedOperator own = definition;
      own.definition = *definition.scalar_function;
      op.pointwise = derive_pointwise(own, index, types, backends).pointwise;
    }
    deriver.add(std::move(op), definition.definition.found);
  }
  for (const PlainOperator& plain : index.plain()) {
    Operator op = derive_plain(plain, index, types);
    for (Operator& variant : derive_variants(plain, op, index)) {
      deriver.add(std::move(variant), plain.kernels.front().found);
    }
    deriver.add(std::move(op), plain.kernels.front().found);
  }
  deriver.finish();
  return library;
}

}  // namespace structured::gen
