// Signatures that a library exports to libraries that import it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the signatures of all operators of the library. `library` is the result of `derive` for the same fragments,
/// types and imports.
Signatures signatures_of(const Library& library, llvm::ArrayRef<Fragment> fragments, const TypeTable& types,
                         llvm::ArrayRef<ImportedLibrary> imports = {});

}  // namespace structured::gen
