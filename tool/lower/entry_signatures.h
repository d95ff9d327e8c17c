// Types of the functions that the dispatcher calls.
#pragma once

#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns the type of the function that the dispatcher calls for the wrapper: the author's kernel itself, if it needs
/// no wrapper, or the emitted function. Both may take symbolic integers. The wrapper must have its functions.
CppSignature entry_signature(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);

/// Returns the type of the variant's calls. A parameter is a symbolic integer if it is one of some kernel, or
/// if a symbolic function computes sizes from it. The wrappers
/// must have their signatures.
CppSignature called_signature(const LoweredLibrary& lowered, const LoweredVariant& variant);

}  // namespace structured::gen
