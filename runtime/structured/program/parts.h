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
enum class Division : uint8_t {
  none,       ///< returns another list
  positions,  ///< `unbind`: one view for each position, without the dimension
  length,     ///< `split`: views of one length
  lengths,    ///< `split_with_sizes`: a list of lengths
  count,      ///< `chunk`: a number of views
};

struct ListOfViews {
  std::string_view op;
  Division division = Division::none;
  std::string_view part;  ///< the operator that makes one view
};
inline constexpr ListOfViews kListsOfViews[] = {
#define STRUCTURED_LIST_OF_VIEWS(op, division, part) {op, Division::division, part},
#include "structured/schema/program_operators.def"
};
/// The entry of an operator, or one without names.
ListOfViews list_of_views(std::string_view op);

/// Sets `boundaries` for the arguments of the list's operator: view i begins at position `boundaries[i]` of the
/// dimension and ends at `boundaries[i + 1]`. Returns false if the list would not have `count` views, or if the
/// operator refuses the arguments.
bool find_boundaries(Division division, ArrayRef<Value> arguments, std::size_t count, std::vector<int64_t>& boundaries);

}  // namespace structured::program
