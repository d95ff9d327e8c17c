#pragma once
// Lists of views, made view by view, so that runs allocate no list.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/dispatch/value.h"

namespace structured::program {

/// Rule by which an operator divides a dimension of a tensor among the views that it returns as a list.
enum class Division : std::uint8_t {
  none,       ///< returns another list
  positions,  ///< `unbind`: one view for each position, without the dimension
  length,     ///< `split`: views of one length
  lengths,    ///< `split_with_sizes`: a list of lengths
  count,      ///< `chunk`: a number of views
};

/// Rule of the operator with this name.
Division division_of(std::string_view op);
/// Name of the operator that makes one view.
std::string_view part_operator(Division division);

/// Sets `boundaries` for the arguments of the list's operator: view i begins at position `boundaries[i]` of the
/// dimension and ends at `boundaries[i + 1]`. Returns false if the list would not have `count` views, or if the
/// operator refuses the arguments.
bool find_boundaries(Division division, ArrayRef<Value> arguments, std::size_t count,
                     std::vector<std::int64_t>& boundaries);

}  // namespace structured::program
