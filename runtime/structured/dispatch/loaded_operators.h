#pragma once
// The operators of all libraries that the process has loaded, found without any registration.
#include <string_view>

#include "structured/base/export.h"
#include "structured/dispatch/library.h"

namespace structured::detail {

/// Calls `visit(context, operators)` for each loaded library with operators (STRUCTURED_ANNOUNCE_OPERATORS), until it
/// returns false. Skips libraries that another thread is loading. Visits none where images are not ELF files.
STRUCTURED_API void visit_loaded_libraries(bool (*visit)(void* context, ArrayRef<OperatorHandle> operators),
                                           void* context);

/// Finds the operator with exactly this name, such as `aten::add.Tensor`, in the loaded libraries; null if there is
/// none. The handle lives as long as its library. Searches all libraries: callers keep the result.
STRUCTURED_API const OperatorHandle* find_loaded_operator(std::string_view name);

}  // namespace structured::detail
