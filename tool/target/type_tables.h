// The type tables of both dialects.
#pragma once

#include "model/type_table.h"

namespace structured::gen {

/// Our own runtime: `structured::Tensor` and its like.
const TypeTable& native_types();
/// PyTorch's C++ library: `at::Tensor` and its like, canonical names as of 1.13.
const TypeTable& aten_types();

}  // namespace structured::gen
