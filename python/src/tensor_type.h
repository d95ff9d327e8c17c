#pragma once
// Parts of the type Tensor, one source each.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <optional>
#include <string>
#include <vector>

#include "structured/core/tensor.h"

namespace structured::python {

std::vector<PyType_Slot> tensor_number_slots();
std::vector<PyType_Slot> tensor_buffer_slots();
PyObject* tensor_compare(PyObject* a, PyObject* b, int operation);

PyObject* tensor_get_item(PyObject* self, PyObject* index);
int tensor_set_item(PyObject* self, PyObject* index, PyObject* value);
PyObject* tensor_get_row(PyObject* self, Py_ssize_t index);

PyObject* tensor_repr(PyObject* self);

extern PyGetSetDef tensor_properties[];
extern PyMethodDef tensor_methods[];

/// Nested lists of the elements.
PyObject* tensor_to_list(PyObject* self, PyObject*);

/// A tensor over the memory of an object with the buffer protocol, which must be writable, or a copy of it. Undefined
/// if the object has no buffer of numbers. Throws PythonError.
Tensor tensor_from_buffer(PyObject* object, bool copies);
/// A new tensor with the elements of nested sequences, numbers, tensors and buffers. Throws Error and PythonError.
Tensor tensor_from_data(PyObject* data, std::optional<ScalarType> dtype);

/// A tensor over the memory of an object with the buffer protocol, or a copy of it if the memory is read-only or
/// strides are negative. Throws Error and PythonError.
Tensor tensor_from_array(PyObject* object);

/// Adds a method to the type. Throws PythonError.
void add_tensor_method(PyMethodDef& method);

/// Adds `tensor`, `from_numpy` and other functions that are no operators.
void add_constructors(PyObject* module);
void add_dlpack(PyObject* module);
void add_autograd(PyObject* module);
void add_tracing(PyObject* module);
void add_saved_values(PyObject* module);

/// Name of the node that computed the tensor, such as `MulBackward`; empty for a leaf.
std::string grad_fn_name(const Tensor& tensor);

PyObject* new_size(IntArrayRef sizes);
void add_size_type(PyObject* module);

}  // namespace structured::python
