// Lowers the functions of one wrapper to steps.
#pragma once

#include <optional>

#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns nullopt if the wrapper has no such part. The wrapper and its variant must have their names.
std::optional<LoweredFunction> lower_function(const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                                              WrapperPart part);

}  // namespace structured::gen
