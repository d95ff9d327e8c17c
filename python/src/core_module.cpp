// The module structured._core: types, constructors, and state of the process.
#include <string>

#include "errors.h"
#include "override.h"
#include "structured/core/factory.h"
#include "structured/core/generator.h"
#include "structured/device/simd_level.h"
#include "structured/format/npy.h"
#include "structured/format/print.h"
#include "structured/iterator/parallel.h"
#include "structured/python/convert.h"
#include "structured/python/core_module.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

PyObject* seed_all(PyObject*, PyObject* seed) {
  const uint64_t value = PyLong_AsUnsignedLongLongMask(seed);
  if (PyErr_Occurred() != nullptr) return nullptr;
  return guarded([&] {
    manual_seed(value);
    return to_python(default_generator(kCPU));
  });
}
PyObject* get_default_dtype(PyObject*, PyObject*) {
  return guarded([] { return to_python(default_dtype()); });
}
PyObject* change_default_dtype(PyObject*, PyObject* dtype) {
  return guarded([&] {
    set_default_dtype(dtype_from(dtype));
    return Py_NewRef(Py_None);
  });
}
PyObject* promote(PyObject*, PyObject* arguments) {
  PyObject* a = nullptr;
  PyObject* b = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O!", dtype_type, &a, dtype_type, &b) == 0) return nullptr;
  return guarded([&] { return to_python(promote_types(dtype_from(a), dtype_from(b))); });
}
PyObject* can_cast_types(PyObject*, PyObject* arguments) {
  PyObject* a = nullptr;
  PyObject* b = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O!", dtype_type, &a, dtype_type, &b) == 0) return nullptr;
  return guarded([&] { return to_python(can_cast(dtype_from(a), dtype_from(b))); });
}
PyObject* get_num_threads(PyObject*, PyObject*) { return PyLong_FromLong(max_threads()); }
PyObject* change_num_threads(PyObject*, PyObject* count) {
  return guarded([&] {
    const int64_t value = integer_from(count);
    if (value < 1 || value > 1 << 16)
      raise(PyExc_ValueError, "expected at least 1 thread, got %lld", static_cast<long long>(value));
    set_num_threads(static_cast<int>(value));
    return Py_NewRef(Py_None);
  });
}
// (precision, threshold, edge items, line width)
PyObject* get_print_options(PyObject*, PyObject*) {
  const PrintOptions& options = print_options();
  return Py_BuildValue("(iLLi)", options.precision, static_cast<long long>(options.threshold),
                       static_cast<long long>(options.edge_items), options.line_width);
}
PyObject* change_print_options(PyObject*, PyObject* arguments) {
  PrintOptions options;
  long long threshold = 0;
  long long edge_items = 0;
  if (PyArg_ParseTuple(arguments, "iLLi", &options.precision, &threshold, &edge_items, &options.line_width) == 0) {
    return nullptr;
  }
  return guarded([&] {
    if (options.precision < 0 || threshold < 0 || edge_items < 0 || options.line_width < 1) {
      raise(PyExc_ValueError, "print options must not be negative");
    }
    options.threshold = threshold;
    options.edge_items = edge_items;
    set_print_options(options);
    return Py_NewRef(Py_None);
  });
}
PyObject* get_default_generator(PyObject*, PyObject*) {
  return guarded([] { return to_python(default_generator(kCPU)); });
}
PyObject* get_simd_level(PyObject*, PyObject*) { return PyUnicode_FromString(to_string(simd_level())); }

PyObject* save_file(PyObject*, PyObject* arguments) {
  PyObject* path = nullptr;
  PyObject* names = nullptr;  // None: one tensor
  PyObject* tensors = nullptr;
  if (PyArg_ParseTuple(arguments, "OOO!", &path, &names, &PyList_Type, &tensors) == 0) return nullptr;
  return guarded([&] {
    const std::string file = path_from(path);
    NamedTensors list;
    for (Py_ssize_t i = 0; i < sequence_size(tensors); ++i) {
      PyObject* const tensor = sequence_item(tensors, i);
      if (!is_tensor(tensor)) raise(PyExc_TypeError, "save: expected a Tensor, got %s", type_name(tensor).c_str());
      PyObject* const name = names == Py_None ? nullptr : PyList_GetItem(names, i);
      if (names != Py_None && name == nullptr) throw PythonError();
      list.emplace_back(name == nullptr ? std::string() : std::string(text_from(name)), tensor_of(tensor).detach());
    }
    if (names != Py_None) {
      save_npz(file, list);
    } else {
      save(file, list.at(0).second);
    }
    return Py_NewRef(Py_None);
  });
}
PyObject* load_npy_file(PyObject*, PyObject* path) {
  return guarded([&] { return to_python(load(path_from(path))); });
}
PyObject* load_npz_file(PyObject*, PyObject* path) {
  return guarded([&] {
    Object result = Object::checked(PyDict_New());
    for (auto& [name, tensor] : load_npz(path_from(path))) {
      const Object value(to_python(std::move(tensor)));
      if (PyDict_SetItemString(result.get(), name.c_str(), value.get()) < 0) throw PythonError();
    }
    return result.release();
  });
}

PyObject* bytes_of_storage(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", type_name(tensor).c_str());
    const Tensor& self = tensor_of(tensor);
    if (!self.is_cpu()) raise(PyExc_TypeError, "a tensor on %s cannot be pickled", to_string(self.device().type()));
    Tensor bytes = Tensor::adopt(TensorImpl::create(self.storage(), self.device(), kByte));
    bytes.impl()->set_sizes_contiguous({static_cast<int64_t>(self.storage().nbytes())});
    return to_python(std::move(bytes));
  });
}

// _from_storage(bytes, dtype, sizes, strides, offset): a tensor over a writable buffer.
PyObject* tensor_from_storage(PyObject*, PyObject* arguments) {
  PyObject* data = nullptr;
  PyObject* dtype = nullptr;
  PyObject* sizes = nullptr;
  PyObject* strides = nullptr;
  long long offset = 0;
  if (PyArg_ParseTuple(arguments, "OO!O!O!L", &data, dtype_type, &dtype, &PyTuple_Type, &sizes, &PyTuple_Type, &strides,
                       &offset) == 0) {
    return nullptr;
  }
  return guarded([&] {
    const Tensor bytes = tensor_from_buffer(data, /*copies=*/false);
    const IntegerList size_list(sizes);
    const IntegerList stride_list(strides);
    const ScalarType type = dtype_from(dtype);
    if (offset < 0) raise(PyExc_ValueError, "expected an offset of at least 0, got %lld", offset);
    const std::size_t needed =
        structured::detail::storage_nbytes(size_list.get(), stride_list.get(), item_size(type), offset);
    if (needed > bytes.nbytes())
      raise(PyExc_ValueError, "expected a storage of %zu bytes, got %zu", needed, bytes.nbytes());
    Tensor result = Tensor::adopt(TensorImpl::create(bytes.storage(), bytes.device(), type));
    result.impl()->set_sizes_and_strides(size_list.get(), stride_list.get());
    result.impl()->set_storage_offset(offset);
    return to_python(std::move(result));
  });
}

// _make(type, tensor): an object of a subclass of Tensor that holds the same tensor.
PyObject* make_object(PyObject*, PyObject* arguments) {
  PyTypeObject* type = nullptr;
  PyObject* tensor = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O!", &PyType_Type, &type, tensor_type, &tensor) == 0) return nullptr;
  return guarded([&] {
    if (PyType_IsSubtype(type, tensor_type) == 0) raise(PyExc_TypeError, "expected a subclass of Tensor");
    PyObject* const object = Object::checked(PyType_GenericAlloc(type, 0)).release();
    ::new (&tensor_of(object)) Tensor(tensor_of(tensor));
    return object;
  });
}

PyObject* is_exact(PyObject*, PyObject* object) { return PyBool_FromLong(is_exact_tensor(object)); }

PyMethodDef functions[] = {
    {"manual_seed", seed_all, METH_O, "Restarts the default generators with a seed."},
    {"get_default_dtype", get_default_dtype, METH_NOARGS, "The dtype of floating-point values without one."},
    {"set_default_dtype", change_default_dtype, METH_O, "Sets the dtype of floating-point values without one."},
    {"promote_types", promote, METH_VARARGS, "The smallest dtype that holds values of both."},
    {"can_cast", can_cast_types, METH_VARARGS, "Whether results in the first dtype may be stored in the second."},
    {"get_num_threads", get_num_threads, METH_NOARGS, "Number of threads of parallel loops."},
    {"set_num_threads", change_num_threads, METH_O, "Sets the number of threads of parallel loops."},
    {"_print_options", get_print_options, METH_NOARGS, nullptr},
    {"_set_print_options", change_print_options, METH_VARARGS, nullptr},
    {"_default_generator", get_default_generator, METH_NOARGS, nullptr},
    {"_simd_level", get_simd_level, METH_NOARGS, nullptr},
    {"_save", save_file, METH_VARARGS, nullptr},
    {"_load_npy", load_npy_file, METH_O, nullptr},
    {"_load_npz", load_npz_file, METH_O, nullptr},
    {"_bytes_of_storage", bytes_of_storage, METH_O, nullptr},
    {"_from_storage", tensor_from_storage, METH_VARARGS, nullptr},
    {"_is_exact", is_exact, METH_O, nullptr},
    {"_make", make_object, METH_VARARGS, nullptr},
    {}};

PyModuleDef definition{
    PyModuleDef_HEAD_INIT, "structured._core", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyObject* create_core_module() {
  return guarded([]() -> PyObject* {
    Object module = Object::checked(PyModule_Create(&definition));
    for (const auto add : {add_plain_types, add_size_type, add_tensor_type, add_function_type, add_constructors,
                           add_dlpack, add_autograd, add_tracing, add_overrides, add_saved_values}) {
      add(module.get());
    }
    if (PyModule_AddStringConstant(module.get(), "__version__", STRUCTURED_VERSION) != 0) throw PythonError();
    return module.release();
  });
}

}  // namespace structured::python
