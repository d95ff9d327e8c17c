#pragma once
// Memory that results share with arguments, compared with the alias annotations of a schema.
#include "structured/dispatch/operator.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"

namespace structured::detail {

/// Throws Error if a result shares a storage with an argument that is not in its alias set, or is another tensor than
/// the mutable argument of its alias set. `arguments` are those of the call, after the call.
void check_aliases(const OperatorBase& op, const SchemaText& schema, const Stack& arguments, const Stack& results);

}  // namespace structured::detail
