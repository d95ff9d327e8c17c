"""Comparison of gradients with differences of a function's values."""
from __future__ import annotations

from structured import _core, _operators
from structured._core import Tensor
from structured._grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


class GradcheckError(RuntimeError):
    """Gradients differ from differences."""


def _tuple_of(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _tensors(results: Any) -> list[Tensor]:
    return [each for each in _tuple_of(results) if isinstance(each, Tensor)]


def _has_gradient(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _random_like(tensor: Tensor) -> Tensor:
    if not tensor.is_complex():
        return _operators.rand(tuple(tensor.shape), dtype=tensor.dtype)
    part = tensor.real.dtype
    return _operators.complex(_operators.rand(tuple(tensor.shape), dtype=part),
                              _operators.rand(tuple(tensor.shape), dtype=part))


def _product(a: Tensor, b: Tensor) -> float:
    """The real inner product of two tensors."""
    return float((a.conj() * b).real.sum().item() if a.is_complex() or b.is_complex() else (a * b).sum().item())


def _largest(tensor: Tensor) -> float:
    return float(tensor.detach().abs().max().item()) if tensor.numel() else 0.0


def _steps(tensor: Tensor, eps: float) -> Iterator[tuple[int, Any]]:
    """For each element the steps along the real and, for complex numbers, the imaginary axis."""
    for element in range(tensor.numel()):
        yield element, eps
        if tensor.is_complex():
            yield element, eps * 1j


class _Check:
    """A function at one point."""

    def __init__(self, function: Callable[..., Any], inputs: Sequence[Any], eps: float, atol: float, rtol: float) -> None:
        self.function = function
        self.inputs = tuple(inputs)
        self.eps, self.atol, self.rtol = eps, atol, rtol
        self.places = [i for i, value in enumerate(self.inputs) if _has_gradient(value)]

    def values_at(self, place: int, element: int, step: Any) -> list[Tensor]:
        """The results where one element of an input differs by `step`."""
        with no_grad():
            changed = [value.detach().clone() if isinstance(value, Tensor) else value for value in self.inputs]
            flat = changed[place].reshape(-1)
            flat[element] = flat[element] + step
            changed[place] = flat.reshape(self.inputs[place].shape)
        changed = [value.requires_grad_() if i in self.places else value for i, value in enumerate(changed)]
        return [result.detach() for result in _tensors(self.function(*changed))]

    def differences(self, results: Sequence[Tensor], place: int, element: int, step: Any) -> list[Tensor]:
        """Derivatives of the results along one axis of an input."""
        plus, minus = self.values_at(place, element, step), self.values_at(place, element, -step)
        for name in ("shape", "dtype"):
            if any(getattr(a, name) != getattr(b, name) for values in (plus, minus) for a, b in zip(values, results)):
                raise AssertionError(f"Expected `func` to return outputs with the same {name} when inputs are perturbed on "
                                     "index " + str(element))
        return [(a - b) / (2 * self.eps) for a, b in zip(plus, minus)]

    def compare(self, found: float, expected: float, what: str) -> None:
        if not abs(found - expected) <= self.atol + self.rtol * abs(expected):
            raise GradcheckError(f"{what}: got {found}, and {expected} from differences")

    def backward(self, nondet_tol: float) -> None:
        results = _tensors(self.function(*self.inputs))
        if not any(_has_gradient(result) for result in results):
            self.expect_no_gradient(results)
            return
        inputs = [self.inputs[i] for i in self.places]
        for number, result in enumerate(results):
            if not result.requires_grad:
                continue
            direction = _random_like(result)
            gradients = [_core._grad((result,), tuple(inputs), (direction,), True, False, True) for _ in range(2)]
            for first, second in zip(*gradients):
                if first is not None and _largest(first - second) > nondet_tol:
                    raise GradcheckError(
                        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                        "gives different values, although analytical gradient matches numerical gradient. The tolerance "
                        f"for nondeterminism was {nondet_tol}.")
            for position, (place, gradient) in enumerate(zip(self.places, gradients[0])):
                self.check_gradient(results, number, direction, position, place, gradient)

    def check_gradient(
        self, results: Sequence[Tensor], number: int, direction: Tensor, position: int, place: int, gradient: Any,
    ) -> None:
        if gradient is not None and gradient.shape != self.inputs[place].shape:
            raise GradcheckError("Analytical gradient has incorrect size")
        flat = None if gradient is None else gradient.detach().reshape(-1)
        for element, step in _steps(self.inputs[place], self.eps):
            expected = _product(direction, self.differences(results, place, element, step)[number])
            value = 0 if flat is None else flat[element].item()
            found = value.imag if isinstance(step, complex) else value.real
            self.compare(found, expected,
                         f"Jacobian mismatch for output {number} with respect to input {position}, element {element}")

    def expect_no_gradient(self, results: Sequence[Tensor]) -> None:
        for place in self.places:
            for element, step in _steps(self.inputs[place], self.eps):
                for difference in self.differences(results, place, element, step):
                    if _largest(difference) != 0:
                        raise GradcheckError("Numerical gradient for function expected to be zero")

    def forward(self) -> None:
        from structured import autograd

        results = _tensors(self.function(*self.inputs))
        for position, place in enumerate(self.places):
            tensor = self.inputs[place]
            for element, step in _steps(tensor, self.eps):
                tangent = _operators.zeros_like(tensor.detach())
                tangent.reshape(-1)[element] = step / self.eps
                with autograd.enable_grad(), autograd.dual_level():
                    arguments = [value.detach() if isinstance(value, Tensor) else value for value in self.inputs]
                    arguments[place] = autograd.make_dual(arguments[place], tangent)
                    found = [_core._tangent_of(each) for each in _tensors(self.function(*arguments))]
                for number, (slope, expected) in enumerate(zip(found, self.differences(results, place, element, step))):
                    if not expected.dtype.is_floating_point and not expected.dtype.is_complex:
                        continue
                    difference = expected if slope is None else slope.detach() - expected
                    if not _largest(difference) <= self.atol + self.rtol * _largest(expected):
                        raise GradcheckError(f"Jacobian computed with forward mode mismatch for output {number} with "
                                             f"respect to input {position}, element {element}")


def gradcheck(
    function: Callable[..., Any], inputs: Any, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, nondet_tol: float = 0.0, check_forward_ad: bool = False, check_backward_ad: bool = True,
) -> bool:
    """Compares gradients of `function(*inputs)` with respect to the inputs that require gradients with central differences
    of step `eps`, and with `check_forward_ad` tangents, too. The inputs should have the dtype float64 or complex128, and
    should not overlap in memory. Raises GradcheckError if a gradient differs, or if two backward passes differ by more than
    `nondet_tol`; returns False instead without `raise_exception`."""
    if not check_forward_ad and not check_backward_ad:
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    check = _Check(function, _tuple_of(inputs), eps, atol, rtol)
    if not check.places:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of the them have "
                         "requires_grad=True.")
    try:
        if check_backward_ad:
            check.backward(nondet_tol)
        if check_forward_ad:
            check.forward()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    function: Callable[..., Any], inputs: Any, grad_outputs: Any = None, eps: float = 1e-6, atol: float = 1e-5,
    rtol: float = 1e-3, raise_exception: bool = True, nondet_tol: float = 0.0,
) -> bool:
    """gradcheck of the gradients of `function(*inputs)`, as functions of the inputs that require gradients and of the
    gradients of the results, which are random unless `grad_outputs` are given."""
    inputs = _tuple_of(inputs)
    places = [i for i, value in enumerate(inputs) if _has_gradient(value)]
    results = [result for result in _tensors(function(*inputs)) if result.requires_grad]
    given = [_random_like(result) for result in results] if grad_outputs is None else list(_tuple_of(grad_outputs))
    weights = [weight.detach().clone().requires_grad_() for weight in given]

    def gradients(*arguments: Any) -> tuple[Any, ...]:
        values = list(inputs)
        for place, value in zip(places, arguments):
            values[place] = value
        wanted = arguments[:len(places)]
        outputs = [result for result in _tensors(function(*values)) if result.requires_grad]
        found = _core._grad(tuple(outputs), wanted, tuple(arguments[len(places):]), True, True, True)
        return tuple(each for each in found if each is not None)

    return gradcheck(gradients, [*(inputs[i] for i in places), *weights], eps, atol, rtol, raise_exception, nondet_tol)
