"""Linear algebra of the array API: the extension `linalg`. All functions take stacks of matrices, too."""
from __future__ import annotations

import builtins
import math
from typing import Any, NamedTuple

from structured import _operators
from structured._core import Tensor, dtype
from structured.array_api._arrays import dims_of, matmul, matrix_transpose, tensordot, vecdot
from structured.array_api._dtypes import common, finfo
from structured.array_api._reductions import sum_dtype

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
    "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace",
    "vecdot", "vector_norm"]


class EighResult(NamedTuple):
    """Result of eigh()."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """Result of qr()."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """Result of slogdet()."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Result of svd()."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def cholesky(x: Tensor, /, *, upper: builtins.bool = False) -> Tensor:
    """The lower triangular factors of Hermitian positive-definite matrices, or the upper triangular ones."""
    return _operators.linalg_cholesky(x, upper=upper)


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross products of vectors of three elements along an axis."""
    a, b = common(x1, x2)
    if axis >= 0 or axis < -builtins.min(a.ndim, b.ndim):
        raise IndexError(f"cross: expected a negative axis that both arrays have, got {axis}")
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(f"cross: expected size 3 along axis {axis}, got {a.shape[axis]} and {b.shape[axis]}")
    a, b = _operators.broadcast_tensors((a, b))
    return _operators.linalg_cross(a, b, dim=axis)


def det(x: Tensor, /) -> Tensor:
    """The determinants."""
    return _operators.linalg_det(x)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The elements of a diagonal."""
    return _operators.linalg_diagonal(x, offset=offset)


def eigh(x: Tensor, /) -> EighResult:
    """The eigenvalues and eigenvectors of Hermitian matrices."""
    return EighResult(*_operators.linalg_eigh(x))


def eigvalsh(x: Tensor, /) -> Tensor:
    """The eigenvalues of Hermitian matrices."""
    return _operators.linalg_eigvalsh(x)


def inv(x: Tensor, /) -> Tensor:
    """The inverses."""
    return _operators.linalg_inv(x)


def matrix_norm(x: Tensor, /, *, keepdims: builtins.bool = False, ord: Any = "fro") -> Tensor:
    """Norms of matrices: `fro`, `nuc`, or the norm with the order 1, 2, infinity or the negative of one."""
    if ord == "fro":
        result = _operators.linalg_vector_norm(x, 2, (-2, -1))
    elif ord == "nuc":
        result = _operators.linalg_svdvals(x).sum(-1)
    elif ord in (2, -2):
        values = _operators.linalg_svdvals(x)
        result = values.amax(-1) if ord == 2 else values.amin(-1)
    elif ord in (1, -1, math.inf, -math.inf):
        sums = _operators.linalg_vector_norm(x, 1, (-2 if ord in (1, -1) else -1,))
        result = sums.amax(-1) if ord > 0 else sums.amin(-1)
    else:
        raise ValueError(f"matrix_norm: expected `fro`, `nuc`, 1, 2, inf, -1, -2 or -inf as order, got {ord!r}")
    return result.reshape((*result.shape, 1, 1)) if keepdims else result


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """The matrices to an integer power."""
    return _operators.linalg_matrix_power(x, n)


def _limits(x: Tensor, values: Tensor, rtol: Any) -> Tensor:
    """The numbers that singular values must exceed to count as nonzero."""
    if rtol is None:
        rtol = builtins.max(x.shape[-2:]) * finfo(x.dtype).eps
    if isinstance(rtol, Tensor):
        rtol = rtol.to(values.dtype).unsqueeze(-1)
    limits: Tensor = values.amax(-1, True) * rtol
    return limits


def matrix_rank(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The numbers of singular values larger than `rtol` times the largest one."""
    values = _operators.linalg_svdvals(x)
    if values.shape[-1] == 0:
        return values.sum(-1).to(sum_dtype(values != 0, None))
    return (values > _limits(x, values, rtol)).sum(-1)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The products of all pairs of elements of two vectors."""
    return _operators.outer(*common(x1, x2))


def pinv(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The pseudo-inverses; singular values that do not exceed `rtol` times the largest one count as 0."""
    if isinstance(rtol, Tensor):
        return _operators.linalg_pinv(x, rtol=rtol.to(finfo(x.dtype).dtype))
    return _operators.linalg_pinv(x, rtol=builtins.max(x.shape[-2:]) * finfo(x.dtype).eps if rtol is None else rtol)


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """The factors Q with orthonormal columns and R, upper triangular."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: expected `reduced` or `complete` as mode, got `{mode}`")
    return QRResult(*_operators.linalg_qr(x, mode))


def slogdet(x: Tensor, /) -> SlogdetResult:
    """The signs of determinants, and the logarithms of their magnitudes."""
    return SlogdetResult(*_operators.linalg_slogdet(x))


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The solutions of `x1 @ x = x2`, where `x2` is one vector or a stack of matrices."""
    a, b = common(x1, x2)
    if b.ndim == 1:
        return _operators.linalg_solve(a, b.unsqueeze(-1)).squeeze(-1)
    # The operator takes a stack of vectors for what it is if it has a dimension less than `a`.
    return _operators.linalg_solve(a, b.reshape((1,) * (a.ndim - b.ndim) + tuple(b.shape)))


def svd(x: Tensor, /, *, full_matrices: builtins.bool = True) -> SVDResult:
    """The singular value decomposition."""
    return SVDResult(*_operators.linalg_svd(x, full_matrices))


def svdvals(x: Tensor, /) -> Tensor:
    """The singular values in descending order."""
    return _operators.linalg_svdvals(x)


def trace(x: Tensor, /, *, offset: int = 0, dtype: dtype | None = None) -> Tensor:
    """The sums of the elements of a diagonal."""
    return _operators.linalg_diagonal(x, offset=offset).sum(-1, dtype=sum_dtype(x, dtype))


def vector_norm(x: Tensor, /, *, axis: Any = None, keepdims: builtins.bool = False, ord: Any = 2) -> Tensor:
    """Norms of the vectors along axes."""
    dims = dims_of(x, axis)
    if not dims:
        return _operators.linalg_vector_norm(x.unsqueeze(-1), ord, (-1,))
    return _operators.linalg_vector_norm(x, ord, dims, keepdims)
