// From the flags of a build to the flags of a scan: what other compilers alone understand is left out, what does not
// change the meaning of a declaration too, and CUDA sources get what Clang needs for them.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Where a CUDA toolkit is and what stands in for missing parts of it.
struct CudaSetup {
  std::string toolkit;           ///< empty: none, the shim is used
  std::string replaced_headers;  ///< folder with an empty texture_fetch_functions.h
  std::string shim;              ///< folder with a cuda_runtime.h of our own
};

/// Whether the source is CUDA by its name, or by a `-x` among `flags`.
bool is_cuda(llvm::StringRef source, llvm::ArrayRef<std::string> flags);

/// `flags` are those of a compiler, without its name and without the source. Flags that Clang does not know are
/// dropped if `drops_unknown`; they come from another compiler then.
std::vector<std::string> scan_flags(llvm::ArrayRef<std::string> flags, bool drops_unknown);

/// What `-isystem` names among `flags`.
std::vector<std::string> system_include_dirs(llvm::ArrayRef<std::string> flags);

/// What Clang needs beyond `flags` to read a CUDA source for the host.
std::vector<std::string> cuda_flags(const CudaSetup& setup);

}  // namespace structured::gen
