#pragma once
// Defaults in schemas, as values.
#include <optional>

#include "structured/core/export.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"

namespace structured::detail {

/// What an argument is if nobody gives it; none if it has no default, or one that cannot be read.
STRUCTURED_API std::optional<Value> default_value(const SchemaArgument& argument);

}  // namespace structured::detail
