#pragma once
// Uses of CPython beside its stable ABI. Each function has a form for a build for one version, and one for the stable
// ABI.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>
#include <cstdint>
#include <string>

namespace structured::python {

#ifdef Py_LIMITED_API

inline bool read_small_integer(PyObject*, int64_t&) { return false; }
std::string type_name(PyObject* object);
PyObject* find_type_attribute(PyTypeObject* type, PyObject* name);
PyObject* new_method(PyObject* function, PyObject* instance);

#else

/// Sets `value` to that of an int if this takes no call, which depends on its size. Precondition: PyLong_Check(object).
inline bool read_small_integer(PyObject* object, int64_t& value) {
#if PY_VERSION_HEX >= 0x030c0000
  const auto* const integer = reinterpret_cast<const PyLongObject*>(object);
  if (PyUnstable_Long_IsCompact(integer) == 0) return false;
  value = PyUnstable_Long_CompactValue(integer);
#else
  const Py_ssize_t size = Py_SIZE(object);  // number of digits, with the sign
  if (size < -1 || size > 1) return false;
  value = size * static_cast<int64_t>(reinterpret_cast<const PyLongObject*>(object)->ob_digit[0]);
#endif
  return true;
}
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
