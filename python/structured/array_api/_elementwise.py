"""Elementwise functions of the array API."""
from __future__ import annotations

import math
from typing import Any

from structured import _core, _operators
from structured._core import Tensor
from structured.array_api._dtypes import common, isdtype

Operand = Any  # an array, or a Python number if the other operand is an array


def _floating(function: Any, name: str = "") -> Any:
    """A function of one array. `name` is the function's if the operator has another one."""

    def call(x: Tensor, /) -> Tensor:
        return function(x)  # type: ignore[no-any-return]

    return _named(call, name or function.__name__)


def _binary(function: Any, name: str = "") -> Any:
    """A function of two operands, which get their common dtype."""

    def call(x1: Operand, x2: Operand, /) -> Tensor:
        return function(*common(x1, x2))  # type: ignore[no-any-return]

    return _named(call, name or function.__name__)


def _named(call: Any, name: str) -> Any:
    call.__name__ = call.__qualname__ = name
    call.__doc__ = "Elementwise " + name + "."
    return call


acos, acosh, asin, asinh, atan, atanh = map(_floating, (
    _operators.acos, _operators.acosh, _operators.asin, _operators.asinh, _operators.atan, _operators.atanh))
cos, cosh, exp, sin, sinh, sqrt, tan, tanh = map(_floating, (
    _operators.cos, _operators.cosh, _operators.exp, _operators.sin, _operators.sinh, _operators.sqrt, _operators.tan,
    _operators.tanh))
log, log2, log10, reciprocal = map(_floating, (
    _operators.log, _operators.log2, _operators.log10, _operators.reciprocal))
signbit, logical_not = map(_floating, (_operators.signbit, _operators.logical_not))
negative = _floating(_operators.neg, "negative")
bitwise_invert = _floating(_operators.bitwise_not, "bitwise_invert")
add, floor_divide, pow = map(_binary, (_operators.add, _operators.floor_divide, _operators.pow))
subtract = _binary(_operators.sub, "subtract")
multiply = _binary(_operators.mul, "multiply")
divide = _binary(_operators.div, "divide")
bitwise_and, bitwise_or, bitwise_xor = map(_binary, (
    _operators.bitwise_and, _operators.bitwise_or, _operators.bitwise_xor))
bitwise_left_shift, bitwise_right_shift = map(_binary, (
    _operators.bitwise_left_shift, _operators.bitwise_right_shift))
equal = _binary(_operators.eq, "equal")
not_equal = _binary(_operators.ne, "not_equal")
less = _binary(_operators.lt, "less")
less_equal = _binary(_operators.le, "less_equal")
greater = _binary(_operators.gt, "greater")
greater_equal = _binary(_operators.ge, "greater_equal")
logical_and, logical_or, logical_xor = map(_binary, (
    _operators.logical_and, _operators.logical_or, _operators.logical_xor))
maximum, minimum, copysign, atan2, hypot, logaddexp, nextafter = map(_binary, (
    _operators.maximum, _operators.minimum, _operators.copysign, _operators.atan2, _operators.hypot,
    _operators.logaddexp, _operators.nextafter))


def real(x: Tensor, /) -> Tensor:
    """The real parts."""
    return _operators.view_as_real(x)[..., 0] if x.is_complex() else x


def imag(x: Tensor, /) -> Tensor:
    """The imaginary parts of complex numbers."""
    return _operators.view_as_real(x)[..., 1]


def conj(x: Tensor, /) -> Tensor:
    """The complex conjugates."""
    return _operators.complex(real(x).clone(), -imag(x)) if x.is_complex() else x


def abs(x: Tensor, /) -> Tensor:
    """The magnitudes."""
    return _operators.hypot(real(x), imag(x)) if x.is_complex() else x.abs()


def expm1(x: Tensor, /) -> Tensor:
    """`exp(x) - 1`, accurate near 0."""
    if not x.is_complex():
        return x.expm1()
    a, b = real(x), imag(x)
    half = (b * 0.5).sin()
    near = a.expm1() * b.cos() - 2 * half * half
    real_part = _operators.where(b == 0, a.expm1() + 0.0, near)  # not -0, and exp(a) may be infinite or NaN
    real_part = _operators.where(isfinite(b), real_part, _operators.where(isinf(a), a.expm1(), math.nan))
    imaginary = _operators.where(b == 0, b, a.exp() * b.sin())
    imaginary = _operators.where(~isfinite(b) & (a == -math.inf), 0.0, imaginary)
    return _operators.complex(real_part, imaginary)


def log1p(x: Tensor, /) -> Tensor:
    """`log(1 + x)`, accurate near 0."""
    if not x.is_complex():
        return x.log1p()
    a, b = real(x), imag(x)
    near = (a * (a + 2) + b * b).log1p() * 0.5
    magnitude = _operators.where(_operators.hypot(a, b) < 1, near, _operators.hypot(a + 1, b).log())
    return _operators.complex(magnitude, _operators.atan2(b, a + 1))


def remainder(x1: Operand, x2: Operand, /) -> Tensor:
    """Remainders of divisions that round down; zeros, too, have the sign of the divisor."""
    a, b = common(x1, x2)
    result = _operators.remainder(a, b)
    if not result.is_floating_point():
        return result
    return _operators.where(result == 0, _operators.copysign(result, b), result)


def positive(x: Tensor, /) -> Tensor:
    """A copy."""
    return x.clone()


def square(x: Tensor, /) -> Tensor:
    """The squares."""
    return x * x


def sign(x: Tensor, /) -> Tensor:
    """-1, 0 or 1, NaN for NaN; for complex numbers the number of magnitude 1 with the same angle, or 0. Zeros are
    positive."""
    if x.is_complex():
        magnitude = abs(x)
        return _operators.where(magnitude == 0, _operators.zeros_like(x), x / magnitude)
    if not x.is_floating_point():
        return x if x.dtype == _core.bool else x.sign()
    return _operators.where(isnan(x), x, x.sign() + 0.0)


def isnan(x: Tensor, /) -> Tensor:
    """Whether elements are NaN, or a part of them is."""
    return x != x


def isinf(x: Tensor, /) -> Tensor:
    """Whether elements are infinite, or a part of them is."""
    return _operators.isinf(real(x)) | _operators.isinf(imag(x)) if x.is_complex() else _operators.isinf(x)


def isfinite(x: Tensor, /) -> Tensor:
    """Whether elements are neither infinite nor NaN."""
    return ~(isinf(x) | isnan(x))


def _rounding(function: Any) -> Any:
    def call(x: Tensor, /) -> Tensor:
        if not (x.is_floating_point() or x.is_complex()):
            return x.clone()
        if x.is_complex():
            return _operators.complex(function(real(x)), function(imag(x)))
        return function(x)  # type: ignore[no-any-return]

    return _named(call, function.__name__)


ceil, floor, round, trunc = map(_rounding, (_operators.ceil, _operators.floor, _operators.round, _operators.trunc))


def clip(x: Tensor, /, min: Operand = None, max: Operand = None) -> Tensor:
    """The elements, limited to the range from `min` to `max`, which may be arrays."""
    result = x
    for bound, function in ((min, _operators.maximum), (max, _operators.minimum)):
        if bound is not None:
            if not isinstance(bound, Tensor):
                bound = _operators.full((), bound, dtype=x.dtype)
            elif isdtype(x.dtype, "integral") != isdtype(bound.dtype, "integral"):
                raise TypeError(f"clip: {x.dtype} does not combine with {bound.dtype}")
            result = function(result, bound.to(x.dtype))
    return result.clone() if result is x else result
