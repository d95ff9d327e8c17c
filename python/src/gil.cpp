// Waiting for the global interpreter lock. When the interpreter ends, CPython before 3.14 ends daemon threads that wait
// for the lock by pthread_exit(), which would unwind C++ frames; such threads sleep until the process ends instead.
#include "gil.h"

#include <cxxabi.h>
#include <unistd.h>

#include "structured/python/bindings.h"

namespace structured::python {
namespace {

[[noreturn]] void sleep_forever() {
  for (;;) pause();
}

}  // namespace

void restore_thread(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    sleep_forever();
  }
}

PyGILState_STATE ensure_gil() noexcept {
  try {
    return PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {
    sleep_forever();
  }
}

}  // namespace structured::python
