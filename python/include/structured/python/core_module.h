#pragma once
// The module structured._core.
#include "structured/python/python_api.h"
// Python.h comes first.
#include "structured/python/export.h"

namespace structured::python {

/// Returns a new module with the types and with functions that are no operators. Returns null with a Python exception
/// set if that fails.
STRUCTURED_PYTHON_API PyObject* create_core_module();

}  // namespace structured::python
