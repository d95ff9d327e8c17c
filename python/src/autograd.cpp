// Gradients: methods and functions that record, run and query backward passes.
#include "structured/autograd/gradient.h"

#include <structured/ops/to.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "structured/autograd/anomaly.h"
#include "structured/autograd/forward_mode.h"
#include "structured/autograd/grad_mode.h"
#include "structured/autograd/node.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved.h"
#include "structured/autograd/saved_hooks.h"
#include "structured/python/bindings.h"
#include "structured/python/object.h"
#include "tensor_type.h"

namespace structured::python {
namespace {

Tensor optional_tensor(PyObject* object, const char* what) {
  if (object == nullptr || object == Py_None) return Tensor();
  if (!is_tensor(object)) raise(PyExc_TypeError, "%s must be a Tensor or None, not %s", what, Py_TYPE(object)->tp_name);
  return tensor_of(object);
}

std::vector<Tensor> tensors_from(PyObject* object, const char* what) {
  std::vector<Tensor> result;
  if (object == nullptr || object == Py_None) return result;
  for (PyObject* const element : elements_of(object)) result.push_back(optional_tensor(element, what));
  return result;
}

// Gradients of another real dtype than their tensor's are converted.
std::vector<Tensor> gradients_from(PyObject* object, const char* what, const std::vector<Tensor>& outputs) {
  std::vector<Tensor> gradients = tensors_from(object, what);
  for (std::size_t i = 0; i < gradients.size() && i < outputs.size(); ++i) {
    Tensor& gradient = gradients[i];
    const bool is_other = gradient.defined() && outputs[i].defined() && gradient.dtype() != outputs[i].dtype();
    if (is_other && gradient.is_complex() == outputs[i].is_complex()) gradient = to(gradient, outputs[i].dtype());
  }
  return gradients;
}

// backward(outputs, gradients, retain_graph, create_graph)
PyObject* run_backward(PyObject*, PyObject* arguments) {
  PyObject* outputs = nullptr;
  PyObject* gradients = nullptr;
  int retain_graph = 0;
  int create_graph = 0;
  if (PyArg_ParseTuple(arguments, "OOpp", &outputs, &gradients, &retain_graph, &create_graph) == 0) return nullptr;
  return guarded([&] {
    const std::vector<Tensor> tensors = tensors_from(outputs, "tensors");
    const std::vector<Tensor> grads = gradients_from(gradients, "grad_tensors", tensors);
    {
      const GilRelease release(true);
      structured::backward(tensors, grads, retain_graph != 0, create_graph != 0);
    }
    return Py_NewRef(Py_None);
  });
}

// grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
PyObject* run_grad(PyObject*, PyObject* arguments) {
  PyObject* outputs = nullptr;
  PyObject* inputs = nullptr;
  PyObject* gradients = nullptr;
  int retain_graph = 0;
  int create_graph = 0;
  int allow_unused = 0;
  if (PyArg_ParseTuple(arguments, "OOOppp", &outputs, &inputs, &gradients, &retain_graph, &create_graph,
                       &allow_unused) == 0) {
    return nullptr;
  }
  return guarded([&] {
    const std::vector<Tensor> from = tensors_from(outputs, "outputs");
    const std::vector<Tensor> to = tensors_from(inputs, "inputs");
    const std::vector<Tensor> grads = gradients_from(gradients, "grad_outputs", from);
    return to_python([&] {
      const GilRelease release(true);
      return structured::grad(
          from, to, grads,
          {.retain_graph = retain_graph != 0, .create_graph = create_graph != 0, .allow_unused = allow_unused != 0});
    }());
  });
}

PyObject* set_grad_enabled(PyObject*, PyObject* value) {
  const int enabled = PyObject_IsTrue(value);
  if (enabled < 0) return nullptr;
  return PyBool_FromLong(static_cast<long>(std::exchange(structured::detail::grad_is_enabled, enabled != 0)));
}
PyObject* grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(static_cast<long>(is_grad_enabled())); }

// A Python function that the runtime calls, on any thread.
class Callback {
 public:
  explicit Callback(PyObject* function) : function_(Py_NewRef(function)) {}
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() {
    if (Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = ensure_gil();
    Py_DECREF(function_);
    PyGILState_Release(state);
  }

  PyObject* function() const { return function_; }

  // Undefined if the function returns None. Throws Error with the text of an exception, whose traceback is kept as the
  // exception of the thread that runs the pass.
  Tensor operator()(const Tensor& gradient) const {
    const PyGILState_STATE state = ensure_gil();
    std::optional<Tensor> result = call(gradient);
    PyGILState_Release(state);
    if (!result) throw PythonError();
    return std::move(*result);
  }

 private:
  std::optional<Tensor> call(const Tensor& gradient) const {
    const Object argument(to_python(gradient));
    const Object result(PyObject_CallOneArg(function_, argument.get()));
    if (!result) return std::nullopt;
    if (result.get() == Py_None) return Tensor();
    if (is_tensor(result.get())) return tensor_of(result.get());
    PyErr_Format(PyExc_TypeError, "a hook must return a Tensor or None, not %s", Py_TYPE(result.get())->tp_name);
    return std::nullopt;
  }

  PyObject* function_;
};

PyObject* register_tensor_hook(PyObject*, PyObject* arguments) {
  PyObject* tensor = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O", &tensor_type, &tensor, &function) == 0) return nullptr;
  return guarded([&] {
    auto callback = std::make_shared<Callback>(function);
    register_hook(tensor_of(tensor), [callback](const Tensor& gradient) { return (*callback)(gradient); });
    return Py_NewRef(Py_None);
  });
}

PyObject* register_leaf_hook(PyObject*, PyObject* arguments) {
  PyObject* tensor = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O", &tensor_type, &tensor, &function) == 0) return nullptr;
  return guarded([&] {
    auto callback = std::make_shared<Callback>(function);
    register_post_accumulate_grad_hook(tensor_of(tensor),
                                       [callback](const Tensor& gradient) { (*callback)(gradient); });
    return Py_NewRef(Py_None);
  });
}

// Node of a call of a structured.autograd.Function. `backward(gradients, saved)` returns the gradients of the inputs.
class PythonNode final : public autograd::DynamicNode {
 public:
  PythonNode(std::string name, PyObject* backward, const std::vector<Tensor>& inputs)
      : DynamicNode(inputs.size()), name_(std::move(name)), backward_(std::make_unique<Callback>(backward)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].requires_grad()) continue;
      connect(i, inputs[i]);
      expect_shape(i, {{inputs[i].sizes().begin(), inputs[i].sizes().end()}, inputs[i].dtype()});
    }
  }

  std::string_view name() const override { return name_; }

  // Makes this node the one that computed those results that are to have gradients.
  void record(const std::vector<Tensor>& results, const std::vector<bool>& has_gradient,
              const std::vector<Tensor>& saved) {
    set_result_count(results.size());
    for (const Tensor& tensor : saved) {
      std::size_t result = 0;
      while (result < results.size() && !results[result].is_same(tensor)) ++result;
      autograd::SavedTensor& entry = saved_.emplace_back();
      if (result == results.size()) {
        entry.save(tensor);
      } else {
        entry.save_result(tensor, static_cast<std::uint16_t>(result));  // owned by the result, which owns this node
      }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (has_gradient[i]) set_history(results[i], autograd::NodePtr::share(this), static_cast<std::uint16_t>(i));
    }
  }

  void apply(autograd::Gradients results, autograd::Gradients inputs) override {
    STRUCTURED_CHECK(backward_ != nullptr, name_,
                     ": the graph has been freed by an earlier backward pass; use retain_graph");
    std::vector<Tensor> saved;
    for (const autograd::SavedTensor& tensor : saved_) saved.push_back(tensor.get(*this));
    const PyGILState_STATE state = ensure_gil();
    const bool is_complete = run({results.begin(), results.end()}, std::move(saved), inputs);
    PyGILState_Release(state);
    if (!is_complete) throw PythonError();
  }

  void release_saved() override {
    for (autograd::SavedTensor& tensor : saved_) tensor.release();
    backward_.reset();
  }

 private:
  // Returns false with a Python exception set.
  bool run(std::vector<Tensor> gradients, std::vector<Tensor> saved, autograd::Gradients inputs) const noexcept {
    return guarded([&] {
             const Object arguments[] = {Object::checked(to_python(std::move(gradients))),
                                         Object::checked(to_python(std::move(saved)))};
             const Object result = Object::checked(
                 PyObject_CallFunctionObjArgs(backward_->function(), arguments[0].get(), arguments[1].get(), nullptr));
             const std::vector<Tensor> computed = tensors_from(result.get(), "a gradient");
             if (computed.size() != inputs.size()) {
               raise(PyExc_RuntimeError,
                     "%s: backward returned an incorrect number of gradients (expected %zu, got %zu)", name_.c_str(),
                     inputs.size(), computed.size());
             }
             for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = computed[i];
             return 1;
           }) == 1;
  }

  std::string name_;
  std::unique_ptr<Callback> backward_;
  std::vector<autograd::SavedTensor> saved_;
};

// _record(name, backward, inputs, results, has_gradient, saved): results are new tensors.
PyObject* record_function(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  PyObject* backward = nullptr;
  PyObject* inputs = nullptr;
  PyObject* results = nullptr;
  PyObject* flags = nullptr;
  PyObject* saved = nullptr;
  if (PyArg_ParseTuple(arguments, "sOOOOO", &name, &backward, &inputs, &results, &flags, &saved) == 0) return nullptr;
  return guarded([&] {
    const std::vector<Tensor> input_list = tensors_from(inputs, "an input");
    const std::vector<Tensor> result_list = tensors_from(results, "a result of forward");
    std::vector<bool> has_gradient;
    for (PyObject* const flag : elements_of(flags)) has_gradient.push_back(flag == Py_True);
    if (has_gradient.size() != result_list.size()) raise(PyExc_ValueError, "expected one flag for each result");
    auto* const node = new PythonNode(name, backward, input_list);
    const autograd::NodePtr owner = autograd::NodePtr::adopt(node);
    node->record(result_list, has_gradient, tensors_from(saved, "a saved value"));
    return Py_NewRef(Py_None);
  });
}

// Hooks and scopes that Python's context managers have begun on this thread.
thread_local std::vector<std::unique_ptr<SavedTensorHooks>> saved_tensor_hooks;
thread_local std::vector<std::unique_ptr<ForwardModeGuard>> forward_scopes;

// The tensor that `unpack` makes of the object that `pack` returned.
Tensor unpacked(const Callback& unpack, const Callback& packed) {
  const PyGILState_STATE state = ensure_gil();
  Tensor tensor;
  {
    const Object result(PyObject_CallOneArg(unpack.function(), packed.function()));
    if (result && is_tensor(result.get())) {
      tensor = tensor_of(result.get());
    } else if (result) {
      PyErr_Format(PyExc_TypeError,
                   "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %s",
                   Py_TYPE(result.get())->tp_name);
    }
  }
  PyGILState_Release(state);
  if (!tensor.defined()) throw PythonError();
  return tensor;
}

PyObject* push_saved_hooks(PyObject*, PyObject* arguments) {
  PyObject* pack = nullptr;
  PyObject* unpack = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &pack, &unpack) == 0) return nullptr;
  return guarded([&] {
    auto pack_callback = std::make_shared<Callback>(pack);
    auto unpack_callback = std::make_shared<Callback>(unpack);
    const auto hook = [pack_callback, unpack_callback](const Tensor& tensor) -> UnpackTensor {
      const PyGILState_STATE state = ensure_gil();
      std::shared_ptr<Callback> packed;
      {
        const Object argument(to_python(tensor));
        const Object result(PyObject_CallOneArg(pack_callback->function(), argument.get()));
        if (result) packed = std::make_shared<Callback>(result.get());
      }
      PyGILState_Release(state);
      if (packed == nullptr) throw PythonError();
      return [unpack_callback, packed] { return unpacked(*unpack_callback, *packed); };
    };
    saved_tensor_hooks.push_back(std::make_unique<SavedTensorHooks>(hook));
    return Py_NewRef(Py_None);
  });
}

PyObject* pop_saved_hooks(PyObject*, PyObject*) {
  if (!saved_tensor_hooks.empty()) saved_tensor_hooks.pop_back();
  Py_RETURN_NONE;
}

// The functions of Python that are running, as tracebacks print them.
std::string describe_python_stack() {
  const PyGILState_STATE state = ensure_gil();
  std::string text;
  {
    const Object traceback(PyImport_ImportModule("traceback"));
    const Object lines(traceback ? PyObject_CallMethod(traceback.get(), "format_stack", nullptr) : nullptr);
    const Object empty(PyUnicode_FromString(""));
    const Object joined(lines ? PyUnicode_Join(empty.get(), lines.get()) : nullptr);
    const char* const utf8 = joined ? PyUnicode_AsUTF8(joined.get()) : nullptr;
    if (utf8 != nullptr) text = utf8;
    PyErr_Clear();
  }
  PyGILState_Release(state);
  return text;
}

PyObject* set_anomaly(PyObject*, PyObject* mode) {
  const long wanted = PyLong_AsLong(mode);
  if (wanted == -1 && PyErr_Occurred() != nullptr) return nullptr;
  set_call_stack_description(&describe_python_stack);
  return PyLong_FromLong(static_cast<long>(set_anomaly_mode(static_cast<AnomalyMode>(wanted))));
}

PyObject* enter_dual_level(PyObject*, PyObject*) {
  return guarded([&] {
    forward_scopes.push_back(std::make_unique<ForwardModeGuard>());
    return Py_NewRef(Py_None);
  });
}

PyObject* exit_dual_level(PyObject*, PyObject*) {
  if (!forward_scopes.empty()) forward_scopes.pop_back();
  Py_RETURN_NONE;
}

PyObject* make_dual_tensor(PyObject*, PyObject* arguments) {
  PyObject* primal = nullptr;
  PyObject* tangent = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O!", &tensor_type, &primal, &tensor_type, &tangent) == 0) return nullptr;
  return guarded([&] { return to_python(make_dual(tensor_of(primal), tensor_of(tangent))); });
}

PyObject* tangent_of_tensor(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", Py_TYPE(tensor)->tp_name);
    const Tensor tangent = tangent_of(tensor_of(tensor));
    return tangent.defined() ? to_python(tangent) : Py_NewRef(Py_None);
  });
}

PyObject* retain_grad(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", Py_TYPE(tensor)->tp_name);
    tensor_of(tensor).retain_grad();
    return Py_NewRef(Py_None);
  });
}
PyObject* name_of_node(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", Py_TYPE(tensor)->tp_name);
    return to_python(grad_fn_name(tensor_of(tensor)));
  });
}
PyObject* node_count(PyObject*, PyObject*) { return PyLong_FromLongLong(autograd::Node::count()); }

PyMethodDef functions[] = {
    {"_backward", run_backward, METH_VARARGS, nullptr},
    {"_grad", run_grad, METH_VARARGS, nullptr},
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_grad_enabled", grad_enabled, METH_NOARGS, "Whether operators on this thread record gradients."},
    {"_register_hook", register_tensor_hook, METH_VARARGS, nullptr},
    {"_register_leaf_hook", register_leaf_hook, METH_VARARGS, nullptr},
    {"_record", record_function, METH_VARARGS, nullptr},
    {"_retain_grad", retain_grad, METH_O, nullptr},
    {"_grad_fn_name", name_of_node, METH_O, nullptr},
    {"_node_count", node_count, METH_NOARGS, nullptr},
    {"_push_saved_hooks", push_saved_hooks, METH_VARARGS, nullptr},
    {"_pop_saved_hooks", pop_saved_hooks, METH_NOARGS, nullptr},
    {"_set_anomaly_mode", set_anomaly, METH_O, nullptr},
    {"_enter_dual_level", enter_dual_level, METH_NOARGS, nullptr},
    {"_exit_dual_level", exit_dual_level, METH_NOARGS, nullptr},
    {"_make_dual", make_dual_tensor, METH_VARARGS, nullptr},
    {"_tangent_of", tangent_of_tensor, METH_O, nullptr},
    {}};

}  // namespace

std::string grad_fn_name(const Tensor& tensor) {
  if (!tensor.requires_grad() || tensor.is_leaf()) return {};
  const autograd::NodePtr node = grad_fn(tensor);
  return node ? std::string(node->name()) : std::string();
}

bool add_autograd(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace structured::python
