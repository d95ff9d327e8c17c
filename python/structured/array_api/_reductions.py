"""Statistics, searching, sorting, sets and tests of the array API."""
from __future__ import annotations

import builtins
from typing import Any, NamedTuple

from structured import _core, _operators
from structured._core import Tensor, dtype
from structured.array_api._arrays import dims_of
from structured.array_api._dtypes import common, int64, isdtype

# ----------------------------------------------------------------------------------------------------- statistics


def sum_dtype(x: Tensor, dtype: dtype | None) -> dtype:
    """The dtype of sums and products: at least 64 bits for integers. There is no uint64."""
    if dtype is not None:
        return dtype
    return int64 if isdtype(x.dtype, ("integral", "bool")) else x.dtype


def sum(x: Tensor, /, *, axis: Any = None, dtype: dtype | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Sums along axes."""
    dims, target = dims_of(x, axis), sum_dtype(x, dtype)
    return _operators.sum(x, dims, keepdims, dtype=target) if dims else x.to(target, copy=True)


def prod(x: Tensor, /, *, axis: Any = None, dtype: dtype | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Products along axes."""
    result = x.to(sum_dtype(x, dtype), copy=True)
    return _each_dim(result, axis, keepdims, lambda values, dim: _operators.prod(values, dim, True, dtype=values.dtype))


def _each_dim(x: Tensor, axis: Any, keepdims: builtins.bool, function: Any) -> Tensor:
    """Applies a reduction of one axis to several."""
    dims = dims_of(x, axis)
    for dim in dims:
        x = function(x, dim)
    return x if keepdims else x.reshape([size for dim, size in enumerate(x.shape) if dim not in dims])


def mean(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """Means along axes."""
    dims = dims_of(x, axis)
    return _operators.mean(x, dims, keepdims) if dims else x.clone()


def var(x: Tensor, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """Variances along axes; `correction` is subtracted from the number of elements."""
    dims = dims_of(x, axis)
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    centred = x - _operators.mean(x, dims, True) if dims else x - x
    squares = sum(centred * centred, axis=axis, keepdims=keepdims)
    return squares / builtins.max(count - correction, 0)


def std(x: Tensor, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """Standard deviations along axes; `correction` is subtracted from the number of elements."""
    return var(x, axis=axis, correction=correction, keepdims=keepdims).sqrt()


def max(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """The largest elements along axes."""
    return _extreme(_operators.amax, x, axis, keepdims)


def min(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """The smallest elements along axes."""
    return _extreme(_operators.amin, x, axis, keepdims)


def _extreme(function: Any, x: Tensor, axis: Any, keepdims: builtins.bool) -> Tensor:
    dims = dims_of(x, axis)
    if builtins.any(x.shape[dim] == 0 for dim in dims):
        raise ValueError(f"expected at least one element along the axes, got shape {tuple(x.shape)}")
    return function(x, dims, keepdims) if dims else x.clone()


def _cumulative(function: Any, x: Tensor, axis: int | None, dtype: dtype | None, initial: int | None) -> Tensor:
    if axis is None and x.ndim != 1:
        raise ValueError("expected an axis for an array that is not a vector")
    dim = dims_of(x, 0 if axis is None else axis)[0]
    target = sum_dtype(x, dtype)
    result: Tensor = function(x.to(target), dim, dtype=target)
    if initial is None:
        return result
    shape = list(x.shape)
    shape[dim] = 1
    return _operators.cat([_operators.full(shape, initial, dtype=result.dtype), result], dim)


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: dtype | None = None, include_initial: builtins.bool = False,
) -> Tensor:
    """Sums of all elements up to each one."""
    return _cumulative(_operators.cumsum, x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: dtype | None = None, include_initial: builtins.bool = False,
) -> Tensor:
    """Products of all elements up to each one."""
    return _cumulative(_operators.cumprod, x, axis, dtype, 1 if include_initial else None)


# ----------------------------------------------------------------------------------------------- tests, searching


def all(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """Whether all elements along axes are true."""
    return _each_dim(x != 0, axis, keepdims, lambda values, dim: _operators.all(values, dim, True))


def any(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """Whether an element along axes is true."""
    return _each_dim(x != 0, axis, keepdims, lambda values, dim: _operators.any(values, dim, True))


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along an axis, `n` times."""
    return _operators.diff(x, n, dims_of(x, axis)[0], prepend, append)


def count_nonzero(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
    """Numbers of elements along axes that are not zero."""
    return sum((x != 0).to(int64), axis=axis, keepdims=keepdims)


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Positions of the first largest elements along an axis, or in all elements."""
    return _position(_operators.argmax, x, axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Positions of the first smallest elements along an axis, or in all elements."""
    return _position(_operators.argmin, x, axis, keepdims)


def _position(function: Any, x: Tensor, axis: int | None, keepdims: builtins.bool) -> Tensor:
    if axis is not None:
        return function(x, dims_of(x, axis)[0], keepdims)  # type: ignore[no-any-return]
    result: Tensor = function(x.reshape(-1), 0)
    return result.reshape([1] * x.ndim) if keepdims else result


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Positions of the elements that are not zero: a vector for each axis."""
    if x.ndim == 0:
        raise ValueError("nonzero: expected at least one dimension")
    return tuple(_operators.unbind(_operators.nonzero(x), 1))


def searchsorted(x1: Tensor, x2: Any, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Positions in the sorted vector `x1` before which (side `left`) or after which (`right`) `x2` keeps the order."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: expected `left` or `right` as side, got `{side}`")
    a, b = common(x1, x2)
    return _operators.searchsorted(a, b.contiguous(), side=side, sorter=None if sorter is None else sorter.to(int64))


def where(condition: Tensor, x1: Any, x2: Any, /) -> Tensor:
    """Elements of `x1` where `condition` is true, and of `x2` elsewhere."""
    a, b = common(x1, x2)
    return _operators.where(condition, a, b)


# ------------------------------------------------------------------------------------------------- sorting, sets


def sort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """The elements along an axis in order."""
    return _operators.sort(x, stable=stable, dim=dims_of(x, axis)[0], descending=descending)[0]


def argsort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """Positions along an axis that give the order of the elements."""
    return _operators.sort(x, stable=stable, dim=dims_of(x, axis)[0], descending=descending)[1]


class UniqueAll(NamedTuple):
    """Result of unique_all()."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """Result of unique_counts()."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """Result of unique_inverse()."""

    values: Tensor
    inverse_indices: Tensor


def _unique(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct elements in order, the number of each element among them, and how often each occurs."""
    if not x.is_complex():
        return _operators._unique2(x.reshape(-1), True, True, True)
    rows, inverse, counts = _operators.unique_dim(_operators.view_as_real(x.reshape(-1)), 0, True, True, True)
    return _operators.view_as_complex(rows.contiguous()), inverse, counts


def unique_all(x: Tensor, /) -> UniqueAll:
    """The distinct elements in order, the position of the first of each, the number of the distinct element at each
    position, and how often each occurs."""
    values, inverse, counts = _unique(x)
    positions = _operators.arange(inverse.numel())
    first = _operators.full((values.numel(),), inverse.numel(), dtype=int64)
    first = _operators.scatter_reduce(first, 0, inverse, positions, "amin")
    return UniqueAll(values, first, inverse.reshape(x.shape), counts)


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The distinct elements in order, and how often each occurs."""
    result = unique_all(x)
    return UniqueCounts(result.values, result.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The distinct elements in order, and the number of the distinct element at each position."""
    result = unique_all(x)
    return UniqueInverse(result.values, result.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """The distinct elements in order."""
    return _unique(x)[0]


del _core
