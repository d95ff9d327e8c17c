#pragma once
// Calls by operator name with positional and keyword arguments and defaults, as an interpreter makes them.
#include <string_view>
#include <vector>

#include "structured/base/export.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/value.h"

namespace structured {

struct NamedValue {
  std::string_view name;
  Value value;
};

/// Calls an operator and returns its results. `positional` are its first arguments; `keywords` may name any other.
/// Arguments after the `*` of the schema, out= arguments included, must be named. Omitted arguments take the default of
/// the schema. An integer is accepted for a list of fixed length: 2 for `int[2]` is [2, 2].
///
///     call_operator(*find_operator("aten::add.Tensor"), {a, b}, {{"alpha", 2}});
///
/// Throws Error, with the schema, for arguments that are missing, repeated, unknown or of the wrong type.
STRUCTURED_API Stack call_operator(const OperatorHandle& op, Stack positional,
                                   const std::vector<NamedValue>& keywords = {});

}  // namespace structured
