// The layers that record the calls of a thread: `_Profile` measures durations, `_Program` keeps the calls themselves.
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/dispatch/profiler.h"
#include "structured/dispatch/tracer.h"
#include "structured/format/print.h"
#include "structured/python/convert.h"
#include "tensor_type.h"
#include "types.h"

namespace structured::python {
namespace {

// Number of scopes that this thread has started and not stopped.
thread_local int scope_count = 0;

// A record, and the scope that adds to it while it is started. Scopes nest, and belong to one thread.
template <class Record, class Scope>
struct Recorder {
  void start() {
    if (scope) raise(PyExc_RuntimeError, "recording has started already");
    scope = std::make_unique<Scope>(record);
    thread = std::this_thread::get_id();
    depth = ++scope_count;
  }
  void stop() {
    if (!scope) raise(PyExc_RuntimeError, "recording has not started");
    if (thread != std::this_thread::get_id()) raise(PyExc_RuntimeError, "another thread has started the recording");
    if (depth != scope_count) raise(PyExc_RuntimeError, "a recording that started later has not stopped");
    end();
  }
  void end() {
    scope.reset();
    --scope_count;
  }
  bool is_innermost() const { return thread == std::this_thread::get_id() && depth == scope_count; }

  Record record;
  std::unique_ptr<Scope> scope;
  std::thread::id thread;
  int depth = 0;
};

using ProfileRecorder = Recorder<Profile, Profiler>;
using ProgramRecorder = Recorder<Program, Tracer>;
using RangeRecorder = Recorder<std::string, ProfiledRange>;

// Objects own the recorder by a pointer: it is not movable.
template <class T>
T& owned_by(PyObject* object) {
  return *reinterpret_cast<Holder<std::unique_ptr<T>>*>(object)->value;
}
template <class T>
PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
  return guarded([&] {
    auto recorder = std::make_unique<T>();
    PyObject* const object = Object::checked(PyType_GenericAlloc(type, 0)).release();
    ::new (&reinterpret_cast<Holder<std::unique_ptr<T>>*>(object)->value) std::unique_ptr<T>(std::move(recorder));
    return object;
  });
}
template <class T>
void destroy(PyObject* object) {
  using Pointer = std::unique_ptr<T>;
  auto& recorder = reinterpret_cast<Holder<Pointer>*>(object)->value;
  if (recorder->scope != nullptr) {
    // The thread would use the record of a scope that is not the innermost one: that record stays.
    if (recorder->is_innermost()) {
      recorder->end();
    } else {
      static_cast<void>(recorder.release());
    }
  }
  recorder.~Pointer();
  free_object(object);
}
template <class T, auto function>
PyObject* action(PyObject* self, PyObject*) {
  return guarded([&] {
    (owned_by<T>(self).*function)();
    return Py_NewRef(Py_None);
  });
}

// (name, is_operator, shapes, start, duration, thread, depth)
PyObject* events(PyObject* self, PyObject*) {
  return guarded([&] {
    const std::vector<Profile::Event> recorded = owned_by<ProfileRecorder>(self).record.events();
    Object list = Object::checked(PyList_New(static_cast<Py_ssize_t>(recorded.size())));
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      const Profile::Event& event = recorded[i];
      Object shapes = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(event.shapes.size())));
      for (std::size_t k = 0; k < event.shapes.size(); ++k) {
        set_tuple_item(shapes.get(), static_cast<Py_ssize_t>(k), Object::checked(to_python(event.shapes[k])).release());
      }
      PyObject* const tuple =
          Py_BuildValue("(s#OOLLII)", event.name.data(), static_cast<Py_ssize_t>(event.name.size()),
                        event.is_operator ? Py_True : Py_False, shapes.get(), static_cast<long long>(event.start),
                        static_cast<long long>(event.duration), event.thread, event.depth);
      set_list_item(list.get(), static_cast<Py_ssize_t>(i), Object::checked(tuple).release());
    }
    return list.release();
  });
}
PyObject* chrome_trace(PyObject* self, PyObject*) {
  return guarded([&] {
    std::ostringstream text;
    owned_by<ProfileRecorder>(self).record.write_chrome_trace(text);
    return to_python(text.str());
  });
}

PyObject* program_text(PyObject* self) {
  return guarded([&] { return to_python(structured::to_string(owned_by<ProgramRecorder>(self).record)); });
}
PyObject* operator_names(PyObject* self, PyObject*) {
  return guarded([&] {
    std::vector<std::string> names;
    for (const Program::Call& call : owned_by<ProgramRecorder>(self).record.calls()) {
      names.emplace_back(call.op->name());
    }
    return to_python(std::move(names));
  });
}
PyObject* set_tensor_name(PyObject* self, PyObject* arguments) {
  PyObject* tensor = nullptr;
  const char* name = nullptr;
  if (PyArg_ParseTuple(arguments, "O!s", tensor_type, &tensor, &name) == 0) return nullptr;
  return guarded([&] {
    owned_by<ProgramRecorder>(self).record.set_name(tensor_of(tensor), name);
    return Py_NewRef(Py_None);
  });
}

PyObject* start_range(PyObject* self, PyObject* name) {
  return guarded([&] {
    auto& range = owned_by<RangeRecorder>(self);
    if (!PyUnicode_Check(name)) raise(PyExc_TypeError, "expected a str, got %s", type_name(name).c_str());
    range.record = text_from(name);
    range.start();
    return Py_NewRef(Py_None);
  });
}

PyMethodDef profile_methods[] = {{"start", action<ProfileRecorder, &ProfileRecorder::start>, METH_NOARGS, nullptr},
                                 {"stop", action<ProfileRecorder, &ProfileRecorder::stop>, METH_NOARGS, nullptr},
                                 {"events", events, METH_NOARGS, nullptr},
                                 {"chrome_trace", chrome_trace, METH_NOARGS, nullptr},
                                 {}};
PyMethodDef program_methods[] = {{"start", action<ProgramRecorder, &ProgramRecorder::start>, METH_NOARGS, nullptr},
                                 {"stop", action<ProgramRecorder, &ProgramRecorder::stop>, METH_NOARGS, nullptr},
                                 {"operators", operator_names, METH_NOARGS, nullptr},
                                 {"set_name", set_tensor_name, METH_VARARGS, nullptr},
                                 {}};
PyMethodDef range_methods[] = {{"start", start_range, METH_O, nullptr},
                               {"stop", action<RangeRecorder, &RangeRecorder::stop>, METH_NOARGS, nullptr},
                               {}};

template <class T>
void add_recorder(PyObject* module, const TypeFacts& facts, std::vector<PyType_Slot> slots) {
  slots.push_back(slot(Py_tp_new, create<T>));
  slots.push_back(slot(Py_tp_dealloc, destroy<T>));
  add_type(module, facts, std::move(slots));
}

}  // namespace

void add_tracing(PyObject* module) {
  constexpr std::size_t size = sizeof(Holder<void*>);
  add_recorder<ProfileRecorder>(module, {"structured._Profile", size, "Durations of calls."},
                                {slot(Py_tp_methods, profile_methods)});
  add_recorder<ProgramRecorder>(module, {"structured._Program", size, "Calls of operators."},
                                {slot(Py_tp_methods, program_methods), slot(Py_tp_str, program_text)});
  add_recorder<RangeRecorder>(module, {"structured._Range", size, "A range of a profile."},
                              {slot(Py_tp_methods, range_methods)});
}

}  // namespace structured::python
