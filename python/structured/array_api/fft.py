"""Fourier transforms of the array API: the extension `fft`."""
from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from structured import _operators
from structured._core import Tensor, device, dtype
from structured.array_api._arrays import dims_of, roll
from structured.array_api._dtypes import complex64, complex128, default_float, float64
from structured.array_api._elementwise import conj

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
    "rfftfreq", "rfftn"]

_NORMS = ("backward", "ortho", "forward")


def _scale(norm: str, is_inverse: builtins.bool) -> int:
    """The operators' argument `normalization`: no factor, the root of the number of elements, or the number."""
    if norm not in _NORMS:
        raise ValueError(f"expected one of {', '.join(_NORMS)} as norm, got `{norm}`")
    return 2 - _NORMS.index(norm) if is_inverse else _NORMS.index(norm)


def _opposite(norm: str) -> str:
    """The normalization of a transform in the other direction that has the same factor."""
    return {"backward": "forward", "forward": "backward"}.get(norm, norm)


def _resized(x: Tensor, sizes: Sequence[int], axes: Sequence[int]) -> Tensor:
    """The array with sizes along axes: trimmed, or padded with zeros."""
    for size, axis in zip(sizes, axes, strict=True):
        if size < 1:
            raise ValueError(f"expected at least one element along axis {axis}, got {size}")
        if size < x.shape[axis]:
            x = x.narrow(axis, 0, size)
        elif size > x.shape[axis]:
            shape = list(x.shape)
            shape[axis] = size - shape[axis]
            x = _operators.cat((x, _operators.zeros(shape, dtype=x.dtype)), axis)
    return x


def _axes(x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None) -> tuple[list[int], tuple[int, ...]]:
    """The sizes and axes of a transform over several axes. The size -1 stands for the whole axis."""
    if axes is None and s is not None:
        axes = range(-len(s), 0)
    dims = dims_of(x, None if axes is None else tuple(axes))
    if s is None:
        return [x.shape[dim] for dim in dims], dims
    return [x.shape[dim] if size == -1 else size for size, dim in zip(s, dims, strict=True)], dims


def _complex(x: Tensor) -> Tensor:
    return x if x.is_complex() else x.to(complex128 if x.dtype == float64 else complex64)


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The discrete Fourier transforms along an axis."""
    return fftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse discrete Fourier transforms along an axis."""
    return ifftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def fftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward",
) -> Tensor:
    """The discrete Fourier transform over several axes."""
    sizes, dims = _axes(x, s, axes)
    return _operators._fft_c2c(_resized(_complex(x), sizes, dims), dims, _scale(norm, False), True)


def ifftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward",
) -> Tensor:
    """The inverse discrete Fourier transform over several axes."""
    sizes, dims = _axes(x, s, axes)
    return _operators._fft_c2c(_resized(_complex(x), sizes, dims), dims, _scale(norm, True), False)


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The discrete Fourier transforms of real numbers along an axis, without the terms that are conjugates of others."""
    return rfftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of rfft(): `n` real numbers, by default an even number."""
    return irfftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def rfftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward",
) -> Tensor:
    """The discrete Fourier transform of real numbers over several axes, without conjugates along the last one."""
    sizes, dims = _axes(x, s, axes)
    return _operators._fft_r2c(_resized(x, sizes, dims), dims, _scale(norm, False), True)


def irfftn(
    x: Tensor, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward",
) -> Tensor:
    """The inverse of rfftn()."""
    sizes, dims = _axes(x, s, axes)
    if s is None or s[-1] == -1:
        sizes[-1] = 2 * (sizes[-1] - 1)
    last = sizes[-1]
    halves = _resized(_complex(x), [*sizes[:-1], last // 2 + 1], dims)
    return _operators._fft_c2r(halves, dims, _scale(norm, True), last)


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The discrete Fourier transforms, which are real, of the first halves of sequences with Hermitian symmetry."""
    return irfft(conj(_complex(x)), n=n, axis=axis, norm=_opposite(norm))


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of hfft()."""
    return conj(rfft(x, n=n, axis=axis, norm=_opposite(norm)))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """The frequencies of the terms of fft() of `n` samples at intervals of `d`: first those that are not negative."""
    numbers = _operators.arange(-(n // 2), (n + 1) // 2, dtype=dtype or default_float(), device=device)
    return _operators.roll(numbers, -(n // 2), 0) / (n * d)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """The frequencies of the terms of rfft() of `n` samples at intervals of `d`."""
    return _operators.arange(n // 2 + 1, dtype=dtype or default_float(), device=device) / (n * d)


def fftshift(x: Tensor, /, *, axes: Any = None) -> Tensor:
    """The array with the term of frequency zero in the middle of axes."""
    dims = dims_of(x, axes)
    return roll(x, tuple(x.shape[dim] // 2 for dim in dims), axis=dims)


def ifftshift(x: Tensor, /, *, axes: Any = None) -> Tensor:
    """The inverse of fftshift()."""
    dims = dims_of(x, axes)
    return roll(x, tuple(-(x.shape[dim] // 2) for dim in dims), axis=dims)
