#include "override.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "errors.h"
#include "types.h"

namespace structured::python {
namespace {

thread_local bool is_disabled = false;

PyObject* protocol_name() {
  static PyObject* const name = PyUnicode_InternFromString("__structured_function__");
  return name;
}

// Objects of distinct types, in the order in which they are asked.
class Overriders {
 public:
  void add(PyObject* object) {
    if (!may_have_override(object)) return;
    if (PyTuple_CheckExact(object) || PyList_CheckExact(object)) {
      for (Py_ssize_t i = 0; i < sequence_size(object); ++i) {
        PyObject* const item = sequence_item(object, i);
        if (is_tensor(item) && has_override(item)) insert(Py_TYPE(item));
      }
    } else if (has_override(object)) {
      insert(Py_TYPE(object));
    }
  }

  const std::vector<PyTypeObject*>& types() const { return types_; }

 private:
  void insert(PyTypeObject* type) {
    if (std::ranges::find(types_, type) != types_.end()) return;
    const auto base =
        std::ranges::find_if(types_, [&](PyTypeObject* other) { return PyType_IsSubtype(type, other) != 0; });
    types_.insert(base, type);
  }

  std::vector<PyTypeObject*> types_;
};

Object tuple_of(PyObject* const* values, std::size_t count) {
  Object tuple = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(count)));
  for (std::size_t i = 0; i < count; ++i) {
    set_tuple_item(tuple.get(), static_cast<Py_ssize_t>(i), Py_NewRef(values[i]));
  }
  return tuple;
}

PyObject* set_disabled(PyObject*, PyObject* value) {
  return PyBool_FromLong(static_cast<long>(std::exchange(is_disabled, value == Py_True)));
}

PyMethodDef functions[] = {{"_disable_overrides", set_disabled, METH_O, nullptr}, {}};

}  // namespace

bool has_override(PyObject* object) {
  if (is_disabled) return false;
  const Object method(find_type_attribute(Py_TYPE(object), protocol_name()));
  if (!method) return false;
  // Tensor's own method is what the methods of subclasses call.
  const Object own(find_type_attribute(tensor_type, protocol_name()));
  return method.get() != own.get();
}

Object call_override(PyObject* function, PyObject* const* values, std::size_t count, PyObject* keywords) {
  const std::size_t keyword_count = keywords == nullptr ? 0 : static_cast<std::size_t>(tuple_size(keywords));
  Overriders overriders;
  for (std::size_t i = 0; i < count + keyword_count; ++i) overriders.add(values[i]);
  if (overriders.types().empty()) return Object();

  const auto* const type_objects = reinterpret_cast<PyObject* const*>(overriders.types().data());
  const Object types = tuple_of(type_objects, overriders.types().size());
  const Object arguments = tuple_of(values, count);
  const Object options = Object::checked(PyDict_New());
  for (std::size_t i = 0; i < keyword_count; ++i) {
    PyObject* const keyword = tuple_item(keywords, static_cast<Py_ssize_t>(i));
    if (PyDict_SetItem(options.get(), keyword, values[count + i]) < 0) throw PythonError();
  }
  for (PyTypeObject* const type : overriders.types()) {
    Object result =
        Object::checked(PyObject_CallMethodObjArgs(reinterpret_cast<PyObject*>(type), protocol_name(), function,
                                                   types.get(), arguments.get(), options.get(), nullptr));
    if (result.get() != Py_NotImplemented) return result;
  }
  PyErr_Format(PyExc_TypeError, "no type of the arguments implements %R: %R", function, types.get());
  throw PythonError();
}

Object call_method_override(const char* name, std::initializer_list<PyObject*> arguments) {
  const Object key = Object::checked(PyUnicode_InternFromString(name));
  const Object method(find_type_attribute(tensor_type, key.get()));
  return call_override(method.get(), arguments.begin(), arguments.size(), nullptr);
}

void add_overrides(PyObject* module) { add_functions(module, functions); }

}  // namespace structured::python
