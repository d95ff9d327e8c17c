// Prints `prepare_add_out` and other functions that make prepared operators, in the namespaces of backends.
#pragma once

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

void declare_prepare_function(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);
/// `prepared` is the wrapper's function for WrapperPart::prepared.
void define_prepare_function(Writer& writer, const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                             const LoweredFunction& prepared);

}  // namespace structured::gen
