#pragma once
// Tables of a Python module, which structured-gen emits: one entry for each overload of each function. An entry has the
// overload's schema, which the library parses when the function is first called, and a function that converts arguments
// and results. All checks of arguments are in the library.
#include "structured/python/python_api.h"
// Python.h comes first.
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "structured/python/convert.h"
#include "structured/python/export.h"

namespace structured::python {

/// Arguments of one call: an object for each C++ parameter, in order. Their kinds have been checked, and defaults
/// filled in. Null stands for a list of integers that is given as separate `numbers`.
struct CallArguments {
  PyObject* const* objects;
  std::span<PyObject* const> numbers;
  bool releases_gil;  ///< whether the call takes long enough to let other threads run
};

using Invoke = PyObject* (*)(const CallArguments& arguments);

/// PyEval_RestoreThread() for threads that may wait for the lock while the interpreter ends.
STRUCTURED_PYTHON_API void restore_thread(PyThreadState* state) noexcept;

/// Lets other Python threads run until the end of the scope.
class GilRelease {
 public:
  explicit GilRelease(bool releases) : state_(releases ? PyEval_SaveThread() : nullptr) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() {
    if (state_ != nullptr) restore_thread(state_);
  }

 private:
  PyThreadState* state_;
};

/// Argument `i` of a call as the C++ type T.
template <class T>
Argument<T> argument_at(const CallArguments& arguments, std::size_t i) {
  if constexpr (std::is_constructible_v<Argument<T>, std::span<PyObject* const>>) {
    if (arguments.objects[i] == nullptr) return Argument<T>(arguments.numbers);
  }
  return Argument<T>(arguments.objects[i]);
}

template <class Signature>
struct Invoker;
template <class R, class... Parameters>
struct Invoker<R(Parameters...)> {
  template <R (*function)(Parameters...), std::size_t... i>
  static PyObject* call(const CallArguments& arguments, std::index_sequence<i...>) {
    return run<function>(arguments.releases_gil, argument_at<std::remove_cvref_t<Parameters>>(arguments, i)...);
  }
  template <R (*function)(Parameters...)>
  static PyObject* call(const CallArguments& arguments) {
    return call<function>(arguments, std::index_sequence_for<Parameters...>());
  }

 private:
  template <R (*function)(Parameters...)>
  static PyObject* run(bool releases_gil, const Argument<std::remove_cvref_t<Parameters>>&... arguments) {
    if constexpr (std::is_void_v<R>) {
      {
        const GilRelease release(releases_gil);
        function(arguments.get()...);
      }
      return Py_NewRef(Py_None);
    } else if (!releases_gil) [[likely]] {
      return Result<R>::convert(function(arguments.get()...));
    } else {
      return Result<R>::convert([&]() -> R {
        const GilRelease release(true);
        return function(arguments.get()...);
      }());
    }
  }
};

/// Converts the arguments, calls `function`, and converts the result. Throws Error, and PythonError if a Python
/// exception is set.
template <class Signature, std::add_pointer_t<Signature> function>
PyObject* invoke(const CallArguments& arguments) {
  return Invoker<Signature>::template call<function>(arguments);
}

struct Overload {
  const char* schema;
  Invoke invoke;
};

/// Overloads in the order in which a call tries them.
struct Function {
  template <std::size_t size>
  constexpr Function(const char* function, const Overload (&list)[size], bool method)
      : name(function), overloads(list), count(size), is_method(method) {}
  constexpr Function() = default;

  const char* name = nullptr;
  const Overload* overloads = nullptr;
  std::size_t count = 0;
  bool is_method = false;  ///< also a method of Tensor
};

struct FunctionTable {
  const Function* functions;
  std::size_t count;
};

}  // namespace structured::python
