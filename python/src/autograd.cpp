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
#include "types.h"

namespace structured::python {
namespace {

Tensor optional_tensor(PyObject* object, const char* what) {
  if (object == nullptr || object == Py_None) return Tensor();
  if (!is_tensor(object))
    raise(PyExc_TypeError, "%s must be a Tensor or None, not %s", what, type_name(object).c_str());
  return tensor_of(object);
}

std::vector<Tensor> tensors_from(PyObject* object, const char* what) {
  std::vector<Tensor> result;
  if (object == nullptr || object == Py_None) return result;
  for (PyObject* const element : elements_of(object)) result.push_back(optional_tensor(element, what));
  return result;
}

// Gradients of another real dtype than their tensor's are converted.
std::vector<Tensor> gradients_from(PyObject* object, const char* what, TensorList outputs) {
  std::vector<Tensor> gradients = tensors_from(object, what);
  for (std::size_t i = 0; i < gradients.size() && i < outputs.size(); ++i) {
    Tensor& gradient = gradients[i];
    const bool is_other = gradient.defined() && outputs[i].defined() && gradient.dtype() != outputs[i].dtype();
    if (is_other && gradient.is_complex() == outputs[i].is_complex()) gradient = to(gradient, outputs[i].dtype());
  }
  return gradients;
}

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
    const Object result(PyObject_CallFunctionObjArgs(function_, argument.get(), nullptr));
    if (!result) return std::nullopt;
    if (result.get() == Py_None) return Tensor();
    if (is_tensor(result.get())) return tensor_of(result.get());
    PyErr_Format(PyExc_TypeError, "a hook must return a Tensor or None, not %s", type_name(result.get()).c_str());
    return std::nullopt;
  }

  PyObject* function_;
};

// Functions to call at the end of the innermost backward pass of this thread; null outside of passes.
using FinalCallbacks = std::vector<std::shared_ptr<Callback>>;
thread_local FinalCallbacks* final_callbacks = nullptr;

// Scope of a backward pass.
class BackwardPass {
 public:
  BackwardPass() : previous_(std::exchange(final_callbacks, &callbacks_)) {}
  BackwardPass(const BackwardPass&) = delete;
  BackwardPass& operator=(const BackwardPass&) = delete;
  ~BackwardPass() { final_callbacks = previous_; }

  // Calls the functions, which may add others.
  void finish() {
    for (std::size_t i = 0; i < callbacks_.size(); ++i) {
      const std::shared_ptr<Callback> callback = callbacks_[i];
      Object::checked(PyObject_CallNoArgs(callback->function()));
    }
  }

 private:
  FinalCallbacks callbacks_;
  FinalCallbacks* previous_;
};

PyObject* queue_callback(PyObject*, PyObject* function) {
  return guarded([&] {
    if (final_callbacks == nullptr) {
      raise(PyExc_RuntimeError, "Final callbacks can only be installed during backward pass.");
    }
    final_callbacks->push_back(std::make_shared<Callback>(function));
    return Py_NewRef(Py_None);
  });
}

PyObject* run_pass(TensorList outputs, TensorList gradients, bool retain_graph, bool create_graph) {
  BackwardPass pass;
  {
    const GilRelease release(true);
    structured::backward(outputs, gradients, retain_graph, create_graph);
  }
  pass.finish();
  return Py_NewRef(Py_None);
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
    return run_pass(tensors, gradients_from(gradients, "grad_tensors", tensors), retain_graph != 0, create_graph != 0);
  });
}

// Tensor.backward(gradient=None, retain_graph=None, create_graph=False, inputs=None)
PyObject* tensor_backward(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"gradient", "retain_graph", "create_graph", "inputs", nullptr};
  PyObject* gradient = Py_None;
  PyObject* retain_graph = Py_None;
  PyObject* create_graph = Py_False;
  PyObject* inputs = Py_None;
  const bool has_arguments = tuple_size(arguments) != 0 || keywords != nullptr;
  if (has_arguments && PyArg_ParseTupleAndKeywords(arguments, keywords, "|OOOO:backward", const_cast<char**>(names),
                                                   &gradient, &retain_graph, &create_graph, &inputs) == 0) {
    return nullptr;
  }
  return guarded([&] {
    if (inputs != Py_None) {
      const Object module = Object::checked(PyImport_ImportModule("structured.autograd"));
      return PyObject_CallMethod(module.get(), "backward", "OOOOO", self, gradient, retain_graph, create_graph, inputs);
    }
    const TensorList outputs(&tensor_of(self), 1);
    std::vector<Tensor> gradients;
    if (gradient != Py_None) gradients = gradients_from(gradient, "gradient", outputs);
    const bool creates = bool_from(create_graph);
    return run_pass(outputs, gradients, retain_graph == Py_None ? creates : bool_from(retain_graph), creates);
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
    BackwardPass pass;
    std::vector<Tensor> computed = [&] {
      const GilRelease release(true);
      return structured::grad(
          from, to, grads,
          {.retain_graph = retain_graph != 0, .create_graph = create_graph != 0, .allow_unused = allow_unused != 0});
    }();
    pass.finish();
    return to_python(std::move(computed));
  });
}

PyObject* set_grad_enabled(PyObject*, PyObject* value) {
  const int enabled = PyObject_IsTrue(value);
  if (enabled < 0) return nullptr;
  return PyBool_FromLong(static_cast<long>(std::exchange(structured::detail::grad_is_enabled, enabled != 0)));
}
PyObject* grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(static_cast<long>(is_grad_enabled())); }

// Returns the previous mode.
PyObject* set_inference_mode(PyObject*, PyObject* value) {
  const int enabled = PyObject_IsTrue(value);
  if (enabled < 0) return nullptr;
  const bool previous = is_inference_mode_enabled();
  structured::detail::initial_version = enabled != 0 ? structured::detail::StorageImpl::kUntracked : 0;
  return PyBool_FromLong(static_cast<long>(previous));
}
PyObject* inference_mode_enabled(PyObject*, PyObject*) {
  return PyBool_FromLong(static_cast<long>(is_inference_mode_enabled()));
}

PyObject* register_tensor_hook(PyObject*, PyObject* arguments) {
  PyObject* tensor = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O", tensor_type, &tensor, &function) == 0) return nullptr;
  return guarded([&] {
    auto callback = std::make_shared<Callback>(function);
    register_hook(tensor_of(tensor), [callback](const Tensor& gradient) { return (*callback)(gradient); });
    return Py_NewRef(Py_None);
  });
}

PyObject* register_leaf_hook(PyObject*, PyObject* arguments) {
  PyObject* tensor = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O!O", tensor_type, &tensor, &function) == 0) return nullptr;
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
  // Null after a pass has freed the graph.
  PyObject* backward() const { return backward_ == nullptr ? nullptr : backward_->function(); }

  // Makes this node the one that computed those results that are to have gradients. Results that are inputs have been
  // overwritten: a view among them is the first input and the only result.
  void record(const std::vector<Tensor>& results, const std::vector<bool>& has_gradient,
              const std::vector<bool>& is_overwritten, const std::vector<Tensor>& saved) {
    set_result_count(results.size());
    for (const Tensor& tensor : saved) {
      std::size_t result = 0;
      while (result < results.size() && !results[result].is_same(tensor)) ++result;
      autograd::SavedTensor& entry = saved_.emplace_back();
      if (result == results.size()) {
        entry.save(tensor);
      } else {
        entry.save_result(tensor, static_cast<uint16_t>(result));  // owned by the result, which owns this node
      }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!has_gradient[i]) continue;
      if (is_overwritten[i] && results[i].is_view()) {
        rebase_history(results[i], autograd::NodePtr::share(this));
      } else if (results[i].is_view()) {
        set_view_history(results[i], autograd::NodePtr::share(this), static_cast<uint16_t>(i));
      } else {
        set_history(results[i], autograd::NodePtr::share(this), static_cast<uint16_t>(i));
      }
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

// Until the end of the scope, recorded calls compute no tangents.
class WithoutTangents {
 public:
  explicit WithoutTangents(bool applies) : previous_(structured::detail::tangent_scope) {
    if (applies) structured::detail::tangent_scope = 0;
  }
  WithoutTangents(const WithoutTangents&) = delete;
  WithoutTangents& operator=(const WithoutTangents&) = delete;
  ~WithoutTangents() { structured::detail::tangent_scope = previous_; }

 private:
  uint64_t previous_;
};

std::vector<bool> flags_from(PyObject* list, std::size_t count) {
  std::vector<bool> flags;
  for (PyObject* const flag : elements_of(list)) flags.push_back(flag == Py_True);
  if (flags.size() != count) raise(PyExc_ValueError, "expected one flag for each result");
  return flags;
}

// _record(name, backward, inputs, results, has_gradient, is_overwritten, saved, propagates): results are new tensors,
// or inputs that have been overwritten. `propagates` computes the tangents of the results from `backward`.
PyObject* record_function(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  PyObject* backward = nullptr;
  PyObject* inputs = nullptr;
  PyObject* results = nullptr;
  PyObject* flags = nullptr;
  PyObject* overwritten = nullptr;
  PyObject* saved = nullptr;
  int propagates = 1;
  if (PyArg_ParseTuple(arguments, "sOOOOOOp", &name, &backward, &inputs, &results, &flags, &overwritten, &saved,
                       &propagates) == 0) {
    return nullptr;
  }
  return guarded([&] {
    const std::vector<Tensor> input_list = tensors_from(inputs, "an input");
    const std::vector<Tensor> result_list = tensors_from(results, "a result of forward");
    const std::vector<bool> has_gradient = flags_from(flags, result_list.size());
    const std::vector<bool> is_overwritten = flags_from(overwritten, result_list.size());
    // Before the node connects inputs, which gives views of overwritten tensors new nodes.
    for (std::size_t i = 0; i < result_list.size(); ++i) {
      if (is_overwritten[i]) autograd::check_inplace(result_list[i]);
    }
    auto* const node = new PythonNode(name, backward, input_list);
    const autograd::NodePtr owner = autograd::NodePtr::adopt(node);
    const WithoutTangents without(propagates == 0);
    node->record(result_list, has_gradient, is_overwritten, tensors_from(saved, "a saved value"));
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
    const Object result(PyObject_CallFunctionObjArgs(unpack.function(), packed.function(), nullptr));
    if (result && is_tensor(result.get())) {
      tensor = tensor_of(result.get());
    } else if (result) {
      PyErr_Format(PyExc_TypeError,
                   "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %s",
                   type_name(result.get()).c_str());
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
        const Object result(PyObject_CallFunctionObjArgs(pack_callback->function(), argument.get(), nullptr));
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
    const char* const utf8 = joined ? PyUnicode_AsUTF8AndSize(joined.get(), nullptr) : nullptr;
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
  if (PyArg_ParseTuple(arguments, "O!O!", tensor_type, &primal, tensor_type, &tangent) == 0) return nullptr;
  return guarded([&] { return to_python(make_dual(tensor_of(primal), tensor_of(tangent))); });
}

PyObject* tangent_of_tensor(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", type_name(tensor).c_str());
    const Tensor tangent = tangent_of(tensor_of(tensor));
    return tangent.defined() ? to_python(tangent) : Py_NewRef(Py_None);
  });
}

PyObject* retain_grad(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", type_name(tensor).c_str());
    tensor_of(tensor).retain_grad();
    return Py_NewRef(Py_None);
  });
}

// A node is a capsule in Python, which owns a reference.
constexpr char node_capsule[] = "structured.Node";

void drop_node(PyObject* capsule) { static_cast<autograd::Node*>(PyCapsule_GetPointer(capsule, node_capsule))->drop(); }

PyObject* capsule_of(autograd::NodePtr node) {
  if (!node) return Py_NewRef(Py_None);
  PyObject* const capsule = PyCapsule_New(node.get(), node_capsule, &drop_node);
  if (capsule != nullptr) node.release();
  return capsule;
}

autograd::Node& node_of(PyObject* capsule) {
  void* const node = PyCapsule_GetPointer(capsule, node_capsule);
  if (node == nullptr) throw PythonError();
  return *static_cast<autograd::Node*>(node);
}

PyObject* node_of_tensor(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "expected a Tensor, got %s", type_name(tensor).c_str());
    return capsule_of(grad_fn(tensor_of(tensor)));
  });
}
PyObject* name_of_node(PyObject*, PyObject* node) {
  return guarded([&] { return to_python(std::string_view(node_of(node).name())); });
}
PyObject* address_of_node(PyObject*, PyObject* node) {
  return guarded([&] { return PyLong_FromVoidPtr(&node_of(node)); });
}
// The function that a structured.autograd.Function has as its derivative; None for nodes of operators.
PyObject* function_of_node(PyObject*, PyObject* node) {
  return guarded([&] {
    const auto* const function = dynamic_cast<const PythonNode*>(&node_of(node));
    return Py_NewRef(function == nullptr || function->backward() == nullptr ? Py_None : function->backward());
  });
}
// Pairs of a node and the number of one of its results, for each input.
PyObject* next_of_node(PyObject*, PyObject* node) {
  return guarded([&] {
    const autograd::Node& from = node_of(node);
    const auto count = static_cast<Py_ssize_t>(from.next_nodes().size());
    Object next = Object::checked(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      autograd::Edge edge = from.next_edge(static_cast<std::size_t>(i));
      const int output = edge.node ? edge.output : 0;
      Object other = Object::checked(capsule_of(std::move(edge.node)));
      set_tuple_item(next.get(), i, Object::checked(Py_BuildValue("(Oi)", other.get(), output)).release());
    }
    return next.release();
  });
}

PyObject* gradient_tuple(autograd::Gradients gradients) {
  Object tuple = Object::checked(PyTuple_New(static_cast<Py_ssize_t>(gradients.size())));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    PyObject* const each = gradients[i].defined() ? to_python(gradients[i]) : Py_NewRef(Py_None);
    set_tuple_item(tuple.get(), static_cast<Py_ssize_t>(i), Object::checked(each).release());
  }
  return tuple.release();
}

// Replaces gradients by those that a hook returned, unless it returned None.
void replace_gradients(autograd::Gradients gradients, PyObject* returned) {
  if (returned == Py_None) return;
  const std::vector<Tensor> replaced = PyTuple_Check(returned) != 0 || PyList_Check(returned) != 0
                                           ? tensors_from(returned, "a gradient that a hook returns")
                                           : std::vector<Tensor>{optional_tensor(returned, "a hook's result")};
  if (replaced.size() != gradients.size()) {
    raise(PyExc_RuntimeError, "hook has returned an incorrect number of values (got %zu, but expected %zu)",
          replaced.size(), gradients.size());
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = replaced[i];
}

// Calls a node's hook with tuples of gradients. The hook may replace those of the first tuple.
template <class... More>
void call_node_hook(const Callback& hook, autograd::Gradients gradients, More... more) {
  const PyGILState_STATE state = ensure_gil();
  const bool is_complete = guarded([&] {
                             const Object arguments[] = {Object::checked(gradient_tuple(gradients)),
                                                         Object::checked(gradient_tuple(more))...};
                             PyObject* const second = sizeof...(More) == 0 ? nullptr : arguments[sizeof...(More)].get();
                             const Object returned = Object::checked(
                                 PyObject_CallFunctionObjArgs(hook.function(), arguments[0].get(), second, nullptr));
                             replace_gradients(gradients, returned.get());
                             return 1;
                           }) == 1;
  PyGILState_Release(state);
  if (!is_complete) throw PythonError();
}

PyObject* add_node_hook(PyObject*, PyObject* arguments) {
  PyObject* node = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &node, &function) == 0) return nullptr;
  return guarded([&] {
    auto callback = std::make_shared<Callback>(function);
    node_of(node).add_hook([callback](autograd::Gradients inputs, autograd::Gradients results) {
      call_node_hook(*callback, inputs, results);
    });
    return Py_NewRef(Py_None);
  });
}
PyObject* add_node_prehook(PyObject*, PyObject* arguments) {
  PyObject* node = nullptr;
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &node, &function) == 0) return nullptr;
  return guarded([&] {
    auto callback = std::make_shared<Callback>(function);
    node_of(node).add_prehook([callback](autograd::Gradients results) { call_node_hook(*callback, results); });
    return Py_NewRef(Py_None);
  });
}
PyObject* node_count(PyObject*, PyObject*) { return PyLong_FromLongLong(autograd::Node::count()); }

PyMethodDef backward_method{
    "backward", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tensor_backward)),
    METH_VARARGS | METH_KEYWORDS,
    "backward($self, gradient=None, retain_graph=None, create_graph=False, inputs=None)\n--\n\n"
    "Adds the gradients of this tensor to `grad` of the leaves that it was computed from, or to `grad` of `inputs`."};
PyMethodDef functions[] = {
    {"_backward", run_backward, METH_VARARGS, nullptr},
    {"_grad", run_grad, METH_VARARGS, nullptr},
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_grad_enabled", grad_enabled, METH_NOARGS, "Whether operators on this thread record gradients."},
    {"_queue_callback", queue_callback, METH_O, nullptr},
    {"_register_hook", register_tensor_hook, METH_VARARGS, nullptr},
    {"_register_leaf_hook", register_leaf_hook, METH_VARARGS, nullptr},
    {"_record", record_function, METH_VARARGS, nullptr},
    {"_retain_grad", retain_grad, METH_O, nullptr},
    {"_set_inference_mode", set_inference_mode, METH_O, nullptr},
    {"is_inference_mode_enabled", inference_mode_enabled, METH_NOARGS,
     "Whether new tensors of this thread are inference tensors."},
    {"_grad_fn", node_of_tensor, METH_O, nullptr},
    {"_node_name", name_of_node, METH_O, nullptr},
    {"_node_address", address_of_node, METH_O, nullptr},
    {"_node_function", function_of_node, METH_O, nullptr},
    {"_node_next", next_of_node, METH_O, nullptr},
    {"_add_node_hook", add_node_hook, METH_VARARGS, nullptr},
    {"_add_node_prehook", add_node_prehook, METH_VARARGS, nullptr},
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

void add_autograd(PyObject* module) {
  add_tensor_method(backward_method);
  add_functions(module, functions);
}

}  // namespace structured::python
