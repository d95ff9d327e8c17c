#include "dialect/dialect.h"

#include "dialect/spellings.h"
#include "dialect/type_tables.h"

namespace structured::gen {

std::string result_type(const CppSpelling& spelling, llvm::ArrayRef<Return> results) {
  if (results.empty()) {
    return "void";
  }
  std::string types;
  for (const Return& result : results) {
    const bool is_written = result.alias && result.alias->is_write;
    types.append(types.empty() ? "" : ", ").append(spelling.result(result.type, is_written));
  }
  return results.size() == 1 ? types : "std::tuple<" + types + ">";
}

const Dialect* find_dialect(llvm::StringRef name) {
  // libtorch has a dispatcher of its own, where code of another shape registers kernels: no C++ for it here.
  static const Dialect dialects[] = {{"native", native_types(), &native_spelling()}, {"aten", aten_types(), nullptr}};
  for (const Dialect& dialect : dialects) {
    if (dialect.name() == name) {
      return &dialect;
    }
  }
  return nullptr;
}

}  // namespace structured::gen
