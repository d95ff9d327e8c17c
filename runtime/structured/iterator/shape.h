#pragma once
// Rules about shapes that operators share.
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"
#include "structured/core/export.h"

namespace structured {

/// The shape that operands of shapes `a` and `b` are broadcast to: dimensions are matched from the last one on, and a
/// size of 1, or a missing dimension, takes on the other's size. Throws Error that names the dimension if two sizes
/// differ and neither is 1.
STRUCTURED_API DimVector broadcast_shape(IntArrayRef a, IntArrayRef b);

}  // namespace structured
