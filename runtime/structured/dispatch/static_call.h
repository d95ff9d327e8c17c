#pragma once
// Support for emitted functions that select the backend of a call by a switch (flavour `static`).
#include "structured/base/export.h"
#include "structured/dispatch/backend.h"

namespace structured {

/// Reports a call of `op` on a backend for which the library has no kernel, or, with kAutogradKey, a call with tensors
/// that require gradients.
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_not_in_build(const char* op, Backend backend);

}  // namespace structured
