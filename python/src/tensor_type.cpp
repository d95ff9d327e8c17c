// The type Tensor: construction and destruction of objects, and the slots of the type.
#include <structured/ops/any.h>
#include <structured/ops/eq.h>
#include <structured/ops/unbind.h>

#include <new>
#include <string>
#include <utility>

#include "errors.h"
#include "structured/core/factory.h"
#include "structured/python/convert.h"
#include "structured/python/object.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

// Freed objects of the exact type, for reuse. The global interpreter lock guards the list.
class FreeObjects {
 public:
  TensorObject* take() { return count_ == 0 ? nullptr : objects_[--count_]; }
  bool keep(TensorObject* object) {
    if (count_ == capacity) return false;
    objects_[count_++] = object;
    return true;
  }

 private:
  static constexpr int capacity = 64;
  TensorObject* objects_[capacity] = {};
  int count_ = 0;
};
constinit FreeObjects free_objects;

TensorObject& object_at(PyObject* object) { return *reinterpret_cast<TensorObject*>(object); }

void dealloc(PyObject* object) {
  TensorObject& self = object_at(object);
  if (self.weak_references != nullptr) PyObject_ClearWeakRefs(object);
  self.tensor.~Tensor();
  if (is_exact_tensor(object) && free_objects.keep(&self)) return;
  Py_TYPE(object)->tp_free(object);
}

// Tensor(data) shares the data of a tensor, and copies other data.
PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  return guarded([&] {
    PyObject* data = nullptr;
    if (PyTuple_GET_SIZE(arguments) > 0) data = PyTuple_GET_ITEM(arguments, 0);
    Tensor tensor;
    if (data != nullptr) {
      tensor = is_tensor(data) ? tensor_of(data).detach() : tensor_from_data(data, std::nullopt);
    } else {
      tensor = empty({0});
    }
    PyObject* const object = Object::checked(type->tp_alloc(type, 0)).release();
    ::new (&object_at(object).tensor) Tensor(std::move(tensor));
    return object;
  });
}

Py_ssize_t length(PyObject* self) {
  const Tensor& tensor = tensor_of(self);
  if (tensor.dim() == 0) {
    PyErr_SetString(PyExc_TypeError, "len() of a tensor without dimensions");
    return -1;
  }
  return tensor.size(0);
}

PyObject* iterate(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (tensor.dim() == 0) raise(PyExc_TypeError, "iteration over a tensor without dimensions");
    const Object rows = Object::checked(to_python(unbind(tensor, 0)));
    return PyObject_GetIter(rows.get());
  });
}

int contains(PyObject* self, PyObject* value) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (is_tensor(value)) return static_cast<int>(any(eq(tensor, tensor_of(value))).item<bool>());
    if (PyNumber_Check(value) == 0)
      raise(PyExc_TypeError, "expected a tensor or a number, got %s", Py_TYPE(value)->tp_name);
    return static_cast<int>(any(eq(tensor, scalar_from(value))).item<bool>());
  });
}

PyMappingMethods mapping_methods{length, tensor_get_item, tensor_set_item};

PySequenceMethods sequence_methods() {
  PySequenceMethods methods{};
  methods.sq_length = length;
  methods.sq_item = tensor_get_row;
  methods.sq_contains = contains;
  return methods;
}

PySequenceMethods tensor_sequence_methods = sequence_methods();

// `Size`, a tuple that is printed by its name.
PyTypeObject size_type = new_type("structured.Size", 0, "Sizes of a tensor, a tuple.");

PyObject* size_repr(PyObject* self) {
  const Object list(PySequence_List(self));
  return list ? PyUnicode_FromFormat("structured.Size(%R)", list.get()) : nullptr;
}
PyObject* size_numel(PyObject* self, PyObject*) {
  return guarded([&] {
    std::int64_t count = 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) count *= integer_from(PyTuple_GET_ITEM(self, i));
    return to_python(count);
  });
}
PyMethodDef size_methods[] = {{"numel", size_numel, METH_NOARGS, "Number of elements."}, {}};

}  // namespace

PyTypeObject tensor_type = new_type("structured.Tensor", sizeof(TensorObject), "A multi-dimensional array.");

PyObject* to_python(Tensor tensor) {
  if (!tensor.defined()) [[unlikely]]
    return Py_NewRef(Py_None);
  TensorObject* object = free_objects.take();
  if (object != nullptr) [[likely]] {
    PyObject_Init(reinterpret_cast<PyObject*>(object), &tensor_type);
  } else {
    object = PyObject_New(TensorObject, &tensor_type);
    if (object == nullptr) throw PythonError();
  }
  object->weak_references = nullptr;
  ::new (&object->tensor) Tensor(std::move(tensor));
  return reinterpret_cast<PyObject*>(object);
}

PyObject* new_size(IntArrayRef sizes) {
  Object size = Object::checked(size_type.tp_alloc(&size_type, static_cast<Py_ssize_t>(sizes.size())));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    PyTuple_SET_ITEM(size.get(), static_cast<Py_ssize_t>(i), Object::checked(to_python(sizes[i])).release());
  }
  return size.release();
}

bool add_size_type(PyObject* module) {
  size_type.tp_base = &PyTuple_Type;
  size_type.tp_repr = size_repr;
  size_type.tp_methods = size_methods;
  size_type.tp_basicsize = PyTuple_Type.tp_basicsize;
  size_type.tp_itemsize = PyTuple_Type.tp_itemsize;
  return add_type(module, size_type);
}

bool add_tensor_type(PyObject* module) {
  tensor_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  tensor_type.tp_new = create;
  tensor_type.tp_dealloc = dealloc;
  tensor_type.tp_weaklistoffset = offsetof(TensorObject, weak_references);
  tensor_type.tp_as_number = &tensor_number_methods;
  tensor_type.tp_as_mapping = &mapping_methods;
  tensor_type.tp_as_sequence = &tensor_sequence_methods;
  tensor_type.tp_as_buffer = &tensor_buffer_methods;
  tensor_type.tp_richcompare = tensor_compare;
  tensor_type.tp_hash = [](PyObject* self) { return _Py_HashPointer(self); };
  tensor_type.tp_iter = iterate;
  tensor_type.tp_repr = tensor_repr;
  tensor_type.tp_getset = tensor_properties;
  tensor_type.tp_methods = tensor_methods;
  if (!add_type(module, tensor_type)) return false;
  // NumPy's operators return NotImplemented for tensors.
  const Object priority(PyLong_FromLong(1000));
  return PyDict_SetItemString(tensor_type.tp_dict, "__array_priority__", priority.get()) == 0;
}

}  // namespace structured::python
