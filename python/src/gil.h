#pragma once
// Waiting for the global interpreter lock.
#include "structured/python/python_api.h"

namespace structured::python {

/// PyGILState_Ensure() for threads that may wait for the lock while the interpreter ends.
PyGILState_STATE ensure_gil() noexcept;

}  // namespace structured::python
