#include "errors.h"

#include <cstdarg>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "structured/base/error.h"
#include "structured/python/object.h"

namespace structured::python {
namespace {

// The runtime has one class of errors, and Python's users expect several. A text that contains one of these parts names
// the class.
struct ErrorClass {
  std::string_view part;
  PyObject* const* type;
};

PyObject* class_of(std::string_view message) {
  const ErrorClass classes[] = {
      {"expected a dimension from ", &PyExc_IndexError},
      {"expected indices from ", &PyExc_IndexError},
      {"indices, got ", &PyExc_IndexError},
      {"expected a mask of the sizes of `self`", &PyExc_IndexError},
      {"no kernel is registered", &PyExc_NotImplementedError},
      {"has no kernel for", &PyExc_NotImplementedError},
  };
  for (const ErrorClass& each : classes) {
    if (message.find(each.part) != std::string_view::npos) return *each.type;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void set_python_exception() noexcept {
  try {
    throw;
  } catch (const PythonError&) {
    // A Python exception is set.
  } catch (const Error& error) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(class_of(error.what()), error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

#if PY_VERSION_HEX >= 0x030c0000 && (!defined(Py_LIMITED_API) || Py_LIMITED_API >= 0x030c0000)
KeptException::KeptException() : exception_(PyErr_GetRaisedException()) {}
KeptException::~KeptException() {
  if (PyErr_Occurred() != nullptr) PyErr_WriteUnraisable(nullptr);
  PyErr_SetRaisedException(exception_);
}
#else
KeptException::KeptException() { PyErr_Fetch(&type_, &value_, &traceback_); }
KeptException::~KeptException() {
  if (PyErr_Occurred() != nullptr) PyErr_WriteUnraisable(nullptr);
  PyErr_Restore(type_, value_, traceback_);
}
#endif

void raise(PyObject* type, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(type, format, arguments);
  va_end(arguments);
  throw PythonError();
}

}  // namespace structured::python
