"""Functions of the package that are no operators."""
from structured import _core

__all__ = ["asarray", "detach", "is_tensor", "is_floating_point", "is_complex", "numel", "result_type", "seed"]


def asarray(data, *, dtype=None, device=None, copy=None):
    """A tensor with the elements of `data`; shares memory unless `copy` is True. Raises ValueError if `copy` is False and
    the memory cannot be shared."""
    if copy is True:
        return _core.tensor(data, dtype=dtype, device=device)
    result = _core.as_tensor(data, dtype, device)
    if copy is False and isinstance(data, (list, tuple, int, float, complex)):
        raise ValueError("asarray: Python numbers and sequences cannot be shared; expected copy=None or copy=True")
    return result


def detach(input):
    """A tensor on this data without history."""
    return input.detach()


def is_tensor(value):
    """Whether the value is a Tensor."""
    return isinstance(value, _core.Tensor)


def is_floating_point(input):
    """Whether the elements are real floating-point numbers."""
    return input.is_floating_point()


def is_complex(input):
    """Whether the elements are complex numbers."""
    return input.is_complex()


def numel(input):
    """Number of elements."""
    return input.numel()


def _category(dtype):
    if dtype == _core.bool:
        return 0
    if dtype.is_complex:
        return 3
    return 2 if dtype.is_floating_point else 1


def result_type(a, b):
    """The dtype that arithmetic on two tensors or numbers gives. Tensors with dimensions count more than those without, and
    these more than numbers, unless the category (Bool, integer, floating-point, complex) of the others is higher."""
    groups = {0: None, 1: None, 2: None}
    for value in (a, b):
        if isinstance(value, _core.Tensor):
            rank, dtype = (0 if value.dim() else 1), value.dtype
        else:
            rank, dtype = 2, _core.tensor(value).dtype
        known = groups[rank]
        groups[rank] = dtype if known is None else _core.promote_types(known, dtype)
    result = None
    for dtype in groups.values():
        if dtype is None:
            continue
        if result is None or _category(dtype) > _category(result):
            result = dtype if result is None else _core.promote_types(result, dtype)
    return result


def seed():
    """Restarts the default generators with a random seed, which it returns."""
    import os

    value = int.from_bytes(os.urandom(8), "little")
    _core.manual_seed(value)
    return value
