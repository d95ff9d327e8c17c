#pragma once
// The protocol `__structured_function__`: types other than Tensor, subclasses among them, replace functions and methods
// that are called with their objects.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <initializer_list>

#include "structured/python/object.h"

namespace structured::python {

/// Whether the type of an object other than an exact Tensor defines the protocol, and the thread has not disabled it.
bool has_override(PyObject* object);

/// Whether `object` needs a call of has_override(). Fast for tensors and numbers.
inline bool may_have_override(PyObject* object) {
  return !is_exact_tensor(object) && !PyFloat_CheckExact(object) && !PyLong_CheckExact(object);
}

/// Calls the protocol of the arguments, or of the elements of lists among them, if one has it: subclasses before their
/// bases, otherwise from left to right. `values` holds `count` positional arguments and those that `keywords` names.
/// Returns an empty object if no argument has the protocol. Throws PythonError.
Object call_override(PyObject* function, PyObject* const* values, std::size_t count, PyObject* keywords);

/// As call_override, for the method `name` of Tensor and arguments that is_exact_tensor() does not accept all.
Object call_method_override(const char* name, std::initializer_list<PyObject*> arguments);

void add_overrides(PyObject* module);

}  // namespace structured::python
