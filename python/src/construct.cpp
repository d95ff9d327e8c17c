// Construction of tensors from Python data.
#include <structured/ops/clone.h>
#include <structured/ops/to.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/core/factory.h"
#include "structured/number/visit.h"
#include "structured/python/convert.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

constexpr std::size_t max_depth = 64;  // dimensions of a tensor

bool is_sequence(PyObject* object) {
  if (PyList_Check(object) || PyTuple_Check(object)) return true;
  if (is_tensor(object)) return tensor_of(object).dim() > 0;
  return PySequence_Check(object) != 0 && !PyUnicode_Check(object) && !PyBytes_Check(object) &&
         PyObject_Length(object) >= 0;
}

bool is_sequence_quietly(PyObject* object) {
  const bool result = is_sequence(object);
  PyErr_Clear();
  return result;
}

// Nested sequences: the shape of the first elements, which all others must have.
class NestedData {
 public:
  explicit NestedData(PyObject* data) { measure(data); }

  Tensor read(PyObject* data, std::optional<ScalarType> dtype) {
    collect(data, 0);
    if (!dtype) dtype = category_ ? promoted() : default_dtype();
    if (has_large_integer_ && is_integral(*dtype, false)) {
      raise(PyExc_OverflowError, "expected integers of at most 64 bits for dtype %s, got a larger one",
            to_string(*dtype));
    }
    Tensor result = empty(sizes_, *dtype);
    auto* at = static_cast<char*>(result.data());
    for (const Scalar& value : values_) {
      store(at, *dtype, value);
      at += item_size(*dtype);
    }
    return result;
  }

 private:
  void measure(PyObject* data) {
    Object current = Object::share(data);
    while (is_sequence_quietly(current.get())) {
      if (sizes_.size() == max_depth) raise(PyExc_ValueError, "expected at most %zu nested sequences", max_depth);
      const Py_ssize_t size = PySequence_Size(current.get());
      if (size < 0) throw PythonError();
      sizes_.push_back(size);
      if (size == 0) break;
      current = Object::checked(PySequence_GetItem(current.get(), 0));
    }
  }

  void collect(PyObject* data, std::size_t depth) {
    if (depth == sizes_.size()) return add(data, depth);
    if (!is_sequence_quietly(data)) {
      raise(PyExc_ValueError, "expected a sequence of length %lld at dimension %zu, got %s",
            static_cast<long long>(sizes_[depth]), depth, type_name(data).c_str());
    }
    const Object items = Object::checked(PySequence_Fast(data, "expected a sequence"));
    // Reading an element may run Python code that changes a list.
    for (Py_ssize_t i = 0;; ++i) {
      const Py_ssize_t size = sequence_size(items.get());
      if (size != sizes_[depth]) {
        raise(PyExc_ValueError, "expected a sequence of length %lld at dimension %zu, got length %zd",
              static_cast<long long>(sizes_[depth]), depth, size);
      }
      if (i == size) return;
      const Object item = Object::share(sequence_item(items.get(), i));
      collect(item.get(), depth + 1);
    }
  }

  void add(PyObject* data, std::size_t depth) {
    if (PyUnicode_Check(data) || PyBytes_Check(data) || data == Py_None || is_sequence_quietly(data)) {
      if (is_sequence_quietly(data)) {
        raise(PyExc_ValueError, "expected a number at dimension %zu, got a sequence", depth);
      }
      raise(PyExc_TypeError, "expected a number, got %s", type_name(data).c_str());
    }
    values_.push_back(PyLong_CheckExact(data) ? integer(data) : scalar_from(data));
    const ScalarType type = is_tensor(data)           ? tensor_of(data).dtype()
                            : PyLong_CheckExact(data) ? kLong
                                                      : values_.back().type();
    category_ = category_ ? promote_types(*category_, type) : type;
  }

  // An integer; beyond 64 bits the nearest real number, for dtypes that are not integral.
  Scalar integer(PyObject* data) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(data, &overflow);
    if (overflow == 0) return Scalar(static_cast<int64_t>(value));
    has_large_integer_ = true;
    return Scalar(double_from(data));
  }

  // Writes an element. Floating-point dtypes round it, to infinity if it is too large; integers must fit.
  static void store(void* address, ScalarType dtype, const Scalar& value) {
    if (value.is_complex() && !is_complex(dtype) && dtype != kBool) {
      raise(PyExc_TypeError, "expected real numbers for dtype %s, got a complex number", to_string(dtype));
    }
    if (!is_floating(dtype) && !is_complex(dtype)) return store_scalar(address, dtype, value);
    visit<kAllFloatingTypes | kAllComplexTypes>("tensor", dtype, [&]<class T>() {
      const T element = value.converted<T>();
      std::memcpy(address, &element, sizeof(T));
    });
  }

  // Floating-point numbers of Python give the default dtype.
  ScalarType promoted() const {
    if (*category_ == kDouble) return default_dtype();
    if (*category_ == kComplexDouble) return to_complex(default_dtype());
    return *category_;
  }

  std::vector<int64_t> sizes_;
  std::vector<Scalar> values_;
  std::optional<ScalarType> category_;
  bool has_large_integer_ = false;
};

struct DataArguments {
  PyObject* data = nullptr;
  std::optional<ScalarType> dtype;
  std::optional<Device> device;
  bool requires_grad = false;

  // Parses `(data, *, dtype=None, device=None, requires_grad=False)`.
  void parse(PyObject* arguments, PyObject* keywords, const char* format) {
    static const char* names[] = {"data", "dtype", "device", "requires_grad", nullptr};
    PyObject* type = Py_None;
    PyObject* where = Py_None;
    int gradients = 0;
    if (PyArg_ParseTupleAndKeywords(arguments, keywords, format, const_cast<char**>(names), &data, &type, &where,
                                    &gradients) == 0) {
      throw PythonError();
    }
    if (type != Py_None) dtype = dtype_from(type);
    if (where != Py_None) {
      if (!PyUnicode_Check(where) && !Py_IS_TYPE(where, device_type)) {
        raise(PyExc_TypeError, "expected a device, got %s", type_name(where).c_str());
      }
      device = device_from(where);
    }
    requires_grad = gradients != 0;
  }

  Tensor converted(Tensor tensor) const {
    if (dtype && tensor.dtype() != *dtype) tensor = to(tensor, *dtype);
    if (device && tensor.device().type() != device->type()) tensor = to(tensor, *device, tensor.dtype());
    if (requires_grad) tensor.requires_grad_();
    return tensor;
  }
};

PyObject* tensor_function(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    DataArguments parsed;
    parsed.parse(arguments, keywords, "O|$OOp:tensor");
    if (is_tensor(parsed.data)) {
      return to_python(parsed.converted(clone(tensor_of(parsed.data).detach(), std::nullopt)));
    }
    return to_python(parsed.converted(tensor_from_data(parsed.data, parsed.dtype)));
  });
}

// Shares memory where dtype and device allow it.
PyObject* as_tensor(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    DataArguments parsed;
    parsed.parse(arguments, keywords, "O|OOp:as_tensor");
    if (is_tensor(parsed.data)) {
      const Tensor& tensor = tensor_of(parsed.data);
      const Tensor result = parsed.converted(tensor);
      return result.is_same(tensor) ? Py_NewRef(parsed.data) : to_python(result);
    }
    if (PyObject_CheckBuffer(parsed.data) != 0 && !PyBytes_Check(parsed.data)) {
      return to_python(parsed.converted(tensor_from_array(parsed.data)));
    }
    return to_python(parsed.converted(tensor_from_data(parsed.data, parsed.dtype)));
  });
}

PyObject* from_numpy(PyObject*, PyObject* array) {
  return guarded([&] {
    if (is_tensor(array) || PyObject_CheckBuffer(array) == 0) {
      raise(PyExc_TypeError, "from_numpy: expected a numpy.ndarray, got %s", type_name(array).c_str());
    }
    return to_python(tensor_from_buffer(array, false));
  });
}

PyMethodDef functions[] = {
    {"tensor", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tensor_function)),
     METH_VARARGS | METH_KEYWORDS,
     "tensor(data, *, dtype=None, device=None, requires_grad=False)\n\nA new tensor with the elements of nested "
     "sequences, numbers, arrays or tensors."},
    {"as_tensor", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(as_tensor)), METH_VARARGS | METH_KEYWORDS,
     "as_tensor(data, dtype=None, device=None)\n\nA tensor with these elements that shares memory with `data` where "
     "possible."},
    {"from_numpy", from_numpy, METH_O, "from_numpy(array)\n\nA tensor that shares memory with an array."},
    {}};

}  // namespace

Tensor tensor_from_data(PyObject* data, std::optional<ScalarType> dtype) {
  Tensor result;
  const bool is_list = PyList_Check(data) || PyTuple_Check(data);
  if (!is_list && !is_tensor(data) && !PyBytes_Check(data) && PyObject_CheckBuffer(data) != 0) {
    result = tensor_from_buffer(data, /*copies=*/true);
  } else {
    return NestedData(data).read(data, dtype);
  }
  return dtype && *dtype != result.dtype() ? to(result, *dtype) : result;
}

Tensor tensor_from_array(PyObject* object) {
  try {
    return tensor_from_buffer(object, /*copies=*/false);
  } catch (const PythonError&) {
    if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw;  // read-only or with negative strides
    PyErr_Clear();
  }
  return tensor_from_buffer(object, /*copies=*/true);
}

void add_constructors(PyObject* module) { add_functions(module, functions); }

}  // namespace structured::python
