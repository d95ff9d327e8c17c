// Names of the C++ sources that are emitted for a kernel source.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Paths, relative to the output directory, of the C++ sources emitted for one kernel source.
struct EmittedSources {
  std::string wrappers;  ///< `src/cpu/binary.cpp`; `src/cuda/binary.cu.cpp` for a source that is not a `.cpp`
  std::string tables;    ///< `src/cpu/binary.tables.cpp`
  std::string boxed;     ///< `src/cpu/binary.boxed.cpp`
  std::string cuda;      ///< `src/pointwise/arithmetic.h.cu`; empty for a source that is not a header
};
EmittedSources emitted_sources(llvm::StringRef kernel_source);

}  // namespace structured::gen
