// Any text either is refused with messages, or its operators are imported or left out with a reason, one by one. The
// imported ones agree with their own library.
#include <cstddef>
#include <cstdint>

#include "import/compare_libraries.h"
#include "import/import_skeletons.h"
#include "import/native_functions.h"
#include "import/yaml_library.h"

namespace {

using namespace structured::gen;

void import(llvm::ArrayRef<NativeFunction> functions, llvm::StringRef dialect_name) {
  const Dialect& dialect = *find_dialect(dialect_name);
  const YamlLibrary library = yaml_library("fuzz.yaml", functions, dialect, "aten");
  if (!library.errors.empty()) return;
  std::size_t schemas = 0;
  Library same;
  same.schema_namespace = "aten";
  for (const YamlOperator& op : library.operators) {
    schemas += op.op.variants.size();
    same.operators.push_back(op.op);
  }
  const ImportedSkeletons imported =
      import_skeletons(library.operators, dialect, {"fuzz.yaml", "aten", "structured", "structured::kernels", true});
  std::size_t written = 0;
  for (const SkeletonOperator& op : imported.operators) written += op.names.size();
  if (schemas != functions.size() || written + imported.left_out.size() != schemas) __builtin_trap();
  const SkeletonStyle style{dialect_name.str(), "structured::kernels", "values.h"};
  if (skeleton_source(imported.operators, style).empty()) __builtin_trap();
  values_header(imported.operators, style);
  const LibraryComparison comparison =
      compare_libraries("fuzz.yaml", library.operators, same, /*finds_others=*/true, /*generated=*/{});
  if (!comparison.differences.empty()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const NativeFunctions functions =
      read_native_functions("fuzz.yaml", llvm::StringRef(reinterpret_cast<const char*>(data), size));
  for (const std::string& error : functions.errors) {
    if (!llvm::StringRef(error).starts_with("fuzz.yaml:")) __builtin_trap();
  }
  if (!functions.errors.empty()) return 0;
  import(functions.functions, "native");
  import(functions.functions, "aten");
  return 0;
}
