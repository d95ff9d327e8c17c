// A library with an operator of every shape, as derive would make it from four sources.
#pragma once

#include "model/operator.h"

namespace structured::gen {

/// Sources: `meta.cpp` (meta functions), `cpu.cpp` (impls and kernels), `plain.cpp` (kernels of other kinds) and
/// `empty.cpp`, which has none. C++ namespace `acme`, schema namespace `acme`.
Library sample_library();

}  // namespace structured::gen
