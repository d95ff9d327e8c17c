// Comparison of results that PyTorch's documentation does not fully specify.
#pragma once

#include <structured/dispatch/value.h>

#include <optional>
#include <string>
#include <vector>

#include "case.h"

namespace structured::replay {

/// Describes why the results are not valid for the recorded call; empty if they are. Returns std::nullopt if the
/// operator has exactly one correct result, which the caller compares. Throws MalformedCase.
std::optional<std::string> difference_in_meaning(const Case& recorded, const std::vector<SchemaArgument>& schema,
                                                 const Stack& arguments, const Stack& results);

}  // namespace structured::replay
