// Gradients: methods and functions that record, run and query backward passes.
#include "structured/autograd/gradient.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "structured/autograd/grad_mode.h"
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

// backward(outputs, gradients, retain_graph, create_graph)
PyObject* run_backward(PyObject*, PyObject* arguments) {
  PyObject* outputs = nullptr;
  PyObject* gradients = nullptr;
  int retain_graph = 0;
  int create_graph = 0;
  if (PyArg_ParseTuple(arguments, "OOpp", &outputs, &gradients, &retain_graph, &create_graph) == 0) return nullptr;
  return guarded([&] {
    const std::vector<Tensor> tensors = tensors_from(outputs, "tensors");
    const std::vector<Tensor> grads = tensors_from(gradients, "grad_tensors");
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
    const std::vector<Tensor> grads = tensors_from(gradients, "grad_outputs");
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
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(function_);
    PyGILState_Release(state);
  }

  // Undefined if the function returns None. Throws Error with the text of an exception, whose traceback is kept as the
  // exception of the thread that runs the pass.
  Tensor operator()(const Tensor& gradient) const {
    const PyGILState_STATE state = PyGILState_Ensure();
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
    {"_retain_grad", retain_grad, METH_O, nullptr},
    {"_grad_fn_name", name_of_node, METH_O, nullptr},
    {"_node_count", node_count, METH_NOARGS, nullptr},
    {}};

}  // namespace

std::string grad_fn_name(const Tensor& tensor) {
  if (!tensor.requires_grad() || tensor.is_leaf()) return {};
  const autograd::NodePtr node = grad_fn(tensor);
  return node ? std::string(node->name()) : std::string();
}

bool add_autograd(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace structured::python
