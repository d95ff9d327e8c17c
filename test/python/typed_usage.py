"""Typed code that mypy checks in strict mode; test_typing.py runs it, too. A comment `type: ignore` marks an expected error:
mypy reports those that it does not need."""
from __future__ import annotations

from typing import Any

import structured as st
from structured import nn, optim, profiler
from structured import array_api as xp


class Scaled(nn.Module):
    """A layer with a parameter and a buffer."""

    offset: st.Tensor

    def __init__(self, size: int) -> None:
        self.scale = nn.Parameter(st.ones(size))
        self.register_buffer("offset", st.zeros(size))

    def forward(self, x: st.Tensor) -> st.Tensor:
        return x * self.scale + self.offset


class Cube(st.autograd.Function):
    """A function with a derivative of its own."""

    @staticmethod
    def forward(context: st.autograd.FunctionContext, x: st.Tensor) -> st.Tensor:
        context.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(context: st.autograd.FunctionContext, gradient: st.Tensor) -> st.Tensor:
        x, = context.saved_tensors
        return gradient * 3 * x * x


class Tagged(st.Tensor):
    """A subclass that takes part in calls."""

    @classmethod
    def __structured_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return super().__structured_function__(function, types, args, kwargs)


def tensors() -> None:
    a: st.Tensor = st.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=st.float64)
    b: st.Tensor = st.zeros(2, 2, dtype=float) + a[0] @ a - 2 * a ** 2
    c: st.Tensor = st.add(a, b, alpha=2, out=st.empty(0, dtype=st.float64))
    values, indices = c.max(dim=1)
    total: st.Tensor = values.sum() + indices
    shape: tuple[int, ...] = a.view(-1, 1).shape
    rank: int = a.dim()
    numbers: list[int] = [size for size in shape]
    a += 1
    a[0, :] = 3
    mask: st.Tensor = (a > 2) & (a != 3)
    a.numpy().mean()
    with st.no_grad(), st.printoptions(precision=2):
        print(a.reshape(4).permute(0), total, rank, numbers, mask.any())


def training() -> float:
    model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), Scaled(4), nn.Linear(4, 1)).train()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = st.rand(8, 2, requires_grad=True)
    with profiler.profile() as profile, profiler.record_function("step"):
        loss = nn.functional.mse_loss(model(x), st.zeros(8, 1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    gradient, = st.autograd.grad(Cube.apply(x).sum(), x)
    assert gradient.shape == x.shape and profile.events()
    return float(loss)


def namespace() -> st.Tensor:
    x = xp.asarray([1.0, 2.0])
    return xp.mean(xp.stack([x, x]), axis=0) + Tagged(x)


def errors() -> None:
    st.add("text", 1)  # type: ignore[call-overload]
    st.zeros(2, dtype="float32")  # type: ignore[call-overload]
    st.relu()  # type: ignore[call-overload]
    st.ones(2).shape = (3,)  # type: ignore[assignment, misc]
    nn.Linear("two", 3)  # type: ignore[arg-type]
    optim.Adam(st.ones(2), lr="fast")  # type: ignore[arg-type]
    st.no_such_function(1)  # type: ignore[attr-defined]


def main() -> None:
    tensors()
    training()
    namespace()
