// The type Tensor: construction and destruction of objects, and the slots of the type.
#include <structured/ops/any.h>
#include <structured/ops/eq.h>
#include <structured/ops/unbind.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/core/factory.h"
#include "structured/python/convert.h"
#include "structured/python/object.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {

PyTypeObject* tensor_type = nullptr;

namespace {

// Freed objects of the exact type, for reuse. They keep their references to the type. The global interpreter lock
// guards the list.
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
  free_object(object);
}

// Tensor(data) shares the data of a tensor, and copies other data.
PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  return guarded([&] {
    PyObject* data = nullptr;
    if (tuple_size(arguments) > 0) data = tuple_item(arguments, 0);
    Tensor tensor;
    if (data != nullptr) {
      tensor = is_tensor(data) ? tensor_of(data).detach() : tensor_from_data(data, std::nullopt);
    } else {
      tensor = empty({0});
    }
    PyObject* const object = Object::checked(PyType_GenericAlloc(type, 0)).release();
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
      raise(PyExc_TypeError, "expected a tensor or a number, got %s", type_name(value).c_str());
    return static_cast<int>(any(eq(tensor, scalar_from(value))).item<bool>());
  });
}

// `Size`, a tuple that is printed by its name.
PyTypeObject* size_type = nullptr;

PyObject* size_repr(PyObject* self) {
  const Object list(PySequence_List(self));
  return list ? PyUnicode_FromFormat("structured.Size(%R)", list.get()) : nullptr;
}
PyObject* size_numel(PyObject* self, PyObject*) {
  return guarded([&] {
    int64_t count = 1;
    for (Py_ssize_t i = 0; i < tuple_size(self); ++i) count *= integer_from(tuple_item(self, i));
    return to_python(count);
  });
}
void size_dealloc(PyObject* self) {
  static const auto dealloc_tuple = reinterpret_cast<destructor>(PyType_GetSlot(&PyTuple_Type, Py_tp_dealloc));
  PyTypeObject* const type = Py_TYPE(self);
  dealloc_tuple(self);
  Py_DECREF(type);
}
PyMethodDef size_methods[] = {{"numel", size_numel, METH_NOARGS, "Number of elements."}, {}};

// Takes over the reference to `value`.
void add_tensor_attribute(const char* name, PyObject* value) {
  const Object owned = Object::checked(value);
  if (PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type), name, value) < 0) throw PythonError();
}

}  // namespace

PyObject* to_python(Tensor tensor) {
  if (!tensor.defined()) [[unlikely]]
    return Py_NewRef(Py_None);
  TensorObject* object = free_objects.take();
  if (object != nullptr) [[likely]] {
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(object), 1);
  } else {
    object = PyObject_New(TensorObject, tensor_type);
    if (object == nullptr) throw PythonError();
  }
  object->weak_references = nullptr;
  ::new (&object->tensor) Tensor(std::move(tensor));
  return reinterpret_cast<PyObject*>(object);
}

PyObject* new_size(IntArrayRef sizes) {
  Object size = Object::checked(PyType_GenericAlloc(size_type, static_cast<Py_ssize_t>(sizes.size())));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    set_tuple_item(size.get(), static_cast<Py_ssize_t>(i), Object::checked(to_python(sizes[i])).release());
  }
  return size.release();
}

void add_size_type(PyObject* module) {
  size_type =
      add_type(module, {"structured.Size", 0, "Sizes of a tensor, a tuple.", Py_TPFLAGS_IMMUTABLETYPE, &PyTuple_Type},
               {slot(Py_tp_repr, size_repr), slot(Py_tp_methods, size_methods), slot(Py_tp_dealloc, size_dealloc)});
}

void add_tensor_method(PyMethodDef& method) {
  add_tensor_attribute(method.ml_name, PyDescr_NewMethod(tensor_type, &method));
}

void add_tensor_type(PyObject* module) {
  static PyMemberDef members[] = {
      {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weak_references), READONLY, nullptr}, {}};
  std::vector<PyType_Slot> slots{
      slot(Py_tp_new, create),
      slot(Py_tp_dealloc, dealloc),
      slot(Py_tp_members, members),
      slot(Py_tp_getset, tensor_properties),
      slot(Py_tp_methods, tensor_methods),
      slot(Py_tp_repr, tensor_repr),
      slot(Py_tp_richcompare, tensor_compare),
      {Py_tp_hash, PyType_GetSlot(&PyBaseObject_Type, Py_tp_hash)},
      slot(Py_tp_iter, iterate),
      slot(Py_mp_length, length),
      slot(Py_mp_subscript, tensor_get_item),
      slot(Py_mp_ass_subscript, tensor_set_item),
      slot(Py_sq_length, length),
      slot(Py_sq_item, tensor_get_row),
      slot(Py_sq_contains, contains),
  };
  for (const std::vector<PyType_Slot>& part : {tensor_number_slots(), tensor_buffer_slots()}) {
    slots.insert(slots.end(), part.begin(), part.end());
  }
  // Python code may add attributes: the package and modules of operators do.
  tensor_type = add_type(
      module, {"structured.Tensor", sizeof(TensorObject), "A multi-dimensional array.", Py_TPFLAGS_BASETYPE}, slots);
  // NumPy's operators return NotImplemented for tensors.
  add_tensor_attribute("__array_priority__", PyLong_FromLong(1000));
}

}  // namespace structured::python
