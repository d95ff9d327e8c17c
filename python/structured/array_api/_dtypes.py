"""Dtypes of the array API: promotion, limits, and the information about the namespace."""
from __future__ import annotations

import builtins
from typing import Any, NamedTuple

from structured import _core, _operators
from structured._core import Tensor, device, dtype
from structured._core import bool as bool
from structured._core import complex64 as complex64
from structured._core import complex128 as complex128
from structured._core import float32 as float32
from structured._core import float64 as float64
from structured._core import int8 as int8
from structured._core import int16 as int16
from structured._core import int32 as int32
from structured._core import int64 as int64
from structured._core import uint8 as uint8

SIGNED = {"int8": int8, "int16": int16, "int32": int32, "int64": int64}
UNSIGNED = {"uint8": uint8}
REAL = {"float32": float32, "float64": float64}
COMPLEX = {"complex64": complex64, "complex128": complex128}
KINDS = {"bool": {"bool": bool}, "signed integer": SIGNED, "unsigned integer": UNSIGNED, "integral": SIGNED | UNSIGNED,
         "real floating": REAL, "complex floating": COMPLEX, "numeric": SIGNED | UNSIGNED | REAL | COMPLEX}
ALL = {"bool": bool, **SIGNED, **UNSIGNED, **REAL, **COMPLEX}


def isdtype(dtype: dtype, kind: Any) -> builtins.bool:
    """Whether a dtype is `kind`: another dtype, a name such as `integral`, or one of a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"isdtype: expected one of {', '.join(KINDS)}, got `{kind}`")
        return dtype in KINDS[kind].values()
    return dtype is kind


def default_float() -> dtype:
    """The dtype of real numbers without one."""
    return _core.get_default_dtype()


def default_complex() -> dtype:
    """The dtype of complex numbers without one."""
    return complex128 if default_float() == float64 else complex64


def _of_number(number: Any, known: dtype | None) -> dtype:
    """The dtype of a Python number beside arrays of the dtype `known`."""
    if isinstance(number, builtins.bool):
        own = bool
    elif isinstance(number, int):
        own = int64
    elif isinstance(number, float):
        own = default_float()
    else:
        own = default_complex()
    if known is None or known == own:
        return own
    if isinstance(number, complex) and known in REAL.values():
        return complex128 if known == float64 else complex64
    if isinstance(number, builtins.bool) and known != bool:
        raise TypeError(f"a Python bool does not combine with {known}")
    if known == bool or (isinstance(number, (float, complex)) and isdtype(known, "integral")):
        raise TypeError(f"a Python {type(number).__name__} does not combine with {known}")
    return known


def result_type(*arrays_and_dtypes: Any) -> dtype:
    """The dtype of results that are computed from arrays, dtypes and numbers. Ranks do not matter."""
    known: dtype | None = None
    numbers = []
    for value in arrays_and_dtypes:
        if isinstance(value, Tensor):
            value = value.dtype
        if isinstance(value, _core.dtype):
            known = value if known is None else _core.promote_types(known, value)
        elif isinstance(value, (int, float, complex)):
            numbers.append(value)
        else:
            raise TypeError(f"result_type: expected arrays, dtypes and numbers, got {type(value).__name__}")
    for number in numbers:
        known = _of_number(number, known)
    if known is None:
        raise ValueError("result_type: got no arguments")
    return known


def can_cast(from_: dtype | Tensor, to: dtype, /) -> builtins.bool:
    """Whether promotion converts the first dtype to the second."""
    source = from_.dtype if isinstance(from_, Tensor) else from_
    order = ("bool", "integral", "real floating", "complex floating")
    ranks = [next(i for i, kind in enumerate(order) if isdtype(each, kind)) for each in (source, to)]
    return (ranks[0] == ranks[1] or min(ranks) >= 2) and _core.promote_types(source, to) == to


def astype(x: Tensor, dtype: dtype, /, *, copy: builtins.bool = True, device: device | None = None) -> Tensor:
    """The elements converted to a dtype. `copy` False returns `x` if it has the dtype."""
    if x.is_complex() and not dtype.is_complex:
        raise TypeError(f"astype: {x.dtype} does not convert to {dtype}; take real() first")
    if x.dtype == dtype and not copy:
        return x
    return x.to(dtype, copy=copy)


class Finfo(NamedTuple):
    """Limits of a floating-point dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype


class Iinfo(NamedTuple):
    """Limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: dtype


def finfo(type: dtype | Tensor, /) -> Finfo:
    """Limits of a floating-point dtype; for complex dtypes, those of their parts."""
    kind = type.dtype if isinstance(type, Tensor) else type
    kind = {complex64: float32, complex128: float64}.get(kind, kind)
    if kind not in REAL.values():
        raise TypeError(f"finfo: expected a floating-point dtype, got {kind}")
    digits, exponent = (24, 128) if kind == float32 else (53, 1024)
    largest = (2.0 - 2.0 ** (1 - digits)) * 2.0 ** (exponent - 1)
    return Finfo(kind.itemsize * 8, 2.0 ** (1 - digits), largest, -largest, 2.0 ** (2 - exponent), kind)


def iinfo(type: dtype | Tensor, /) -> Iinfo:
    """Limits of an integer dtype."""
    kind = type.dtype if isinstance(type, Tensor) else type
    if not isdtype(kind, "integral"):
        raise TypeError(f"iinfo: expected an integer dtype, got {kind}")
    bits = kind.itemsize * 8
    return Iinfo(bits, 255, 0, kind) if kind == uint8 else Iinfo(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), kind)


class NamespaceInfo:
    """Answers questions about the namespace."""

    def capabilities(self) -> dict[str, Any]:
        """Optional features."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> device:
        """The device of new arrays."""
        return _core.device("cpu")

    def default_dtypes(self, *, device: device | None = None) -> dict[str, dtype]:
        """Dtypes of new arrays by kind."""
        return {"real floating": default_float(), "complex floating": default_complex(), "integral": int64,
                "indexing": int64}

    def dtypes(self, *, device: device | None = None, kind: Any = None) -> dict[str, dtype]:
        """The dtypes of a kind by name."""
        return {name: each for name, each in ALL.items() if kind is None or isdtype(each, kind)}

    def devices(self) -> list[device]:
        """The devices that arrays can be on."""
        return [_core.device("cpu")]


def __array_namespace_info__() -> NamespaceInfo:
    """Answers questions about the namespace."""
    return NamespaceInfo()


def common(*operands: Any) -> tuple[Tensor, ...]:
    """The operands as arrays of their common dtype. At least one is an array."""
    arrays = [operand for operand in operands if isinstance(operand, Tensor)]
    if not arrays:
        raise TypeError("expected at least one array")
    target = result_type(*operands)
    return tuple(
        operand.to(target) if isinstance(operand, Tensor) else _operators.full((), operand, dtype=target)
        for operand in operands)
