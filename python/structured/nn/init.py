"""Initial values of parameters. All functions write to the tensor and return it."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from structured._core import Tensor
from structured._grad_mode import no_grad

Function = TypeVar("Function", bound=Callable[..., Any])


def _unrecorded(function: Function) -> Function:
    return no_grad(function)  # type: ignore[return-value]


@_unrecorded
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    """Uniform numbers from `a` to `b`."""
    return tensor.uniform_(a, b)


@_unrecorded
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Normal numbers."""
    return tensor.normal_(mean, std)


@_unrecorded
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number."""
    return tensor.fill_(val)


@_unrecorded
def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return tensor.zero_()


@_unrecorded
def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return tensor.fill_(1)


@_unrecorded
def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix."""
    tensor.zero_()
    tensor.diagonal().fill_(1)
    return tensor


def fans(tensor: Tensor) -> tuple[int, int]:
    """The number of inputs that affect one output, and of outputs that one input affects."""
    if tensor.dim() < 2:
        raise ValueError(f"expected a tensor with at least 2 dimensions, got {tensor.dim()}")
    window = tensor[0, 0].numel()
    return tensor.size(1) * window, tensor.size(0) * window


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance of values through an activation."""
    gains = {"linear": 1.0, "conv1d": 1.0, "conv2d": 1.0, "conv3d": 1.0, "sigmoid": 1.0, "tanh": 5 / 3,
             "relu": math.sqrt(2), "selu": 3 / 4}
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2 / (1 + slope * slope))
    if nonlinearity not in gains:
        raise ValueError(f"calculate_gain: expected leaky_relu or one of {', '.join(gains)}, got `{nonlinearity}`")
    return gains[nonlinearity]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    """Uniform numbers of the variance `2 * gain**2 / (inputs + outputs)` (Glorot and Bengio)."""
    bound = gain * math.sqrt(6 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    """Normal numbers of the variance `2 * gain**2 / (inputs + outputs)` (Glorot and Bengio)."""
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(fans(tensor))))


def _kaiming_deviation(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"expected `fan_in` or `fan_out` as mode, got `{mode}`")
    return calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])


def kaiming_uniform_(
    tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Uniform numbers of the variance `gain**2 / inputs` (He et al.)."""
    bound = math.sqrt(3) * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(
    tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Normal numbers of the variance `gain**2 / inputs` (He et al.)."""
    return normal_(tensor, 0.0, _kaiming_deviation(tensor, a, mode, nonlinearity))
