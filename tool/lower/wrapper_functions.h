// The functions of one wrapper: which steps it takes, in which order.
#pragma once

#include <optional>

#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Empty if the wrapper has no such part. The wrapper and its variant have their names already.
std::optional<LoweredFunction> lower_function(const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                                              WrapperPart part);

}  // namespace structured::gen
