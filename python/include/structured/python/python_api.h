#pragma once
// CPython's C API. Include this header first: Python.h defines macros that change standard headers.
//
// With Py_LIMITED_API, a source uses the stable ABI of CPython 3.11, so that each later version loads the module. The
// functions below stand for macros that a build for one version has, and the stable ABI lacks; src/stable_abi.h has
// others.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace structured::python {

#ifdef Py_LIMITED_API

inline Py_ssize_t tuple_size(PyObject* tuple) { return PyTuple_Size(tuple); }
inline PyObject* tuple_item(PyObject* tuple, Py_ssize_t i) { return PyTuple_GetItem(tuple, i); }
inline void set_tuple_item(PyObject* tuple, Py_ssize_t i, PyObject* item) { PyTuple_SetItem(tuple, i, item); }
inline void set_list_item(PyObject* list, Py_ssize_t i, PyObject* item) { PyList_SetItem(list, i, item); }
inline Py_ssize_t sequence_size(PyObject* sequence) {
  return PyList_Check(sequence) ? PyList_Size(sequence) : PyTuple_Size(sequence);
}
inline PyObject* sequence_item(PyObject* sequence, Py_ssize_t i) {
  return PyList_Check(sequence) ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}
inline double float_value(PyObject* object) { return PyFloat_AsDouble(object); }

#else

inline Py_ssize_t tuple_size(PyObject* tuple) { return PyTuple_GET_SIZE(tuple); }
/// A borrowed reference.
inline PyObject* tuple_item(PyObject* tuple, Py_ssize_t i) { return PyTuple_GET_ITEM(tuple, i); }
/// Takes over the reference to `item`. The tuple is new.
inline void set_tuple_item(PyObject* tuple, Py_ssize_t i, PyObject* item) { PyTuple_SET_ITEM(tuple, i, item); }
/// Takes over the reference to `item`. The list is new.
inline void set_list_item(PyObject* list, Py_ssize_t i, PyObject* item) { PyList_SET_ITEM(list, i, item); }
/// Length of a tuple or a list.
inline Py_ssize_t sequence_size(PyObject* sequence) { return PySequence_Fast_GET_SIZE(sequence); }
/// A borrowed reference to an item of a tuple or a list.
inline PyObject* sequence_item(PyObject* sequence, Py_ssize_t i) { return PySequence_Fast_GET_ITEM(sequence, i); }
/// Precondition: PyFloat_Check(object).
inline double float_value(PyObject* object) { return PyFloat_AS_DOUBLE(object); }

#endif

}  // namespace structured::python
