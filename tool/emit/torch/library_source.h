// Prints the source that registers a library's operators with libtorch's dispatcher.
#pragma once

#include <string>

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// `library.cpp`: schemas and kernels of all operators.
std::string torch_library_source(const LoweredLibrary& lowered);

/// `support.cpp`: definitions that do not depend on the library's operators, so that they are compiled once.
std::string torch_support_source(const LoweredLibrary& lowered);

/// Declares the author's functions that the dispatcher calls.
void declare_torch_kernels(Writer& writer, const LoweredLibrary& lowered);
/// Declares the author's functions that compute gradients.
void declare_torch_derivatives(Writer& writer, const LoweredLibrary& lowered);
/// Declares the emitted wrappers, in their namespace.
void declare_torch_wrappers(Writer& writer, const LoweredLibrary& lowered);

}  // namespace structured::gen
