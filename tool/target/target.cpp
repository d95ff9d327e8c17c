#include "target/target.h"

#include "target/aten_cpp_types.h"
#include "target/native_cpp_types.h"
#include "target/torch_stable_types.h"
#include "target/type_tables.h"

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

llvm::ArrayRef<Target> all_targets() {
  static const Target targets[] = {{"native", native_types(), &native_cpp_types()},
                                   {"aten", aten_types(), nullptr},
                                   {"torch", torch_types(), &aten_cpp_types()},
                                   {"torch_stable", torch_stable_types(), &torch_stable_cpp_types()}};
  return targets;
}

}  // namespace

const Target* find_target(llvm::StringRef name) {
  for (const Target& target : all_targets()) {
    if (target.name() == name) return &target;
  }
  return nullptr;
}

std::string unknown_target(llvm::StringRef name) {
  std::string names;
  for (const Target& target : all_targets()) {
    names += (names.empty() ? "" : &target == &all_targets().back() ? " or " : ", ") + target.name().str();
  }
  return "unknown dialect `" + name.str() + "`; expected " + names;
}

}  // namespace structured::gen
