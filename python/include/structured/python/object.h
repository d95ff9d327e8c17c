#pragma once
// Python objects of the library's types: tensors, dtypes, devices, layouts, memory formats, quantization schemes and
// generators.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>
#include <utility>

#include "structured/core/dimname.h"
#include "structured/core/generator.h"
#include "structured/core/layout.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/number/qscheme.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"
#include "structured/python/export.h"

namespace structured::python {

/// Thrown while a Python exception is set.
struct PythonError {};

/// An owned reference to an object, which may be null.
class Object {
 public:
  Object() = default;
  /// Takes over a reference.
  explicit Object(PyObject* object) : object_(object) {}
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }
  /// Takes over a new reference; throws PythonError if there is none.
  static Object checked(PyObject* object) {
    if (object == nullptr) throw PythonError();
    return Object(object);
  }
  static Object share(PyObject* object) {
    Py_XINCREF(object);
    return Object(object);
  }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

/// A Python object that holds a value of a C++ type.
template <class T>
struct Holder {
  PyObject_HEAD T value;
};

struct TensorObject {
  PyObject_HEAD Tensor tensor;
  PyObject* weak_references;
};

/// The types, which the module structured._core makes. They live as long as the process.
extern STRUCTURED_PYTHON_API PyTypeObject* tensor_type;
extern STRUCTURED_PYTHON_API PyTypeObject* dtype_type;
extern STRUCTURED_PYTHON_API PyTypeObject* device_type;
extern STRUCTURED_PYTHON_API PyTypeObject* layout_type;
extern STRUCTURED_PYTHON_API PyTypeObject* memory_format_type;
extern STRUCTURED_PYTHON_API PyTypeObject* qscheme_type;
extern STRUCTURED_PYTHON_API PyTypeObject* generator_type;

inline bool is_exact_tensor(PyObject* object) { return Py_IS_TYPE(object, tensor_type); }
inline bool is_tensor(PyObject* object) { return PyObject_TypeCheck(object, tensor_type) != 0; }
/// Precondition: is_tensor(object).
inline Tensor& tensor_of(PyObject* object) { return reinterpret_cast<TensorObject*>(object)->tensor; }
/// The object that holds `tensor`, which is a member of a TensorObject.
inline PyObject* object_of(Tensor& tensor) {
  return reinterpret_cast<PyObject*>(reinterpret_cast<char*>(&tensor) - offsetof(TensorObject, tensor));
}

/// A new object; None for an undefined tensor. Throws PythonError.
STRUCTURED_PYTHON_API PyObject* to_python(Tensor tensor);
STRUCTURED_PYTHON_API PyObject* to_python(const Scalar& scalar);
STRUCTURED_PYTHON_API PyObject* to_python(ScalarType dtype);
STRUCTURED_PYTHON_API PyObject* to_python(Device device);
STRUCTURED_PYTHON_API PyObject* to_python(Layout layout);
STRUCTURED_PYTHON_API PyObject* to_python(MemoryFormat format);
STRUCTURED_PYTHON_API PyObject* to_python(Generator generator);
STRUCTURED_PYTHON_API PyObject* to_python(QScheme scheme);
STRUCTURED_PYTHON_API PyObject* to_python(Dimname name);

}  // namespace structured::python
