#pragma once
// Kernels that copy or combine elements and the entries of a table that indices select. Host side.
#include <structured/core/dim_vector.h>
#include <structured/number/scalar_type.h>

#include <cstddef>
#include <cstdint>

#include "meta/indexed_dims.h"

namespace structured::kernels {

/// How elements are combined with entries.
enum class Indexed : uint8_t {
  load,   ///< entries are copied to elements
  store,  ///< elements are copied to entries; one of several elements with the same entry is kept
  sum,
  product,
  maximum,  ///< propagates NaN, as does `minimum`
  minimum
};

/// Elements, a table, and indices of some of its dimensions. Steps are in bytes.
struct IndexedOperands {
  static constexpr std::size_t kMaxIndices = 8;

  DimVector sizes;  ///< outermost first
  DimVector element_steps;
  DimVector table_steps;  ///< 0 in indexed dimensions
  std::size_t indices = 0;
  DimVector index_steps[kMaxIndices];
  char* elements = nullptr;
  char* table = nullptr;
  const char* index[kMaxIndices] = {};  ///< Long
};

/// Combines elements and entries in the current stream. An index out of range is reported as an error of `name`, which
/// has static storage duration, and its element is left out. Sums and products of several elements with the same entry
/// are computed in any order.
void run_indexed(const char* name, const IndexedOperands& operands, const IndexedDims& dims, Indexed how,
                 ScalarType dtype);

}  // namespace structured::kernels
