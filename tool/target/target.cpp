#include "target/target.h"

#include "target/native_cpp_types.h"
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

const Target* find_target(llvm::StringRef name) {
  // libtorch has a dispatcher of its own, where code of another shape registers kernels: no C++ for it here.
  static const Target targets[] = {{"native", native_types(), &native_cpp_types()}, {"aten", aten_types(), nullptr}};
  for (const Target& target : targets) {
    if (target.name() == name) {
      return &target;
    }
  }
  return nullptr;
}

}  // namespace structured::gen
