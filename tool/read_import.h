// Signatures of other libraries. They come with an installed package, and what is wrong with them is told once, here:
// later nobody doubts them.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/imports.h"
#include "target/target.h"

namespace structured::gen {

/// Reads a signatures.json. Source locations refer to it as `name`. Fails unless the dialect matches and every schema
/// follows from its operator's definition.
llvm::Expected<ImportedLibrary> read_import(const std::string& path, llvm::StringRef name, const Target& target);

}  // namespace structured::gen
