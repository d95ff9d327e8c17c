// Types of small values: dtype, device, layout, memory_format, qscheme and Generator.
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <string>

#include "dtype.h"
#include "errors.h"
#include "structured/base/error.h"
#include "structured/format/print.h"
#include "structured/python/convert.h"
#include "structured/python/object.h"
#include "types.h"

namespace structured::python {
namespace {

template <class T>
T& value_of(PyObject* object) {
  return reinterpret_cast<Holder<T>*>(object)->value;
}

template <class T>
PyObject* new_holder(PyTypeObject* type, T value) {
  PyObject* const object = PyType_GenericAlloc(type, 0);
  if (object == nullptr) throw PythonError();
  ::new (&value_of<T>(object)) T(std::move(value));
  return object;
}

template <class T>
void dealloc(PyObject* object) {
  value_of<T>(object).~T();
  free_object(object);
}

PyObject* dtype_repr(PyObject* self) {
  return PyUnicode_FromFormat("structured.%s", dtype_name(value_of<ScalarType>(self)));
}
PyObject* dtype_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(dtype_name(value_of<ScalarType>(self)));
}

PyObject* text_or_none(const char* text) { return text != nullptr ? PyUnicode_FromString(text) : Py_NewRef(Py_None); }
// Column of the dtype in the table of dtypes, as a property.
template <const char* schema::Dtype::* column>
PyObject* dtype_column(PyObject* self, void*) {
  return text_or_none(dtype_row(value_of<ScalarType>(self))->*column);
}
PyObject* dtype_method(PyObject* self, void*) {
  const schema::Dtype* const row = dtype_row(value_of<ScalarType>(self));
  return text_or_none(row->promotes() ? row->second_name() : nullptr);
}
PyObject* dtype_to_complex(PyObject* self, PyObject*) {
  return guarded([&] { return to_python(to_complex(value_of<ScalarType>(self))); });
}
PyObject* dtype_to_real(PyObject* self, PyObject*) {
  return guarded([&] { return to_python(to_real(value_of<ScalarType>(self))); });
}

PyGetSetDef dtype_properties[] = {
    {"is_floating_point",
     [](PyObject* self, void*) { return PyBool_FromLong(is_floating(value_of<ScalarType>(self))); }, nullptr,
     "Whether the elements are real floating-point numbers.", nullptr},
    {"is_complex", [](PyObject* self, void*) { return PyBool_FromLong(is_complex(value_of<ScalarType>(self))); },
     nullptr, "Whether the elements are complex numbers.", nullptr},
    {"is_signed", [](PyObject* self, void*) { return PyBool_FromLong(is_signed(value_of<ScalarType>(self))); }, nullptr,
     "Whether the elements can be negative.", nullptr},
    {"itemsize", [](PyObject* self, void*) { return PyLong_FromSize_t(item_size(value_of<ScalarType>(self))); },
     nullptr, "Bytes of an element.", nullptr},
    {"_name", dtype_column<&schema::Dtype::name>, nullptr, "Name of the dtype in ATen, such as `Float`.", nullptr},
    {"_method", dtype_method, nullptr, "Method of a tensor that converts to the dtype, or None.", nullptr},
    {"_safetensors", dtype_column<&schema::Dtype::safetensors>, nullptr, "Name in .safetensors files, or None.",
     nullptr},
    {}};

PyMethodDef dtype_methods[] = {
    {"to_complex", dtype_to_complex, METH_NOARGS,
     "The complex dtype with parts of this dtype; complex64 if there is none."},
    {"to_real", dtype_to_real, METH_NOARGS, "The dtype of the parts of a complex dtype; other dtypes themselves."},
    {"__reduce__", dtype_reduce, METH_NOARGS, nullptr},
    {}};

PyObject* device_new(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"type", "index", nullptr};
  PyObject* type = nullptr;
  PyObject* index = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", const_cast<char**>(names), &type, &index) == 0) {
    return nullptr;
  }
  return guarded([&] {
    if (Py_IS_TYPE(type, device_type)) return Py_NewRef(type);
    if (!PyUnicode_Check(type)) raise(PyExc_TypeError, "device: expected a str, got %s", type_name(type).c_str());
    std::string text(text_from(type));
    if (index != Py_None) text += ":" + std::to_string(integer_from(index));
    return to_python(Device(text.c_str()));
  });
}

PyObject* device_repr(PyObject* self) {
  const Device device = value_of<Device>(self);
  if (!device.has_index()) return PyUnicode_FromFormat("device(type='%s')", to_string(device.type()));
  return PyUnicode_FromFormat("device(type='%s', index=%d)", to_string(device.type()), device.index());
}
PyObject* device_str(PyObject* self) {
  return guarded([&] { return to_python(structured::to_string(value_of<Device>(self))); });
}
PyObject* device_compare(PyObject* a, PyObject* b, int operation) {
  if (!Py_IS_TYPE(b, device_type) || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((value_of<Device>(a) == value_of<Device>(b)) == (operation == Py_EQ));
}
Py_hash_t device_hash(PyObject* self) {
  const Device device = value_of<Device>(self);
  return static_cast<Py_hash_t>(device.type()) * 1024 + device.index() + 1;
}
PyObject* device_reduce(PyObject* self, PyObject*) {
  const Object text(device_str(self));
  return text ? Py_BuildValue("O(O)", device_type, text.get()) : nullptr;
}
PyGetSetDef device_properties[] = {
    {"type", [](PyObject* self, void*) { return PyUnicode_FromString(to_string(value_of<Device>(self).type())); },
     nullptr, "Name of the device type, such as `cpu`.", nullptr},
    {"index",
     [](PyObject* self, void*) {
       const Device device = value_of<Device>(self);
       return device.has_index() ? PyLong_FromLong(device.index()) : Py_NewRef(Py_None);
     },
     nullptr, "Index of the device, or None.", nullptr},
    {}};
PyMethodDef device_methods[] = {{"__reduce__", device_reduce, METH_NOARGS, nullptr}, {}};

// Python's names, by the numbers of the enumerators.
constexpr auto layout_names = [] {
  std::array result{
#define STRUCTURED_LAYOUT(enumerator, word) word,
#include "structured/schema/enumerations.def"
  };
#define STRUCTURED_OTHER_LAYOUT(enumerator, word) result[static_cast<std::size_t>(Layout::enumerator)] = word;
#include "structured/schema/enumerations.def"
  return result;
}();
constexpr std::array format_names{
#define STRUCTURED_MEMORY_FORMAT(enumerator, word, exported) word,
#include "structured/schema/enumerations.def"
};
constexpr std::array qscheme_names{
#define STRUCTURED_QSCHEME(enumerator, word) word,
#include "structured/schema/enumerations.def"
};

const char* layout_name(Layout layout) { return layout_names[static_cast<std::size_t>(layout)]; }

PyObject* layout_repr(PyObject* self) {
  return PyUnicode_FromFormat("structured.%s", layout_name(value_of<Layout>(self)));
}
PyObject* layout_reduce(PyObject* self, PyObject*) { return PyUnicode_FromString(layout_name(value_of<Layout>(self))); }
PyMethodDef layout_methods[] = {{"__reduce__", layout_reduce, METH_NOARGS, nullptr}, {}};
PyObject* format_repr(PyObject* self) {
  return PyUnicode_FromFormat("structured.%s", format_names[static_cast<int>(value_of<MemoryFormat>(self))]);
}
PyObject* format_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(format_names[static_cast<int>(value_of<MemoryFormat>(self))]);
}
PyMethodDef format_methods[] = {{"__reduce__", format_reduce, METH_NOARGS, nullptr}, {}};

PyObject* qscheme_repr(PyObject* self) {
  return PyUnicode_FromFormat("structured.%s", structured::to_string(value_of<QScheme>(self)));
}
PyObject* qscheme_reduce(PyObject* self, PyObject*) {
  return PyUnicode_FromString(structured::to_string(value_of<QScheme>(self)));
}
PyMethodDef qscheme_methods[] = {{"__reduce__", qscheme_reduce, METH_NOARGS, nullptr}, {}};

PyObject* generator_new(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"device", nullptr};
  PyObject* device = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", const_cast<char**>(names), &device) == 0) return nullptr;
  return guarded([&] {
    if (device != nullptr && !PyUnicode_Check(device) && !Py_IS_TYPE(device, device_type)) {
      raise(PyExc_TypeError, "Generator: expected a device, got %s", type_name(device).c_str());
    }
    return to_python(Generator(device == nullptr ? Device(kCPU) : device_from(device)));
  });
}
PyObject* generator_manual_seed(PyObject* self, PyObject* seed) {
  const uint64_t value = PyLong_AsUnsignedLongLongMask(seed);
  if (PyErr_Occurred() != nullptr) return nullptr;
  value_of<Generator>(self).set_current_seed(value);
  return Py_NewRef(self);
}
PyObject* generator_initial_seed(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(value_of<Generator>(self).current_seed());
}
PyObject* generator_get_state(PyObject* self, PyObject*) {
  const Generator::Range state = value_of<Generator>(self).state();
  return Py_BuildValue("(KK)", static_cast<unsigned long long>(state.seed),
                       static_cast<unsigned long long>(state.first));
}
PyObject* generator_set_state(PyObject* self, PyObject* state) {
  unsigned long long seed = 0;
  unsigned long long first = 0;
  if (!PyTuple_Check(state)) {
    PyErr_SetString(PyExc_TypeError, "set_state: expected what get_state() returns");
    return nullptr;
  }
  if (PyArg_ParseTuple(state, "KK", &seed, &first) == 0) return nullptr;
  value_of<Generator>(self).set_state({seed, first});
  return Py_NewRef(self);
}
PyMethodDef generator_methods[] = {
    {"manual_seed", generator_manual_seed, METH_O, "Starts the sequence of a seed from its beginning."},
    {"initial_seed", generator_initial_seed, METH_NOARGS, "The current seed."},
    {"get_state", generator_get_state, METH_NOARGS, "The seed and the position in its sequence."},
    {"set_state", generator_set_state, METH_O, "Restores what get_state() returned."},
    {}};
PyGetSetDef generator_properties[] = {
    {"device",
     [](PyObject* self, void*) { return guarded([&] { return to_python(value_of<Generator>(self).device()); }); },
     nullptr, "The device whose operators use the generator.", nullptr},
    {}};

std::array<PyObject*, kScalarTypeEnd> dtype_objects{};
std::array<PyObject*, layout_names.size()> layout_objects{};
std::array<PyObject*, format_names.size()> format_objects{};
std::array<PyObject*, qscheme_names.size()> qscheme_objects{};

void add_object(PyObject* module, const char* name, PyObject* object) {
  if (PyModule_AddObjectRef(module, name, object) < 0) throw PythonError();
}

// A type of objects that hold a T.
template <class T>
PyTypeObject* add_holder_type(PyObject* module, const char* name, const char* documentation,
                              std::vector<PyType_Slot> slots) {
  slots.push_back(slot(Py_tp_dealloc, dealloc<T>));
  return add_type(module, {name, sizeof(Holder<T>), documentation}, std::move(slots));
}

}  // namespace

PyTypeObject* dtype_type = nullptr;
PyTypeObject* device_type = nullptr;
PyTypeObject* layout_type = nullptr;
PyTypeObject* memory_format_type = nullptr;
PyTypeObject* qscheme_type = nullptr;
PyTypeObject* generator_type = nullptr;

const char* dtype_name(ScalarType dtype) { return dtype_row(dtype)->torch_name(); }

std::optional<ScalarType> find_dtype(std::string_view name) {
  const schema::Dtype* const dtype = schema::find_dtype(
      [=](const schema::Dtype& row) { return name == row.torch_name() || name == row.second_name(); });
  return dtype != nullptr ? std::optional(scalar_type_of_row(dtype)) : std::nullopt;
}

PyObject* to_python(ScalarType dtype) {
  if (dtype == ScalarType::Undefined) return Py_NewRef(Py_None);
  return Py_NewRef(dtype_objects[static_cast<std::size_t>(dtype)]);
}
PyObject* to_python(Layout layout) { return Py_NewRef(layout_objects[static_cast<std::size_t>(layout)]); }
PyObject* to_python(MemoryFormat format) { return Py_NewRef(format_objects[static_cast<std::size_t>(format)]); }
PyObject* to_python(QScheme scheme) { return Py_NewRef(qscheme_objects[static_cast<std::size_t>(scheme)]); }
PyObject* to_python(Device device) { return new_holder(device_type, device); }
PyObject* to_python(Generator generator) { return new_holder(generator_type, std::move(generator)); }

ScalarType dtype_from(PyObject* object) {
  if (Py_IS_TYPE(object, dtype_type)) return value_of<ScalarType>(object);
  if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) return ScalarType::Double;
  if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) return ScalarType::Long;
  if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) return ScalarType::Bool;
  if (object == reinterpret_cast<PyObject*>(&PyComplex_Type)) return ScalarType::ComplexDouble;
  raise(PyExc_TypeError, "expected a dtype, got %s", type_name(object).c_str());
}
Device device_from(PyObject* object) {
  if (Py_IS_TYPE(object, device_type)) return value_of<Device>(object);
  return Device(std::string(text_from(object)).c_str());
}
Layout layout_from(PyObject* object) { return value_of<Layout>(object); }
MemoryFormat memory_format_from(PyObject* object) { return value_of<MemoryFormat>(object); }
QScheme qscheme_from(PyObject* object) { return value_of<QScheme>(object); }
Generator generator_from(PyObject* object) { return value_of<Generator>(object); }

void add_plain_types(PyObject* module) {
  dtype_type = add_holder_type<ScalarType>(
      module, "structured.dtype", "Type of a tensor's elements.",
      {slot(Py_tp_repr, dtype_repr), slot(Py_tp_getset, dtype_properties), slot(Py_tp_methods, dtype_methods)});
  device_type =
      add_holder_type<Device>(module, "structured.device", "A device: `device('cpu')`, `device('cuda', 1)`.",
                              {slot(Py_tp_new, device_new), slot(Py_tp_repr, device_repr), slot(Py_tp_str, device_str),
                               slot(Py_tp_richcompare, device_compare), slot(Py_tp_hash, device_hash),
                               slot(Py_tp_getset, device_properties), slot(Py_tp_methods, device_methods)});
  layout_type = add_holder_type<Layout>(module, "structured.layout", "Layout of a tensor's memory.",
                                        {slot(Py_tp_repr, layout_repr), slot(Py_tp_methods, layout_methods)});
  memory_format_type =
      add_holder_type<MemoryFormat>(module, "structured.memory_format", "Order of a tensor's dimensions in memory.",
                                    {slot(Py_tp_repr, format_repr), slot(Py_tp_methods, format_methods)});
  qscheme_type =
      add_holder_type<QScheme>(module, "structured.qscheme", "How integers of quantized tensors represent numbers.",
                               {slot(Py_tp_repr, qscheme_repr), slot(Py_tp_methods, qscheme_methods)});
  generator_type = add_holder_type<Generator>(module, "structured.Generator", "State of random operators.",
                                              {slot(Py_tp_new, generator_new), slot(Py_tp_methods, generator_methods),
                                               slot(Py_tp_getset, generator_properties)});
  const Object dtypes(PyTuple_New(schema::kDtypeCount));
  if (!dtypes) throw PythonError();
  Py_ssize_t count = 0;
  for (const schema::Dtype& row : schema::kDtypes) {
    const ScalarType dtype = scalar_type_of_row(&row);
    PyObject*& object = dtype_objects[static_cast<std::size_t>(dtype)];
    object = new_holder(dtype_type, dtype);
    add_object(module, row.torch_name(), object);
    add_object(module, row.second_name(), object);
    PyTuple_SET_ITEM(dtypes.get(), count++, Py_NewRef(object));
  }
  add_object(module, "_dtypes", dtypes.get());
  for (std::size_t i = 0; i < layout_objects.size(); ++i) {
    layout_objects[i] = new_holder(layout_type, static_cast<Layout>(i));
    add_object(module, layout_names[i], layout_objects[i]);
  }
  for (std::size_t i = 0; i < format_objects.size(); ++i) {
    format_objects[i] = new_holder(memory_format_type, static_cast<MemoryFormat>(i));
    add_object(module, format_names[i], format_objects[i]);
  }
  for (std::size_t i = 0; i < qscheme_objects.size(); ++i) {
    qscheme_objects[i] = new_holder(qscheme_type, static_cast<QScheme>(i));
    add_object(module, qscheme_names[i], qscheme_objects[i]);
  }
}

}  // namespace structured::python
