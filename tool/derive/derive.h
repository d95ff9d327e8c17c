// Derivation: declarations that passed all checks become the operators of a library.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/type_table.h"

namespace structured::gen {

/// The operators that the fragments declare, and those of `imports` that they have kernels for, sorted by schema. Does
/// not depend on the order of the fragments. `backends` are those that the library is built for (empty: all): scalar
/// functions get kernels for them.
/// Precondition: `check` over the same fragments, types, schema namespace and imports reported no error.
Library derive(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, llvm::StringRef schema_namespace,
               llvm::StringRef cpp_namespace, llvm::ArrayRef<ImportedLibrary> imports = {},
               llvm::ArrayRef<std::string> backends = {});

}  // namespace structured::gen
