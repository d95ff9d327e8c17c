#pragma once
// Calls by name, as an interpreter makes them: positional and keyword arguments, defaults.
#include <string_view>
#include <vector>

#include "structured/core/export.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/value.h"

namespace structured {

struct NamedValue {
  std::string_view name;
  Value value;
};

/// Calls an operator and returns its results. `positional` are its first arguments; `keywords` may name any of the
/// others, and arguments behind the `*` of the schema must be named, out= arguments too. What is left out gets the
/// schema's default. An integer serves as a list of the length that the schema says: 2 for `int[2]` is [2, 2].
///
///     call_operator(*find_operator("aten::add.Tensor"), {a, b}, {{"alpha", 2}});
///
/// Throws Error, which quotes the schema, for arguments that are missing, given twice, not there, or of another type.
STRUCTURED_API Stack call_operator(const OperatorHandle& op, Stack positional,
                                   const std::vector<NamedValue>& keywords = {});

}  // namespace structured
