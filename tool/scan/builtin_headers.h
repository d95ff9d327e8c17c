// Headers built into the scan.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Header that is precompiled for a dialect when none is given: the headers of the runtime and the standard headers
/// that kernels use most.
struct DialectHeader {
  llvm::StringLiteral dialect;
  llvm::StringLiteral path;
  llvm::StringLiteral text;
};
llvm::ArrayRef<DialectHeader> dialect_headers();

/// Replacement for the headers of a CUDA toolkit: declares the language extensions and runtime types that declarations
/// need, and no functions that run.
llvm::ArrayRef<llvm::StringRef> cuda_shim_headers();
llvm::StringRef cuda_shim_text(llvm::StringRef header);

}  // namespace structured::gen
