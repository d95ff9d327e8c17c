// Translates the flags of a build to the flags of a scan: drops flags that only other compilers know and flags that do
// not change the meaning of declarations, and adds what Clang needs for CUDA.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Paths of the CUDA toolkit and of the replacements for parts that it lacks.
struct CudaSetup {
  std::string toolkit;           ///< empty if there is none; the shim is used then
  std::string replaced_headers;  ///< folder with an empty texture_fetch_functions.h
  std::string shim;              ///< folder of the built-in cuda_runtime.h
};

/// Whether the file name or a `-x` flag says that the source is CUDA.
bool is_cuda(llvm::StringRef source, llvm::ArrayRef<std::string> flags);

/// Translates `flags`, a compiler command without its program and source. `drops_unknown` drops flags that Clang does
/// not know, for commands of another compiler.
std::vector<std::string> scan_flags(llvm::ArrayRef<std::string> flags, bool drops_unknown);

/// Returns the folders that `-isystem` flags name.
std::vector<std::string> system_include_dirs(llvm::ArrayRef<std::string> flags);

/// Returns the additional flags with which Clang reads a CUDA source for the host.
std::vector<std::string> cuda_flags(const CudaSetup& setup);

}  // namespace structured::gen
