// Derivation of operators from declarations that passed all checks.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the operators that the fragments declare, and those of `imports` for which they have kernels, sorted by
/// schema. The result does not depend on the order of the fragments. Scalar functions get kernels for `backends`, those
/// of the library (empty: all).
/// Precondition: `check` over the same fragments, types, schema namespace and imports reported no error.
Library derive(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, llvm::StringRef schema_namespace,
               llvm::StringRef cpp_namespace, llvm::ArrayRef<ImportedLibrary> imports = {},
               llvm::ArrayRef<std::string> backends = {});

}  // namespace structured::gen
