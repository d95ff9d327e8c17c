#include "dialect/dialect.h"

#include "dialect/aten_cpp_types.h"
#include "dialect/native_cpp_types.h"
#include "dialect/torch_stable_types.h"
#include "dialect/type_tables.h"

namespace structured::gen {

std::string result_type(const CppTypes& cpp_types, llvm::ArrayRef<Return> results) {
  if (results.empty()) {
    return "void";
  }
  std::string types;
  for (const Return& result : results) {
    const bool is_mutable = result.alias && result.alias->is_write;
    types.append(types.empty() ? "" : ", ").append(cpp_types.result(result.type, is_mutable));
  }
  return results.size() == 1 ? types : "std::tuple<" + types + ">";
}

namespace {

llvm::ArrayRef<Dialect> all_dialects() {
  static const Dialect dialects[] = {{"native", native_types(), &native_cpp_types()},
                                     {"aten", aten_types(), nullptr},
                                     {"torch", torch_types(), &aten_cpp_types()},
                                     {"torch_stable", torch_stable_types(), &torch_stable_cpp_types()}};
  return dialects;
}

}  // namespace

const Dialect* find_dialect(llvm::StringRef name) {
  for (const Dialect& dialect : all_dialects()) {
    if (dialect.name() == name) return &dialect;
  }
  return nullptr;
}

std::string unknown_dialect(llvm::StringRef name) {
  std::string names;
  for (const Dialect& dialect : all_dialects()) {
    names += (names.empty() ? "" : &dialect == &all_dialects().back() ? " or " : ", ") + dialect.name().str();
  }
  return "unknown dialect `" + name.str() + "`; expected " + names;
}

}  // namespace structured::gen
