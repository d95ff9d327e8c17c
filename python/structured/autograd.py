"""Gradients of tensors with respect to others."""
from structured import _core
from structured._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled


def _tuple_of(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    """Adds the gradients of all tensors to `grad` of the leaves that they were computed from."""
    tensors = _tuple_of(tensors)
    gradients = [None] * len(tensors) if grad_tensors is None else _tuple_of(grad_tensors)
    keeps = create_graph if retain_graph is None else retain_graph
    _core._backward(tensors, tuple(gradients), keeps, create_graph)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False):
    """Gradients of the sum of `outputs`, weighted by `grad_outputs`, with respect to `inputs`: a tuple with one for each
    input. Inputs that do not affect the outputs are an error, or get None with `allow_unused`."""
    outputs = _tuple_of(outputs)
    gradients = [None] * len(outputs) if grad_outputs is None else _tuple_of(grad_outputs)
    keeps = create_graph if retain_graph is None else retain_graph
    return _core._grad(outputs, _tuple_of(inputs), tuple(gradients), keeps, create_graph, allow_unused)


__all__ = ["backward", "enable_grad", "grad", "inference_mode", "no_grad", "set_grad_enabled"]
