// Layers above kernels, as Python.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `_layers.py` of a package for PyTorch's stable ABI: how the gradients of its operators are computed, which variants
/// have a functional one and which have batching rules. `_layer_functions.py`, a copy of structured/torch/layers.py,
/// registers them.
std::string torch_layers(const LoweredLibrary& lowered);

}  // namespace structured::gen
