#include "dlpack.h"

#include <structured/ops/clone.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "structured/core/exported_memory.h"
#include "structured/core/factory.h"
#include "structured/core/memory_format.h"
#include "structured/python/convert.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

constexpr const char* old_name = "dltensor";
constexpr const char* old_used_name = "used_dltensor";
constexpr const char* new_name = "dltensor_versioned";
constexpr const char* new_used_name = "used_dltensor_versioned";

dlpack::Type type_of(ScalarType dtype) {
  const schema::Dtype& row = *dtype_row(dtype);
  if (row.dlpack < 0) raise(PyExc_BufferError, "DLPack has no type for %s", to_string(dtype));
  return {static_cast<uint8_t>(row.dlpack), static_cast<uint8_t>(8 * row.size()), 1};
}

ScalarType dtype_of(dlpack::Type type) {
  const schema::Dtype* const dtype = schema::find_dtype(
      [=](const schema::Dtype& row) { return row.dlpack == type.code && 8 * row.size() == type.bits; });
  if (dtype != nullptr && type.lanes == 1) return scalar_type_of_row(dtype);
  raise(PyExc_BufferError, "no dtype corresponds to the DLPack type with code %d, %d bits and %d lanes",
        static_cast<int>(type.code), type.bits, type.lanes);
}

// An exported structure and the arrays that it points to.
template <class Structure>
struct Export {
  explicit Export(Tensor tensor) : memory(std::move(tensor)) {}

  Structure structure{};
  ExportedMemory memory;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

template <class Structure>
Structure* export_tensor(const Tensor& tensor) {
  auto owner = std::make_unique<Export<Structure>>(tensor);
  owner->sizes = tensor.sizes().to<std::vector<int64_t>>();
  owner->strides = tensor.strides().to<std::vector<int64_t>>();
  // As PyTorch's: some libraries take other strides of dimensions with one element for gaps.
  for (std::size_t i = 0; i < owner->sizes.size(); ++i) {
    if (owner->sizes[i] < 2) owner->strides[i] = 1;
  }
  Structure& structure = owner->structure;
  structure.array = {tensor.data(),
                     {dlpack::DeviceCode::cpu, 0},
                     static_cast<int32_t>(tensor.dim()),
                     type_of(tensor.dtype()),
                     owner->sizes.data(),
                     owner->strides.data(),
                     0};
  structure.context = owner.get();
  structure.deleter = [](Structure* self) { delete static_cast<Export<Structure>*>(self->context); };
  return &owner.release()->structure;
}

// Calls the deleter of a structure, which may be one of Python's functions.
template <class Structure>
void release(Structure* structure) {
  if (structure->deleter == nullptr) return;
  const KeptException kept;
  structure->deleter(structure);
}

// Destructor of a capsule that no library has consumed.
template <class Structure>
void destroy(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) != 0) release(static_cast<Structure*>(PyCapsule_GetPointer(capsule, name)));
}

void check_device(PyObject* device) {
  if (device == nullptr || device == Py_None) return;
  int type = 0;
  int index = 0;
  if (!PyTuple_Check(device)) raise(PyExc_TypeError, "dl_device must be a tuple of two integers");
  if (PyArg_ParseTuple(device, "ii", &type, &index) == 0) throw PythonError();
  if (type != static_cast<int>(dlpack::DeviceCode::cpu) || index != 0) {
    raise(PyExc_BufferError, "tensors on cpu can be exported to device (1, 0), not to (%d, %d)", type, index);
  }
}

PyObject* to_dlpack(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
  PyObject* stream = Py_None;
  PyObject* version = Py_None;
  PyObject* device = Py_None;
  PyObject* copy = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__", const_cast<char**>(names), &stream,
                                  &version, &device, &copy) == 0) {
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    Tensor tensor = tensor_of(self);
    if (tensor.requires_grad()) raise(PyExc_BufferError, "the tensor requires gradients; use detach()");
    if (!tensor.is_cpu()) raise(PyExc_BufferError, "tensors on %s are not exported", to_string(tensor.device().type()));
    if (stream != Py_None) raise(PyExc_BufferError, "stream must be None for a tensor on cpu");
    check_device(device);
    const bool copies = copy != Py_None && bool_from(copy);
    if (copies) tensor = clone(tensor, std::nullopt);
    bool is_versioned = false;
    if (version != Py_None) {
      if (!PyTuple_Check(version) || tuple_size(version) != 2)
        raise(PyExc_TypeError, "max_version must be a tuple of two integers");
      is_versioned = integer_from(tuple_item(version, 0)) >= 1;
    }
    if (!is_versioned) {
      auto* const structure = export_tensor<dlpack::Managed>(tensor);
      PyObject* const capsule =
          PyCapsule_New(structure, old_name, [](PyObject* object) { destroy<dlpack::Managed>(object, old_name); });
      if (capsule == nullptr) structure->deleter(structure);
      return capsule;
    }
    auto* const structure = export_tensor<dlpack::ManagedVersioned>(tensor);
    structure->version = {1, 0};
    structure->flags = copies ? dlpack::ManagedVersioned::is_copied : 0;
    PyObject* const capsule = PyCapsule_New(
        structure, new_name, [](PyObject* object) { destroy<dlpack::ManagedVersioned>(object, new_name); });
    if (capsule == nullptr) structure->deleter(structure);
    return capsule;
  });
}

PyObject* dlpack_device(PyObject* self, PyObject*) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (!tensor.is_cpu()) raise(PyExc_BufferError, "tensors on %s are not exported", to_string(tensor.device().type()));
    return Py_BuildValue("(ii)", static_cast<int>(dlpack::DeviceCode::cpu), 0);
  });
}

// Takes over the structure, whose deleter runs when the last tensor on the memory is destroyed, or at once if this
// throws.
template <class Structure>
Tensor import_structure(Structure* structure) {
  std::unique_ptr<Structure, void (*)(Structure*)> owner(structure, &release<Structure>);
  const dlpack::Array& array = structure->array;
  if (array.device.type != dlpack::DeviceCode::cpu && array.device.type != dlpack::DeviceCode::cuda_host) {
    raise(PyExc_BufferError, "from_dlpack: expected memory of the host, got device type %d",
          static_cast<int>(array.device.type));
  }
  const ScalarType dtype = dtype_of(array.dtype);
  const std::vector<int64_t> sizes(array.shape, array.shape + array.rank);
  std::vector<int64_t> strides;
  if (array.strides != nullptr) {
    strides.assign(array.strides, array.strides + array.rank);
  } else {
    const DimVector rows = contiguous_strides(sizes);
    strides.assign(rows.data(), rows.data() + rows.size());
  }
  int64_t extent = 1;
  bool is_empty = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] < 0) raise(PyExc_BufferError, "from_dlpack: negative strides are not supported; copy the array");
    is_empty = is_empty || sizes[i] == 0;
    extent += (sizes[i] - 1) * strides[i];
  }
  if (is_empty) return empty(sizes, dtype);
  const auto run_deleter = [](void* context) {
    auto* const owned = static_cast<Structure*>(context);
    if (Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = ensure_gil();
    release(owned);
    PyGILState_Release(state);
  };
  const Tensor memory =
      from_blob(static_cast<char*>(array.data) + array.byte_offset, {extent}, dtype, run_deleter, structure);
  static_cast<void>(owner.release());
  Tensor result = Tensor::adopt(TensorImpl::create(memory.storage(), memory.device(), dtype));
  result.impl()->set_sizes_and_strides(sizes, strides);
  return result;
}

// The capsule of an object with `__dlpack__`: a versioned one if the object supports that. `copy` None lets the object
// decide whether it copies its elements.
Object capsule_of(PyObject* object, PyObject* copy) {
  if (PyCapsule_CheckExact(object)) return Object::share(object);
  const Object method(PyObject_GetAttrString(object, "__dlpack__"));
  if (!method) {
    PyErr_Clear();
    raise(PyExc_TypeError, "from_dlpack: expected an object with __dlpack__ or a capsule, got %s",
          type_name(object).c_str());
  }
  const Object none = Object::checked(PyTuple_New(0));
  const Object keywords = Object::checked(Py_BuildValue("{s(ii)}", "max_version", 1, 0));
  if (copy != Py_None && PyDict_SetItemString(keywords.get(), "copy", copy) < 0) throw PythonError();
  Object capsule(PyObject_Call(method.get(), none.get(), keywords.get()));
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    PyErr_Clear();
    capsule = Object(PyObject_CallNoArgs(method.get()));
  }
  if (!capsule) throw PythonError();
  return capsule;
}

// Tensor of a versioned structure, which `copy` (None, True or False) may require or forbid to copy.
Tensor import_versioned(dlpack::ManagedVersioned* structure, PyObject* copy) {
  const bool is_read_only = (structure->flags & dlpack::ManagedVersioned::read_only) != 0;
  const bool is_copied = (structure->flags & dlpack::ManagedVersioned::is_copied) != 0;
  const Tensor tensor = import_structure(structure);
  if (copy == Py_False && (is_read_only || is_copied)) {
    raise(PyExc_BufferError, "from_dlpack: expected an array that can be shared for copy=False, got %s",
          is_read_only ? "a read-only one" : "a copy");
  }
  return is_read_only || (copy == Py_True && !is_copied) ? clone(tensor, std::nullopt) : tensor;
}

PyObject* from_dlpack(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "device", "copy", nullptr};
  PyObject* object = nullptr;
  PyObject* device = Py_None;
  PyObject* copy = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$OO:from_dlpack", const_cast<char**>(names), &object, &device,
                                  &copy) == 0) {
    return nullptr;
  }
  return guarded([&] {
    if (copy != Py_None && !PyBool_Check(copy)) {
      raise(PyExc_TypeError, "from_dlpack: expected copy=None, True or False, got %s", type_name(copy).c_str());
    }
    if (device != Py_None && !device_from(device).is_cpu()) {
      raise(PyExc_BufferError, "from_dlpack: expected device cpu, got %s", to_string(device_from(device).type()));
    }
    const Object capsule = capsule_of(object, copy);
    if (PyCapsule_IsValid(capsule.get(), new_name) != 0) {
      auto* const structure = static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule.get(), new_name));
      if (structure->version.major != 1) {
        raise(PyExc_BufferError, "from_dlpack: expected version 1 of DLPack, got %u", structure->version.major);
      }
      if (PyCapsule_SetName(capsule.get(), new_used_name) != 0) throw PythonError();
      return to_python(import_versioned(structure, copy));
    }
    if (PyCapsule_IsValid(capsule.get(), old_name) != 0) {
      auto* const structure = static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule.get(), old_name));
      if (PyCapsule_SetName(capsule.get(), old_used_name) != 0) throw PythonError();
      const Tensor tensor = import_structure(structure);
      return to_python(copy == Py_True ? clone(tensor, std::nullopt) : tensor);
    }
    raise(PyExc_ValueError, "from_dlpack: the capsule is not a DLPack capsule, or has been consumed");
  });
}

PyMethodDef dlpack_method{"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(to_dlpack)),
                          METH_VARARGS | METH_KEYWORDS, "Exports the memory as a DLPack capsule."};
PyMethodDef device_method{"__dlpack_device__", dlpack_device, METH_NOARGS, "DLPack's device type and index."};
PyMethodDef functions[] = {{"from_dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(from_dlpack)),
                            METH_VARARGS | METH_KEYWORDS,
                            "from_dlpack(object, /, *, device=None, copy=None)\n\nA tensor that shares memory with "
                            "another library's array, or "
                            "a copy if the memory is read-only or `copy` is True. Raises BufferError if `copy` is "
                            "False and the memory cannot be "
                            "shared."},
                           {}};

}  // namespace

void add_dlpack(PyObject* module) {
  add_tensor_method(dlpack_method);
  add_tensor_method(device_method);
  add_functions(module, functions);
}

}  // namespace structured::python
