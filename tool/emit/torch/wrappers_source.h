// Prints the wrappers of a kernel source.
#pragma once

#include <string>

#include "emit/torch/function_text.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// The source with the wrappers of a kernel source, and the functions that its scalar functions define.
std::string torch_wrappers_source(const LoweredLibrary& lowered, const TorchSupport& support, llvm::StringRef source,
                                  const LoweredSource& contents);

/// The wrappers of one variant on all backends.
std::string torch_wrappers(const LoweredLibrary& lowered, const TorchSupport& support, const LoweredVariant& variant);

}  // namespace structured::gen
