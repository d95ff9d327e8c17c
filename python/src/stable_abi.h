#pragma once
// Uses of CPython beside its stable ABI. Each function has a form for a build for one version, and one for the stable
// ABI.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>
#include <string>

namespace structured::python {

#ifdef Py_LIMITED_API

std::string type_name(PyObject* object);
PyObject* find_type_attribute(PyTypeObject* type, PyObject* name);
PyObject* new_method(PyObject* function, PyObject* instance);

#else

/// Name of an object's type with its module, such as `numpy.bool_`. The name of a class of Python code has its
/// module only in the stable ABI.
inline std::string type_name(PyObject* object) { return Py_TYPE(object)->tp_name; }
/// A new reference to an attribute of the type or its bases as it is stored; null without an exception if there is
/// none.
inline PyObject* find_type_attribute(PyTypeObject* type, PyObject* name) {
  PyObject* const attribute = _PyType_Lookup(type, name);
  Py_XINCREF(attribute);
  return attribute;
}
/// A method of an object.
inline PyObject* new_method(PyObject* function, PyObject* instance) { return PyMethod_New(function, instance); }

#endif

// The vectorcall protocol. It joined the stable ABI in version 3.12 with the values that 3.11 has.
using Vectorcall = PyObject* (*)(PyObject* callable, PyObject* const* values, std::size_t count, PyObject* names);
inline constexpr unsigned long has_vectorcall = 1UL << 11;
/// Number of positional arguments: the highest bit of `count` is a flag.
inline std::size_t positional_count(std::size_t count) { return count & ~std::size_t{0} >> 1; }

}  // namespace structured::python
