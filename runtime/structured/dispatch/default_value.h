#pragma once
// Default values of schema arguments.
#include <optional>
#include <string_view>

#include "structured/base/export.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"
#include "structured/schema/default_value.h"

namespace structured::detail {

/// Default of an argument; none if it has no default, or one that is invalid for its type. An integer for a list of
/// integers of fixed length stays one, and stands for all elements.
STRUCTURED_API std::optional<Value> default_value(const SchemaArgument& argument);

/// Value that schemas spell `text`, as a default of the type: `long` for `ScalarType?`; none if it is invalid.
STRUCTURED_API std::optional<Value> default_value(std::string_view type, std::string_view text);

}  // namespace structured::detail
