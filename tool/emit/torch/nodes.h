// Prints the nodes of libtorch's autograd for operators with derivatives.
#pragma once

#include "emit/writer.h"
#include "lower/calling_convention.h"
#include "lower/lowered_library.h"
#include "lower/nodes.h"

namespace structured::gen {

/// Prints the class of recorded calls. Kernels of the functional variant have the given signature. The types of
/// gradient operators must be declared.
void write_torch_node(Writer& writer, const LoweredLibrary& lowered, const LoweredNode& node,
                      const CppSignature& signature);

}  // namespace structured::gen
