#include "lower/names.h"

#include "llvm/ADT/StringRef.h"
#include "lower/calling_convention.h"

namespace structured::gen {

NameTable::NameTable(const Library& library) {
  for (const Operator& op : library.operators) {
    add_arguments(op);
  }
  for (const ImportedOperator& imported : library.imported) {
    add_arguments(imported.op);
  }
}

std::string NameTable::claim(std::string name) {
  while (!taken_.insert(name).second) {
    name += '_';
  }
  return name;
}

void NameTable::add_arguments(const Operator& op) {
  for (const Variant& variant : op.variants) {
    for (const Argument* argument : arguments_of(variant.schema)) {
      taken_.insert(argument->name);
    }
  }
}

std::string identifier(const OperatorName& name) {
  std::string result = name.ns.empty() ? "" : name.ns + "_";
  result += name.base;
  return name.overload.empty() ? result : result + "_" + name.overload;
}

std::string header_base(const OperatorName& name) {
  const llvm::StringRef base(name.base);
  const bool is_dunder = base.starts_with("__") && base.ends_with("__");
  return (name.is_inplace() && !is_dunder && base.size() > 1 ? base.drop_back() : base).str();
}

}  // namespace structured::gen
