// The type tables of all dialects.
#pragma once

#include "model/type_table.h"

namespace structured::gen {

/// The native runtime: `structured::Tensor` and related types.
const TypeTable& native_types();
/// PyTorch's C++ library: `at::Tensor` and related types, with the canonical names of 1.13.
const TypeTable& aten_types();
/// Types of aten_types, for a target in which scalar functions get kernels.
const TypeTable& torch_types();
/// PyTorch's stable ABI: `torch::stable::Tensor` and standard types.
const TypeTable& torch_stable_types();

}  // namespace structured::gen
