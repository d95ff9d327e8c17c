"""Gradients of tensors with respect to others."""
from __future__ import annotations

import functools
import threading
import warnings
from typing import NamedTuple

from structured import _core, _operators
from structured._core import Tensor
from structured._gradcheck import GradcheckError, gradcheck, gradgradcheck
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
    is_grads_batched: bool = False,
) -> tuple[Any, ...]:
    """Gradients of the sum of `outputs`, weighted by `grad_outputs`, with respect to `inputs`: a tuple with one for each
    input. Inputs that do not affect the outputs are an error, or get None with `allow_unused`. With `is_grads_batched`,
    the first dimension of `grad_outputs` counts passes, whose gradients are stacked."""
    outputs = _tuple_of(outputs)
    if not _tuple_of(inputs):
        raise ValueError("grad: `inputs` must not be empty")
    gradients = [None] * len(outputs) if grad_outputs is None else _tuple_of(grad_outputs)
    keeps = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        return _batched_grad(outputs, _tuple_of(inputs), tuple(gradients), keeps, create_graph, allow_unused)
    return _core._grad(outputs, _tuple_of(inputs), tuple(gradients), keeps, create_graph, allow_unused)


def queue_callback(function: Callable[[], Any]) -> None:
    """Calls `function` when the running backward pass of this thread ends. For hooks and methods of Functions."""
    _core._queue_callback(function)


def _batched_grad(
    outputs: tuple[Any, ...], inputs: tuple[Any, ...], gradients: tuple[Any, ...], keeps: bool, create_graph: bool,
    allow_unused: bool,
) -> tuple[Any, ...]:
    for i, (output, gradient) in enumerate(zip(outputs, gradients)):
        if gradient is not None and (gradient.dim() == 0 or tuple(gradient.shape[1:]) != tuple(output.shape)):
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
                "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
                f"mismatch was detected: grad_output[{i}] has a shape of {tuple(gradient.shape)} and output[{i}] has a "
                f"shape of {tuple(output.shape)}.")
    count = max((len(gradient) for gradient in gradients if gradient is not None), default=0)
    if count == 0:
        raise RuntimeError("grad: `is_grads_batched` needs `grad_outputs` with at least one pass")
    passes = [
        _core._grad(outputs, inputs, tuple(None if each is None else each[i] for each in gradients),
                    keeps or i + 1 < count, create_graph, allow_unused)
        for i in range(count)]
    return tuple(None if each[0] is None else _operators.stack(each) for each in zip(*passes))


class FunctionContext:
    """Carries values from the forward method of a Function to its backward method. Other attributes may be set freely."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._to_save: tuple[Tensor, ...] = ()
        self._saved: Any = None
        self._without_gradient: tuple[Tensor, ...] = ()
        self._dirty: tuple[Tensor, ...] = ()
        self._for_forward: tuple[Tensor, ...] = ()
        self._materializes = True

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keeps inputs and results of forward."""
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor) -> None:
        """Keeps tensors for the method jvp."""
        self._for_forward = tensors

    def mark_dirty(self, *inputs: Tensor) -> None:
        """Inputs that forward has overwritten and returns."""
        self._dirty = inputs

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """The tensors that were saved, in backward and jvp."""
        if self._saved is not None:
            return tuple(self._saved)
        return self._to_save or self._for_forward

    @property
    def saved_variables(self) -> tuple[Tensor, ...]:
        """The former name of saved_tensors."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

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
    are static methods; backward returns one gradient, or None, for each argument of forward. `vjp` is another name of
    backward. `jvp(context, *tangents)` returns the tangents of the results in a `dual_level`; without it, they are computed
    from backward."""

    if TYPE_CHECKING:
        forward: Any
        backward: Any
        vjp: Any
        jvp: Any
    else:
        @staticmethod
        def forward(context, *arguments):
            raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

        @staticmethod
        def backward(context, *gradients):
            raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                      "autograd.Function to use it with backward mode AD.")

        vjp = backward

        @staticmethod
        def jvp(context, *tangents):
            raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with "
                                      "forward mode AD.")

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
        derivative = cls._derivative()
        overwritten = [_contains(context._dirty, result) for result in given]
        cls._check_dirty(context, inputs, given)
        # An input that is returned, and not overwritten, gets a tensor of its own.
        results = tuple(result.detach() if not dirty and _contains(inputs, result) else result
                        for result, dirty in zip(given, overwritten))
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
                computed = _tuple_of(derivative(
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

        backward.context = context  # type: ignore[attr-defined]
        tangents = cls._tangents(context, arguments, len(everything))
        _core._record(cls.__name__ + "Backward", backward, inputs, list(results), flags, overwritten, list(saved),
                      tangents is None)
        if tangents is not None:
            by_value = [tangent for tangent, value in zip(tangents, everything) if isinstance(value, Tensor)]
            results = tuple(result if tangent is None else _core._make_dual(result, tangent)
                            for result, tangent in zip(results, by_value))
        tensors = iter(results)
        returned_values = tuple(next(tensors) if isinstance(value, Tensor) else value for value in everything)
        return returned_values if isinstance(returned, (tuple, list)) else returned_values[0]

    @classmethod
    def _derivative(cls) -> Any:
        has_backward, has_vjp = cls.backward is not Function.backward, cls.vjp is not Function.vjp
        if has_backward and has_vjp:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should "
                               "only implement one of them.")
        return cls.vjp if has_vjp else cls.backward

    @classmethod
    def _check_dirty(cls, context: FunctionContext, inputs: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        for tensor in context._dirty:
            if not _contains(inputs, tensor):
                warnings.warn(f"{cls.__name__}: mark_dirty expects tensors that are inputs of forward", stacklevel=3)
            elif not _contains(results, tensor):
                raise RuntimeError(f"{cls.__name__}: Some elements marked as dirty during the forward method were not "
                                   "returned as output. The inputs that are modified inplace must all be outputs of the "
                                   "Function.")
            elif tensor._is_view() and (len(results) > 1 or tensor is not inputs[0]):
                raise RuntimeError(f"{cls.__name__}: If your Function modifies inplace an input that is a view of another "
                                   "Tensor, your Function cannot return more than one Tensor, and the view must be its "
                                   "first input.")

    @classmethod
    def _tangents(cls, context: FunctionContext, arguments: Sequence[Any], count: int) -> Any:
        """Tangents of the results that jvp computes; None if there is no jvp, or no argument has a tangent."""
        if cls.jvp is Function.jvp:
            return None
        tangents = [_core._tangent_of(value) if isinstance(value, Tensor) else None for value in arguments]
        if all(tangent is None for tangent in tangents):
            return None
        if context._materializes:
            tangents = [_operators.zeros_like(value) if tangent is None and isinstance(value, Tensor) else tangent
                        for value, tangent in zip(arguments, tangents)]
        with no_grad():
            computed = _tuple_of(cls.jvp(context, *tangents))
        if len(computed) != count:
            raise RuntimeError(f"{cls.__name__}: jvp returned an incorrect number of tangents (expected {count}, got "
                               f"{len(computed)})")
        return computed


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of the method backward of a Function whose gradients cannot be differentiated: they require no
    gradients."""

    @functools.wraps(backward)
    def wrapper(context: FunctionContext, *gradients: Any) -> Any:
        with no_grad():
            return backward(context, *gradients)

    return wrapper


class _HookState(threading.local):
    """Blocks of this thread that replace saved tensors, or forbid it."""

    active = 0
    forbidden: str | None = None


_hook_state = _HookState()


class saved_tensors_hooks:
    """In a `with` block, passes tensors that recorded calls save to `pack_hook`, and keeps what that returns. In a backward
    pass, `unpack_hook` makes the tensor of it. The hooks of the innermost block apply."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if _hook_state.forbidden is not None:
            raise RuntimeError(_hook_state.forbidden)
        _core._push_saved_hooks(self.pack_hook, self.unpack_hook)
        _hook_state.active += 1

    def __exit__(self, *exception: object) -> None:
        _core._pop_saved_hooks()
        _hook_state.active -= 1


class save_on_cpu(saved_tensors_hooks):
    """In a `with` block, keeps tensors that recorded calls save in the memory of the host, and copies them back in the
    backward pass. `pin_memory` has no effect; PyTorch has this argument."""

    def __init__(self, pin_memory: bool = False) -> None:
        super().__init__(lambda tensor: (tensor.device, tensor.to("cpu")), lambda packed: packed[1].to(packed[0]))


class disable_saved_tensors_hooks:
    """In a `with` block, `saved_tensors_hooks` raises a RuntimeError with this text."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message
        self.previous: list[str | None] = []

    def __enter__(self) -> None:
        if _hook_state.active:
            raise RuntimeError(self.message)
        self.previous.append(_hook_state.forbidden)
        _hook_state.forbidden = self.message

    def __exit__(self, *exception: object) -> None:
        _hook_state.forbidden = self.previous.pop()


class _SavedByCheckpoint:
    """One of the tensors that a call saves, until its derivative no longer needs it."""

    def __init__(self, call: _Checkpoint) -> None:
        self.call = call
        self.index = call.count
        call.count += 1

    def __del__(self) -> None:
        if self.call.tensors is not None:
            self.call.tensors[self.index] = None


def _version_of(value: Any) -> int:
    return value._version if isinstance(value, Tensor) and not value.is_inference() else 0


class _Checkpoint:
    """A call of a function, in place of the tensors that its operators save."""

    def __init__(self, function: Any, arguments: tuple[Any, ...], preserves_state: bool) -> None:
        self.function = function
        self.arguments = arguments
        self.versions = [_version_of(value) for value in arguments]
        self.state = _core._default_generator().get_state() if preserves_state else None
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
                if _version_of(value) != version:
                    raise RuntimeError("checkpoint: an argument has been modified by an inplace operation")
                value = value.detach().requires_grad_(value.requires_grad)
            arguments.append(value)
        tensors: list[Tensor | None] = []
        generator = _core._default_generator()
        state = generator.get_state()
        if self.state is not None:
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


def checkpoint(function: Any, *arguments: Any, use_reentrant: bool = False, preserve_rng_state: bool = True,
               **keywords: Any) -> Any:
    """The result of `function(*arguments, **keywords)`, which backward computes again: the graph of the function keeps no
    tensors but the arguments. The second call draws equal random numbers, unless `preserve_rng_state` is False.
    `use_reentrant` must be False; PyTorch has this argument."""
    if use_reentrant:
        raise ValueError("checkpoint: `use_reentrant` must be False")
    if keywords:
        function = functools.partial(function, **keywords)
    if not _core.is_grad_enabled():
        return function(*arguments)
    call = _Checkpoint(function, arguments, preserve_rng_state)
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


__all__ = ["Function", "FunctionContext", "GradcheckError", "UnpackedDual", "backward", "checkpoint", "detect_anomaly",
           "disable_saved_tensors_hooks", "dual_level", "enable_grad", "grad", "gradcheck", "gradgradcheck",
           "inference_mode", "jvp", "make_dual",
           "no_grad", "once_differentiable", "queue_callback", "save_on_cpu", "saved_tensors_hooks", "set_grad_enabled",
           "unpack_dual"]
