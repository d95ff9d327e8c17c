#include "derive/derive.h"

#include "derive/conventions.h"
#include "llvm/ADT/STLExtras.h"
#include "model/operator_index.h"

namespace structured::gen {

Library derive(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, llvm::StringRef schema_namespace,
               llvm::StringRef cpp_namespace) {
  Library library;
  library.schema_namespace = schema_namespace.str();
  library.cpp_namespace = cpp_namespace.str();
  if (!fragments.empty()) library.dialect = fragments.front().dialect;

  OperatorIndex index(fragments, schema_namespace);
  std::vector<std::pair<std::string, Operator>> by_schema;
  auto add = [&](Operator op) {
    std::string schema = to_string(op.variants.front().schema);
    by_schema.emplace_back(std::move(schema), std::move(op));
  };
  for (const DefinedOperator& definition : index.defined()) {
    add(definition.is_structured() ? derive_structured(definition, index, types)
                                   : derive_pointwise(definition, index, types));
  }
  for (const PlainOperator& plain : index.plain()) add(derive_plain(plain, index, types));
  llvm::sort(by_schema, llvm::less_first());
  for (auto& [schema, op] : by_schema) library.operators.push_back(std::move(op));
  return library;
}

}  // namespace structured::gen
