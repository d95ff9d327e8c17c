#pragma once
// Default values of schema arguments.
#include <optional>

#include "structured/core/export.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"

namespace structured::detail {

/// Default of an argument; none if it has no default, or one that cannot be parsed.
STRUCTURED_API std::optional<Value> default_value(const SchemaArgument& argument);

}  // namespace structured::detail
