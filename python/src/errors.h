#pragma once
// C++ exceptions as Python exceptions.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <type_traits>
#include <utility>

#include "stable_abi.h"

namespace structured::python {

/// Sets the Python exception for the C++ exception that is being handled. Call it in a handler.
void set_python_exception() noexcept;

/// Returns the result of `function`; if it throws, sets a Python exception and returns null, or -1 for an integer.
template <class Function>
auto guarded(Function&& function) noexcept -> std::invoke_result_t<Function> {
  using Result = std::invoke_result_t<Function>;
  try {
    return std::forward<Function>(function)();
  } catch (...) {
    set_python_exception();
    if constexpr (std::is_pointer_v<Result>) {
      return nullptr;
    } else {
      return Result(-1);
    }
  }
}

/// Sets the current Python exception aside until the end of the scope. Code that a destructor calls may run while one
/// is set, for which Python's functions are not made; exceptions of such code are printed.
class KeptException {
 public:
  KeptException();
  KeptException(const KeptException&) = delete;
  KeptException& operator=(const KeptException&) = delete;
  ~KeptException();

 private:
#if PY_VERSION_HEX >= 0x030c0000 && (!defined(Py_LIMITED_API) || Py_LIMITED_API >= 0x030c0000)
  PyObject* exception_;
#else
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
#endif
};

/// Sets a Python exception with a text as for PyErr_Format, and throws PythonError.
[[noreturn]] void raise(PyObject* type, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace structured::python
