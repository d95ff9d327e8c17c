"""Gradients of tensors with respect to others."""
from __future__ import annotations

import threading
from typing import NamedTuple

from structured import _core, _operators
from structured._core import Tensor
from structured._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def _tuple_of(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def backward(
    tensors: Tensor | Sequence[Tensor], grad_tensors: Any = None, retain_graph: bool | None = None,
    create_graph: bool = False, inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Adds the gradients of all tensors to `grad` of the leaves that they were computed from, or to `grad` of `inputs`
    only."""
    tensors = _tuple_of(tensors)
    gradients = [None] * len(tensors) if grad_tensors is None else _tuple_of(grad_tensors)
    keeps = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        _core._backward(tensors, tuple(gradients), keeps, create_graph)
        return
    inputs = _tuple_of(inputs)
    if not inputs:
        raise RuntimeError("backward: `inputs` must not be empty")
    computed = _core._grad(tensors, inputs, tuple(gradients), keeps, create_graph, True)
    with set_grad_enabled(create_graph):
        for tensor, gradient in zip(inputs, computed):
            if gradient is not None:
                tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient


def grad(
    outputs: Tensor | Sequence[Tensor], inputs: Tensor | Sequence[Tensor], grad_outputs: Any = None,
    retain_graph: bool | None = None, create_graph: bool = False, allow_unused: bool = False,
) -> tuple[Any, ...]:
    """Gradients of the sum of `outputs`, weighted by `grad_outputs`, with respect to `inputs`: a tuple with one for each
    input. Inputs that do not affect the outputs are an error, or get None with `allow_unused`."""
    outputs = _tuple_of(outputs)
    if not _tuple_of(inputs):
        raise ValueError("grad: `inputs` must not be empty")
    gradients = [None] * len(outputs) if grad_outputs is None else _tuple_of(grad_outputs)
    keeps = create_graph if retain_graph is None else retain_graph
    return _core._grad(outputs, _tuple_of(inputs), tuple(gradients), keeps, create_graph, allow_unused)


class FunctionContext:
    """Carries values from the forward method of a Function to its backward method. Other attributes may be set freely."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._to_save: tuple[Tensor, ...] = ()
        self._saved: Any = None
        self._without_gradient: tuple[Tensor, ...] = ()
        self._materializes = True

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keeps inputs and results of forward."""
        self._to_save = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """The tensors that were saved, in backward."""
        return self._to_save if self._saved is None else tuple(self._saved)

    def mark_non_differentiable(self, *results: Tensor) -> None:
        """Results that require no gradients although inputs do."""
        self._without_gradient = results

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def set_materialize_grads(self, value: bool) -> None:
        """Whether gradients that did not arrive are zeros in backward (the default), or None."""
        self._materializes = value


def _contains(tensors: Sequence[Tensor], tensor: Tensor) -> bool:
    return any(each is tensor for each in tensors)


class Function:
    """Base of a function with a derivative of its own. `forward(context, *arguments)` and `backward(context, *gradients)`
    are static methods; backward returns one gradient, or None, for each argument of forward."""

    if TYPE_CHECKING:
        forward: Any
        backward: Any
    else:
        @staticmethod
        def forward(context, *arguments):
            raise NotImplementedError("a subclass of Function must define the static method forward")

        @staticmethod
        def backward(context, *gradients):
            raise NotImplementedError("the subclass of Function does not define the static method backward")

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        places = [i for i, argument in enumerate(arguments) if isinstance(argument, _core.Tensor)]
        inputs = [arguments[i] for i in places]
        context = FunctionContext(tuple(isinstance(a, _core.Tensor) and a.requires_grad for a in arguments))
        with no_grad():
            returned = cls.forward(context, *arguments)
        if not _core.is_grad_enabled() or not any(context.needs_input_grad):
            return returned
        everything = _tuple_of(returned)
        given = tuple(value for value in everything if isinstance(value, Tensor))
        # An input that is returned gets a tensor of its own.
        results = tuple(result.detach() if _contains(inputs, result) else result for result in given)
        flags = [not _contains(context._without_gradient, result) for result in given]
        likes = [(result.shape, result.dtype, result.device) for result in results]
        is_tensor = [isinstance(value, Tensor) for value in everything]
        saved = context._to_save
        context._to_save = ()

        def backward(gradients: Any, tensors: Any) -> tuple[Any, ...]:
            if context._materializes:
                gradients = [
                    _operators.zeros(like[0], dtype=like[1], device=like[2]) if gradient is None else gradient
                    for gradient, like in zip(gradients, likes)]
            context._saved = tensors
            try:
                by_result = iter(gradients)
                computed = _tuple_of(cls.backward(
                    context, *(next(by_result) if has_gradient else None for has_gradient in is_tensor)))
            finally:
                context._saved = ()
            # As PyTorch's, functions may return None for arguments that they do not have.
            if len(computed) > len(arguments) and not any(value is not None for value in computed[len(arguments):]):
                computed = computed[:len(arguments)]
            if len(computed) != len(arguments):
                raise RuntimeError(f"{cls.__name__}: backward returned an incorrect number of gradients "
                                   f"(expected {len(arguments)}, got {len(computed)})")
            return tuple(computed[i] for i in places)

        _core._record(cls.__name__ + "Backward", backward, inputs, list(results), flags, list(saved))
        tensors = iter(results)
        returned_values = tuple(next(tensors) if isinstance(value, Tensor) else value for value in everything)
        return returned_values if isinstance(returned, (tuple, list)) else returned_values[0]


class saved_tensors_hooks:
    """In a `with` block, passes tensors that recorded calls save to `pack_hook`, and keeps what that returns. In a backward
    pass, `unpack_hook` makes the tensor of it. The hooks of the innermost block apply."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _core._push_saved_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exception: object) -> None:
        _core._pop_saved_hooks()


class _SavedByCheckpoint:
    """One of the tensors that a call saves, until its derivative no longer needs it."""

    def __init__(self, call: _Checkpoint) -> None:
        self.call = call
        self.index = call.count
        call.count += 1

    def __del__(self) -> None:
        if self.call.tensors is not None:
            self.call.tensors[self.index] = None


class _Checkpoint:
    """A call of a function, in place of the tensors that its operators save."""

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.versions = [value._version if isinstance(value, Tensor) else 0 for value in arguments]
        self.state = _core._default_generator().get_state()
        self.count = 0
        self.tensors: list[Tensor | None] | None = None
        self.lock = threading.Lock()

    def unpack(self, saved: _SavedByCheckpoint) -> Any:
        with self.lock:
            if self.tensors is None:
                self.compute()
            assert self.tensors is not None
            return self.tensors[saved.index]

    def compute(self) -> None:
        arguments = []
        for value, version in zip(self.arguments, self.versions):
            if isinstance(value, Tensor):
                if value._version != version:
                    raise RuntimeError("checkpoint: an argument has been modified by an inplace operation")
                value = value.detach().requires_grad_(value.requires_grad)
            arguments.append(value)
        tensors: list[Tensor | None] = []
        generator = _core._default_generator()
        state = generator.get_state()
        generator.set_state(self.state)
        try:
            with enable_grad(), saved_tensors_hooks(tensors.append, lambda packed: packed):
                self.function(*arguments)
        finally:
            generator.set_state(state)
        if len(tensors) != self.count:
            raise RuntimeError(f"checkpoint: the function saved {self.count} tensors at first and {len(tensors)} in the "
                               "backward pass")
        self.tensors = tensors


def checkpoint(function: Any, *arguments: Any) -> Any:
    """The result of `function(*arguments)`, which backward computes again: the graph of the function keeps no tensors but
    the arguments. The second call draws equal random numbers."""
    if not _core.is_grad_enabled():
        return function(*arguments)
    call = _Checkpoint(function, arguments)
    with saved_tensors_hooks(lambda tensor: _SavedByCheckpoint(call), call.unpack):
        return function(*arguments)


class detect_anomaly:
    """In a `with` block, recorded calls remember the running Python functions, and a backward pass whose derivative raises
    an exception first warns with those of the recorded call. With `check_nan`, a derivative that returns NaN is an
    error."""

    def __init__(self, check_nan: bool = True) -> None:
        self.mode = 2 if check_nan else 1
        self.previous: list[int] = []

    def __enter__(self) -> None:
        self.previous.append(_core._set_anomaly_mode(self.mode))

    def __exit__(self, *exception: object) -> None:
        _core._set_anomaly_mode(self.previous.pop())


class dual_level:
    """In a `with` block, recorded calls compute the tangents of their results from those of their arguments."""

    def __enter__(self) -> None:
        _core._enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        _core._exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor) -> Tensor:
    """A tensor with the data of `tensor`, whose derivative along a direction is `tangent`."""
    return _core._make_dual(tensor, tangent)


class UnpackedDual(NamedTuple):
    """A tensor without history, and its tangent; None if there is none."""

    primal: Tensor
    tangent: Tensor | None


def unpack_dual(tensor: Tensor) -> UnpackedDual:
    """The data of `tensor` and its tangent in the innermost `dual_level`."""
    return UnpackedDual(tensor.detach(), _core._tangent_of(tensor))


def jvp(function: Any, inputs: Tensor | Sequence[Tensor], tangents: Tensor | Sequence[Tensor]) -> tuple[Any, Any]:
    """The results of `function(*inputs)`, and their derivatives along the direction `tangents`; tuples if the function
    returns one."""
    with enable_grad(), dual_level():
        duals = [make_dual(value, tangent) for value, tangent in zip(_tuple_of(inputs), _tuple_of(tangents), strict=True)]
        results = function(*duals)
        pairs = [unpack_dual(result) for result in _tuple_of(results)]
    values = tuple(primal for primal, _ in pairs)
    slopes = tuple(_operators.zeros_like(primal) if tangent is None else tangent for primal, tangent in pairs)
    return (values, slopes) if isinstance(results, (tuple, list)) else (values[0], slopes[0])


__all__ = ["Function", "FunctionContext", "UnpackedDual", "backward", "checkpoint", "detect_anomaly", "dual_level",
           "enable_grad", "grad", "inference_mode", "jvp", "make_dual", "no_grad", "saved_tensors_hooks",
           "set_grad_enabled", "unpack_dual"]
