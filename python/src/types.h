#pragma once
// Construction of the library's types.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <structmember.h>

#include <cstddef>
#include <string>
#include <vector>

namespace structured::python {

struct TypeFacts {
  const char* name;  ///< with the module: `structured.dtype`
  std::size_t size;  ///< bytes of an object; 0: as the base
  const char* documentation;
  unsigned long flags = Py_TPFLAGS_IMMUTABLETYPE;
  PyTypeObject* base = &PyBaseObject_Type;
};

/// A function or a table, such as PyMethodDef[], of a type.
template <class T>
PyType_Slot slot(int number, T* value) {
  return {number, reinterpret_cast<void*>(value)};
}

/// Returns a new type, which is in the module under its name. Python code cannot construct objects of a type that has
/// neither Py_tp_new nor another base than `object`. Throws PythonError.
PyTypeObject* add_type(PyObject* module, const TypeFacts& facts, std::vector<PyType_Slot> slots);

/// Whether objects of the type have a length.
bool has_length(PyTypeObject* type);

/// Whether the object is a Bool of NumPy.
bool is_numpy_bool(PyObject* object);

/// Path of a file as text, bytes or an object with `__fspath__`. Throws PythonError for other objects.
std::string path_from(PyObject* object);

/// Adds functions to a module. Throws PythonError.
void add_functions(PyObject* module, PyMethodDef* functions);

/// Ends a `tp_dealloc`: frees the object, and releases its type.
void free_object(PyObject* object);

/// Adds dtypes, devices, layouts, memory formats and generators.
void add_plain_types(PyObject* module);
/// Adds the type Tensor and its helpers.
void add_tensor_type(PyObject* module);
/// Adds the type of functions.
void add_function_type(PyObject* module);

}  // namespace structured::python
