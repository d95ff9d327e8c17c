#pragma once
// Creation of a module from emitted tables.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>

#include "structured/python/bindings.h"
#include "structured/python/export.h"

namespace structured::python {

/// Returns a new module with the functions of `tables`, and adds methods to Tensor. Imports the package `structured`
/// first, unless this is one of its own modules. Returns null with a Python exception set if that fails.
STRUCTURED_PYTHON_API PyObject* create_module(const char* name, const FunctionTable* const* tables, std::size_t count);

}  // namespace structured::python
