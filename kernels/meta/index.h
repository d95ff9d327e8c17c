// What meta functions of indexing find out for the kernels.
#pragma once

#include <cstdint>

namespace structured::kernels {

/// `dim`, counted from the first one.
struct IndexedDim {
  int64_t dim;
};

}  // namespace structured::kernels
