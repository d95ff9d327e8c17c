// Files of torch.save: conversion of values between Python and the library that reads and writes them.
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/program/save_value.h"
#include "structured/program/saved_value.h"
#include "structured/python/convert.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

using program::DynamicDict;
using program::DynamicList;
using program::DynamicTuple;
using program::DynamicValue;

// Converts a value of Python. Containers that occur several times stay one.
class ValueReader {
 public:
  DynamicValue read(PyObject* object) {
    if (object == Py_None) return {};
    if (PyBool_Check(object)) return object == Py_True;
    if (PyLong_Check(object)) return integer_from(object);
    if (PyFloat_Check(object)) return PyFloat_AsDouble(object);
    if (PyUnicode_Check(object)) return text_from(object);
    if (is_tensor(object)) return tensor_of(object);
    if (Py_IS_TYPE(object, device_type)) return device_from(object);
    if (!PyList_CheckExact(object) && !PyTuple_CheckExact(object) && !is_plain_dict(object) && !is_size(object)) {
      raise(PyExc_TypeError, "save: expected tensors, numbers, strings, None, lists, tuples and dictionaries, got %s",
            type_name(object).c_str());
    }
    const auto known = known_.find(object);
    if (known != known_.end()) return known->second;
    if (++depth_ > program::kMaxNestedValues) {
      raise(PyExc_ValueError, "save: expected at most %d nested values that do not contain themselves, got more",
            program::kMaxNestedValues);
    }
    DynamicValue result = PyDict_Check(object) ? read_dict(object) : read_elements(object);
    --depth_;
    known_.emplace(object, result);
    return result;
  }

 private:
  static bool is_plain_dict(PyObject* object) {
    return PyDict_CheckExact(object) || (PyDict_Check(object) && type_name(object).ends_with("OrderedDict"));
  }
  // The sizes of a tensor are a tuple.
  static bool is_size(PyObject* object) { return PyTuple_Check(object) && type_name(object) == "structured.Size"; }

  DynamicValue read_elements(PyObject* object) {
    std::vector<DynamicValue> elements;
    for (Py_ssize_t i = 0; i < sequence_size(object); ++i) elements.push_back(read(sequence_item(object, i)));
    return PyList_Check(object) ? make_list(std::move(elements)) : make_tuple(std::move(elements));
  }

  DynamicValue read_dict(PyObject* object) {
    auto dict = std::make_shared<DynamicDict>();
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t position = 0;
    while (PyDict_Next(object, &position, &key, &value) != 0) {
      DynamicValue name = read(key);
      dict->items.emplace_back(std::move(name), read(value));
    }
    return dict;
  }

  std::unordered_map<PyObject*, DynamicValue> known_;
  int depth_ = 0;
};

// Converts a value that has been read. Containers and tensors that occur several times stay one object.
class ValueWriter {
 public:
  Object write(const DynamicValue& value) {
    if (value.is_none()) return Object::share(Py_None);
    if (value.is<bool>()) return Object::share(value.to_bool() ? Py_True : Py_False);
    if (value.is<int64_t>()) return Object::checked(to_python(value.to_int()));
    if (value.is<double>()) return Object::checked(to_python(value.to_double()));
    if (value.is_string()) return Object::checked(to_python(value.to_string()));
    if (value.is<Device>()) return Object::checked(to_python(value.to_device()));
    if (value.is<Tensor>()) {
      const Tensor& tensor = value.to_tensor();
      return once(tensor.impl(), [&] { return Object::checked(to_python(tensor)); });
    }
    if (value.is<DynamicValue::List>()) return once(&value.to_list(), [&] { return list(value.to_list()); });
    if (value.is<DynamicValue::Tuple>()) return once(&value.to_tuple(), [&] { return tuple(value.to_tuple()); });
    if (value.is<DynamicValue::Dict>()) return once(&value.to_dict(), [&] { return dict(value.to_dict()); });
    raise(PyExc_TypeError,
          "load: objects of class `%s` are not supported; expected tensors, numbers, strings, lists, "
          "tuples and dictionaries",
          value.to_object().class_name.c_str());
  }

 private:
  template <class Make>
  Object once(const void* address, Make make) {
    const auto known = known_.find(address);
    if (known != known_.end()) return Object::share(known->second.get());
    Object result = make();
    known_.emplace(address, Object::share(result.get()));
    return result;
  }

  Object list(const DynamicList& values) {
    Object result = Object::checked(PyList_New(0));
    for (const DynamicValue& value : values.elements) {
      if (PyList_Append(result.get(), write(value).get()) < 0) throw PythonError();
    }
    return result;
  }
  Object tuple(const DynamicTuple& values) {
    Object result = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(values.elements.size())));
    for (std::size_t i = 0; i < values.elements.size(); ++i) {
      set_tuple_item(result.get(), static_cast<Py_ssize_t>(i), write(values.elements[i]).release());
    }
    return result;
  }
  Object dict(const DynamicDict& values) {
    Object result = Object::checked(PyDict_New());
    for (const auto& [key, value] : values.items) {
      if (PyDict_SetItem(result.get(), write(key).get(), write(value).get()) < 0) throw PythonError();
    }
    return result;
  }

  std::unordered_map<const void*, Object> known_;
};

// _save_value(path, value)
PyObject* save_value_to(PyObject*, PyObject* arguments) {
  PyObject* path = nullptr;
  PyObject* value = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &path, &value) == 0) return nullptr;
  return guarded([&] {
    program::save_value(path_from(path), ValueReader().read(value));
    return Py_NewRef(Py_None);
  });
}

// The file may be overwritten while its tensors live: its bytes are copied.
PyObject* load_value_from(PyObject*, PyObject* path) {
  return guarded([&] {
    const std::string name = path_from(path);
    const auto bytes = detail::FileBytes::copy(detail::FileBytes::map(name)->view());
    const DynamicValue value =
        program::read_saved_value(bytes, name, [](const Tensor& tensor) { tensor.requires_grad_(); });
    return ValueWriter().write(value).release();
  });
}

PyMethodDef functions[] = {
    {"_save_value", save_value_to, METH_VARARGS, nullptr}, {"_load_value", load_value_from, METH_O, nullptr}, {}};

}  // namespace

void add_saved_values(PyObject* module) { add_functions(module, functions); }

}  // namespace structured::python
