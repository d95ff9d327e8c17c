#pragma once
// Element types of PyTorch: numbers of 16 bits, complex numbers, and the enumeration of dtypes. Included before
// structured/number/math.h, which names the functions of complex numbers.
#if defined(TORCH_TARGET_VERSION)
#include <torch/headeronly/core/ScalarType.h>

#include "structured/torch_loops/complex_math.h"
#else
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#endif
