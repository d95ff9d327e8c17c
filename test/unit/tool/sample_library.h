// A library with an operator of each form, as derived from four sources.
#pragma once

#include "model/operator.h"

namespace structured::gen {

/// The sources are `meta.cpp` (meta functions), `cpu.cpp` (impls and kernels), `plain.cpp` (other kernels) and
/// `empty.cpp` (no functions). The C++ namespace and the schema namespace are `acme`.
Library sample_library();

}  // namespace structured::gen
