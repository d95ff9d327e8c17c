"""Creation and manipulation of arrays, indexing and linear algebra of the array API."""
from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from structured import _core, _operators
from structured._core import Tensor, device, dtype
from structured._functions import asarray as _asarray
from structured.array_api._dtypes import common, default_complex, default_float, int64, result_type

Shape = int | Sequence[int]

# ------------------------------------------------------------------------------------------------------- creation


def asarray(
    obj: Any, /, *, dtype: dtype | None = None, device: device | None = None, copy: builtins.bool | None = None,
) -> Tensor:
    """An array with the elements of numbers, nested sequences or other arrays."""
    return _asarray(obj, dtype=dtype, device=device, copy=copy)


def from_dlpack(x: Any, /, *, device: device | None = None, copy: builtins.bool | None = None) -> Tensor:
    """An array that shares memory with an array of another library, or a copy of it. Raises BufferError if `copy` is
    False and the memory cannot be shared."""
    return _core.from_dlpack(x, device=device, copy=copy)


def empty(shape: Shape, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """An array whose elements are not set."""
    return _operators.empty(_tuple(shape), dtype=dtype, device=device)


def zeros(shape: Shape, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """Zeros."""
    return _operators.zeros(_tuple(shape), dtype=dtype, device=device)


def ones(shape: Shape, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """Ones."""
    return _operators.ones(_tuple(shape), dtype=dtype, device=device)


def full(shape: Shape, fill_value: Any, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """One number everywhere."""
    return _operators.full(
        _tuple(shape), fill_value, dtype=result_type(fill_value) if dtype is None else dtype, device=device)


def empty_like(x: Tensor, /, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """An array of the shape of `x` whose elements are not set."""
    return _operators.empty_like(x, dtype=dtype, device=device)


def zeros_like(x: Tensor, /, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """Zeros in the shape of `x`."""
    return _operators.zeros_like(x, dtype=dtype, device=device)


def ones_like(x: Tensor, /, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """Ones in the shape of `x`."""
    return _operators.ones_like(x, dtype=dtype, device=device)


def full_like(x: Tensor, /, fill_value: Any, *, dtype: dtype | None = None, device: device | None = None) -> Tensor:
    """One number everywhere in the shape of `x`."""
    return _operators.full_like(x, fill_value, dtype=dtype, device=device)


def arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: dtype | None = None, device: device | None = None,
) -> Tensor:
    """Numbers from `start` to less than `stop`, or from 0 to less than `start`."""
    if stop is None:
        start, stop = 0, start
    if (stop - start) * step <= 0:
        kinds = [result_type(number) for number in (start, stop, step)]
        return _operators.empty((0,), dtype=result_type(*kinds) if dtype is None else dtype, device=device)
    return _operators.arange(start, stop, step, dtype=dtype, device=device)


def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: dtype | None = None, device: device | None = None,
    endpoint: builtins.bool = True,
) -> Tensor:
    """`num` numbers with equal distances from `start` to `stop`."""
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    target = dtype if dtype is not None else default_complex() if is_complex else default_float()
    if not endpoint:
        return linspace(start, stop, num + 1, dtype=target, device=device)[:num]
    if target.is_complex:
        start, stop = complex(start), complex(stop)
        part = _core.float64 if target == _core.complex128 else _core.float32
        parts = [linspace(a, b, num, dtype=part) for a, b in ((start.real, stop.real), (start.imag, stop.imag))]
        return _operators.complex(*parts)
    return _operators.linspace(start, stop, num, dtype=target, device=device)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: dtype | None = None, device: device | None = None,
) -> Tensor:
    """Ones on the diagonal `k`, zeros elsewhere."""
    result = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    if -n_rows < k < result.shape[1]:
        result.diagonal(k).fill_(1)
    return result


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinate arrays of a grid."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: expected `xy` or `ij` as indexing, got `{indexing}`")
    return tuple(_operators.meshgrid(arrays, indexing=indexing)) if arrays else ()


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The elements on and below the diagonal `k`; zeros above."""
    return _operators.tril(x, k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The elements on and above the diagonal `k`; zeros below."""
    return _operators.triu(x, k)


# --------------------------------------------------------------------------------------------------- manipulation


def _tuple(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def dims_of(x: Tensor, axis: Any) -> tuple[int, ...]:
    """The axes as distinct non-negative numbers; all axes for None."""
    if axis is None:
        return tuple(range(x.ndim))
    dims = []
    for each in _tuple(axis):
        if not -x.ndim <= each < x.ndim:
            raise IndexError(f"axis {each} does not exist in an array with {x.ndim} dimensions")
        dims.append(each % x.ndim)
    if len(set(dims)) != len(dims):
        raise ValueError(f"an axis occurs twice in {axis}")
    return tuple(dims)


def broadcast_to(x: Tensor, /, shape: Shape) -> Tensor:
    """The array in a larger shape."""
    return _operators.broadcast_to(x, _tuple(shape))


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """The arrays in their common shape."""
    return tuple(_operators.broadcast_tensors(arrays)) if arrays else ()


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """The arrays one after the other along an axis; None makes them vectors first."""
    converted = common(*arrays)
    if axis is None:
        return _operators.cat([each.reshape(-1) for each in converted], 0)
    return _operators.cat(converted, dims_of(converted[0], axis)[0])


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """The arrays along a new axis."""
    return _operators.stack(common(*arrays), axis)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts along an axis."""
    return tuple(_operators.unbind(x, dims_of(x, axis)[0]))


def expand_dims(x: Tensor, /, axis: int = 0) -> Tensor:
    """The array with a new axis of size 1."""
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise IndexError(f"axis {axis} does not exist in an array with {x.ndim + 1} dimensions")
    return _operators.unsqueeze(x, axis)


def squeeze(x: Tensor, /, axis: Any) -> Tensor:
    """The array without axes of size 1."""
    dims = dims_of(x, axis)
    if builtins.any(x.shape[dim] != 1 for dim in dims):
        raise ValueError(f"squeeze: expected axes of size 1, got shape {tuple(x.shape)} and axis {axis}")
    return x.reshape([size for dim, size in enumerate(x.shape) if dim not in dims])


def flip(x: Tensor, /, *, axis: Any = None) -> Tensor:
    """The array with the order along axes reversed."""
    return _operators.flip(x, dims_of(x, axis))


def moveaxis(x: Tensor, source: Any, destination: Any, /) -> Tensor:
    """The array with some axes at other positions."""
    return _operators.movedim(x, dims_of(x, source), dims_of(x, destination))


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """The array with its axes in another order."""
    return _operators.permute(x, axes)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The matrices with rows and columns exchanged."""
    return x.mT


def reshape(x: Tensor, /, shape: Shape, *, copy: builtins.bool | None = None) -> Tensor:
    """The elements in another shape."""
    if copy is False:
        return x.view(_tuple(shape))
    return (x.clone() if copy else x).reshape(_tuple(shape))


def repeat(x: Tensor, repeats: Any, /, *, axis: int | None = None) -> Tensor:
    """Every element several times."""
    if isinstance(repeats, Tensor):
        repeats = repeats.to(int64)
    elif not isinstance(repeats, int):
        repeats = _core.tensor(repeats, dtype=int64)
    if axis is None:
        return _operators.repeat_interleave(x.reshape(-1), repeats, 0)
    return _operators.repeat_interleave(x, repeats, dims_of(x, axis)[0])


def roll(x: Tensor, /, shift: Any, *, axis: Any = None) -> Tensor:
    """The elements moved along axes; those that leave at one end enter at the other."""
    if axis is None:
        return _operators.roll(x.reshape(-1), _tuple(shift), (0,)).reshape(x.shape)
    axes, shifts = _tuple(axis), _tuple(shift)
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    for each, amount in zip(axes, shifts, strict=True):
        x = _operators.roll(x, (amount,), dims_of(x, each))
    return x


def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    """Copies of the array side by side."""
    return _operators.tile(x, repetitions)


# -------------------------------------------------------------------------------------- indexing, linear algebra


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The parts at `indices` along an axis."""
    if axis is None and x.ndim != 1:
        raise ValueError("take: expected an axis for an array with more than one dimension")
    dim = dims_of(x, 0 if axis is None else axis)[0]
    positions = _operators.where(indices < 0, indices + x.shape[dim], indices)
    result = _operators.index_select(x, dim, positions.reshape(-1).to(int64))
    return result.reshape((*x.shape[:dim], *indices.shape, *x.shape[dim + 1:]))


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """The elements at `indices` along an axis, for each position of the others."""
    dim = dims_of(x, axis)[0]
    positions = _operators.where(indices < 0, indices + x.shape[dim], indices)
    return _operators.take_along_dim(x, positions.to(int64), dim)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The matrix product."""
    return _operators.matmul(*common(x1, x2))


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The dot products of vectors along an axis; the first factor is conjugated."""
    from structured.array_api._elementwise import conj

    a, b = common(x1, x2)
    if axis >= 0 or axis < -min(a.ndim, b.ndim):
        raise IndexError(f"vecdot: expected a negative axis that both arrays have, got {axis}")
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(f"vecdot: expected equal sizes along axis {axis}, got {a.shape[axis]} and {b.shape[axis]}")
    a, b = _operators.broadcast_tensors((a, b))
    dtype = a.dtype
    return (conj(a).movedim(axis, -1) * b.movedim(axis, -1)).sum(-1, dtype=dtype)


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: Any = 2) -> Tensor:
    """The sum of products over pairs of axes."""
    a, b = common(x1, x2)
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: expected at most {min(a.ndim, b.ndim)} axes, got {axes}")
        axes = (range(a.ndim - axes, a.ndim), range(axes))
    first, second = dims_of(a, tuple(axes[0])), dims_of(b, tuple(axes[1]))
    if [a.shape[i] for i in first] != [b.shape[i] for i in second]:
        raise ValueError(f"tensordot: the axes {axes} have different sizes in {tuple(a.shape)} and {tuple(b.shape)}")
    rows = [i for i in range(a.ndim) if i not in first]
    columns = [i for i in range(b.ndim) if i not in second]
    shape = [a.shape[i] for i in rows] + [b.shape[i] for i in columns]
    inner = 1
    for i in first:
        inner *= a.shape[i]
    outer = [1, 1]
    for i in rows:
        outer[0] *= a.shape[i]
    for i in columns:
        outer[1] *= b.shape[i]
    left = a.permute((*rows, *first)).reshape(outer[0], inner)
    right = b.permute((*second, *columns)).reshape(inner, outer[1])
    return (left @ right).reshape(shape)
