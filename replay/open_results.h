// Results that PyTorch's documentation leaves open, compared by what they mean.
#pragma once

#include <structured/dispatch/value.h>

#include <optional>
#include <string>
#include <vector>

#include "case.h"

namespace structured::replay {

/// How results differ in meaning from the recorded ones, for people; empty if they do not. Returns std::nullopt if the
/// operator has exactly one correct result, which the caller compares. Throws MalformedCase.
std::optional<std::string> difference_in_meaning(const Case& recorded, const std::vector<SchemaArgument>& schema,
                                                 const Stack& arguments, const Stack& results);

}  // namespace structured::replay
