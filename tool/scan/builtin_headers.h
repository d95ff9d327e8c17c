// Texts of headers that the scan itself brings along.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// What is precompiled for a dialect when no header is named: the target's headers, and the standard ones that
/// kernels use most.
struct DialectHeader {
  llvm::StringLiteral dialect;
  llvm::StringLiteral path;
  llvm::StringLiteral text;
};
llvm::ArrayRef<DialectHeader> dialect_headers();

/// Headers that stand in for a CUDA toolkit where there is none: enough of the language's extensions and of the
/// runtime's types to read declarations, nothing that runs.
llvm::ArrayRef<llvm::StringRef> cuda_shim_headers();
llvm::StringRef cuda_shim_text(llvm::StringRef header);

}  // namespace structured::gen
