// Prints the meta functions and kernels of operators that one scalar function defines.
#pragma once

#include <set>
#include <string>

#include "emit/torch/function_text.h"
#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Prints the functions that pointwise_as_structured names, for a functional variant; declares those for CUDA.
void write_torch_pointwise(Writer& writer, const TorchSupport& support, const LoweredVariant& variant);

/// Adds the headers that these functions need, spelled as in `#include`.
void add_torch_pointwise_headers(const TorchSupport& support, const LoweredVariant& variant,
                                 std::set<std::string>& headers);

/// Returns the CUDA source with the kernels of a header's scalar functions.
std::string torch_cuda_source(const LoweredLibrary& lowered, llvm::StringRef source, const LoweredSource& contents);

}  // namespace structured::gen
