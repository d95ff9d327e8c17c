#include "types.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "stable_abi.h"
#include "structured/python/object.h"

namespace structured::python {

PyTypeObject* add_type(PyObject* module, const TypeFacts& facts, std::vector<PyType_Slot> slots) {
  const bool has_constructor =
      std::ranges::any_of(slots, [](const PyType_Slot& each) { return each.slot == Py_tp_new; });
  unsigned long flags = Py_TPFLAGS_DEFAULT | facts.flags;
  if (!has_constructor && facts.base == &PyBaseObject_Type) flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
  if (facts.documentation != nullptr) slots.push_back(slot(Py_tp_doc, const_cast<char*>(facts.documentation)));
  slots.push_back({0, nullptr});
  PyType_Spec description{facts.name, static_cast<int>(facts.size), 0, static_cast<unsigned>(flags), slots.data()};
  Object type = Object::checked(PyType_FromSpecWithBases(&description, reinterpret_cast<PyObject*>(facts.base)));
  if (PyModule_AddObjectRef(module, std::strrchr(facts.name, '.') + 1, type.get()) < 0) throw PythonError();
  return reinterpret_cast<PyTypeObject*>(type.release());
}

bool has_length(PyTypeObject* type) {
  return PyType_GetSlot(type, Py_sq_length) != nullptr || PyType_GetSlot(type, Py_mp_length) != nullptr;
}

std::string path_from(PyObject* object) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(object, &bytes) == 0) throw PythonError();
  const Object owned(bytes);
  return {PyBytes_AsString(bytes), static_cast<std::size_t>(PyBytes_Size(bytes))};
}

bool is_numpy_bool(PyObject* object) {
  const std::string name = type_name(object);
  return name == "numpy.bool_" || name == "numpy.bool";
}

void add_functions(PyObject* module, PyMethodDef* functions) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError();
}

void free_object(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

}  // namespace structured::python
