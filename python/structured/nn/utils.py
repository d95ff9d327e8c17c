"""Functions of the parameters of a model."""
from __future__ import annotations

import math
from collections.abc import Iterable

from structured import _operators
from structured._core import Tensor
from structured._grad_mode import no_grad


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    tensors = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [tensor.grad for tensor in tensors if tensor.grad is not None]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
) -> Tensor:
    """Scales the gradients so that the norm of all of them together is at most `max_norm`. Returns the norm before."""
    gradients = _gradients(parameters)
    if not gradients:
        return _operators.zeros(())
    with no_grad():
        norms = [_operators.linalg_vector_norm(gradient, norm_type) for gradient in gradients]
        total = _operators.linalg_vector_norm(_operators.stack(norms), norm_type)
        if error_if_nonfinite and not math.isfinite(total.item()):
            raise RuntimeError("clip_grad_norm_: the norm of the gradients is not finite")
        factor = (max_norm / (total + 1e-6)).clamp_max(1.0)
        for gradient in gradients:
            gradient.mul_(factor)
    return total


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Limits all elements of the gradients to the range from `-clip_value` to `clip_value`."""
    with no_grad():
        for gradient in _gradients(parameters):
            gradient.clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters in one vector."""
    return _operators.cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vector: Tensor, parameters: Iterable[Tensor]) -> None:
    """Copies the elements of a vector to the parameters."""
    tensors = list(parameters)
    count = sum(tensor.numel() for tensor in tensors)
    if vector.numel() != count:
        raise ValueError(f"vector_to_parameters: expected {count} elements, got {vector.numel()}")
    with no_grad():
        for tensor, part in zip(tensors, vector.split([tensor.numel() for tensor in tensors])):
            tensor.copy_(part.reshape(tensor.shape))
