// The forms for the stable ABI; empty in a build for one version of CPython.
#include "stable_abi.h"

#ifdef Py_LIMITED_API

#include <string_view>

#include "structured/python/object.h"

namespace structured::python {

std::string type_name(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  const Object name(PyType_GetName(type));
  const Object module(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__module__"));
  std::string text;
  for (const Object* const part : {&module, &name}) {
    const char* const utf8 =
        *part && PyUnicode_Check(part->get()) ? PyUnicode_AsUTF8AndSize(part->get(), nullptr) : "?";
    if (utf8 == nullptr || std::string_view(utf8) == "builtins") continue;
    text += (text.empty() ? "" : ".") + std::string(utf8);
  }
  PyErr_Clear();
  return text;
}

PyObject* find_type_attribute(PyTypeObject* type, PyObject* name) {
  const Object bases(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__mro__"));
  for (Py_ssize_t i = 0; bases && i < tuple_size(bases.get()); ++i) {
    const Object attributes(PyObject_GetAttrString(tuple_item(bases.get(), i), "__dict__"));
    if (attributes && PySequence_Contains(attributes.get(), name) == 1) return PyObject_GetItem(attributes.get(), name);
  }
  PyErr_Clear();
  return nullptr;
}

PyObject* new_method(PyObject* function, PyObject* instance) {
  static PyObject* const type = [] {
    const Object types(PyImport_ImportModule("types"));
    return types ? PyObject_GetAttrString(types.get(), "MethodType") : nullptr;
  }();
  return type == nullptr ? nullptr : PyObject_CallFunctionObjArgs(type, function, instance, nullptr);
}

}  // namespace structured::python

#endif
