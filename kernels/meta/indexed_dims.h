#pragma once
// Dimensions that index tensors address.
#include <structured/core/dim_vector.h>

namespace structured::kernels {

/// The dimensions of a table that are addressed by index tensors, one index tensor each.
struct IndexedDims {
  DimVector numbers;  ///< positions of these dimensions in the table, for error messages
  DimVector sizes;
  DimVector strides;   ///< in bytes
  bool wraps = false;  ///< whether negative indices count from the end
};

}  // namespace structured::kernels
