// What a library promises to those that build against it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/signatures.h"

namespace structured::gen {

/// The signatures of all of the library's operators. `library` is what `derive` made of the same fragments and imports.
Signatures signatures_of(const Library& library, llvm::ArrayRef<Fragment> fragments,
                         llvm::ArrayRef<ImportedLibrary> imports = {});

}  // namespace structured::gen
