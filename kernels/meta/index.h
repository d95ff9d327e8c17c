// Results of the meta functions of indexing, which are passed to the impls.
#pragma once

#include <cstdint>

namespace structured::kernels {

/// `dim` after wrapping of negative values.
struct IndexedDim {
  int64_t dim;
};

}  // namespace structured::kernels
