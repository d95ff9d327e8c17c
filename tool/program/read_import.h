// Reads and validates the signatures of other libraries, which may come from an installed package. Other code may rely
// on their consistency.
#pragma once

#include <string>

#include "dialect/dialect.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/imports.h"

namespace structured::gen {

/// Reads a signatures.json, which source locations call `name`. Fails unless the dialect matches and every schema
/// follows from the definition of its operator.
llvm::Expected<ImportedLibrary> read_import(const std::string& path, llvm::StringRef name, const Dialect& dialect);

}  // namespace structured::gen
