#pragma once
// Shape rules that operators share.
#include <cstdint>

#include "structured/base/argument_part.h"
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"

namespace structured {

/// Broadcast shape of `a` and `b`: dimensions are matched from the last one on, and a size of 1 or a missing dimension
/// takes the other size. Throws Error, with the dimension, if two sizes differ and neither is 1.
STRUCTURED_API DimVector broadcast_shape(IntArrayRef a, IntArrayRef b);

namespace detail {
/// broadcast_shape for an operand of the shape `b`, which the error names.
DimVector broadcast_shape(IntArrayRef a, IntArrayRef b, ArgumentPart operand);
}  // namespace detail

}  // namespace structured
