#pragma once
// Construction of the library's static types.
#include "structured/python/python_api.h"

namespace structured::python {

/// A type that PyType_Ready has not seen yet. Not a base class, unless the flag is added.
PyTypeObject new_type(const char* name, Py_ssize_t size, const char* documentation);
/// Finishes a type and adds it to the module under its name. Returns false with a Python exception set if that fails.
bool add_type(PyObject* module, PyTypeObject& type);

/// Adds dtypes, devices, layouts, memory formats and generators.
bool add_plain_types(PyObject* module);
/// Adds the type Tensor and its helpers.
bool add_tensor_type(PyObject* module);
/// Adds the type of functions.
bool add_function_type(PyObject* module);

}  // namespace structured::python
