"""Functions of the package that are no operators."""
from __future__ import annotations

from structured import _core, _operators
from structured._core import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtins import bool, int
    from typing import Any

    from structured._types import DeviceLike, DTypeLike

__all__ = [
    "adjoint", "asarray", "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "detach",
    "einsum", "get_printoptions", "get_rng_state", "imag", "initial_seed", "is_complex", "is_floating_point",
    "is_inference", "is_tensor", "meshgrid", "numel", "printoptions", "real", "result_type", "seed",
    "set_printoptions", "set_rng_state", "true_divide", "unique"]


def adjoint(tensor: Tensor) -> Tensor:
    """The tensor with its last two dimensions exchanged and conjugated elements."""
    return tensor.mH


def real(tensor: Tensor) -> Tensor:
    """The real parts, a view; the tensor itself if it is not complex."""
    return tensor.real


def imag(tensor: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor, a view."""
    return tensor.imag


def is_inference(tensor: Tensor) -> bool:
    """Whether the data of the tensor were created in inference_mode."""
    return tensor.is_inference()


true_divide = _operators.div


def unique(
    tensor: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements of a tensor, or its different slices along `dim`; then the index of each element among them,
    and how often each occurs, where these are asked for."""
    if dim is None:
        results = _operators._unique2(tensor, sorted, return_inverse, return_counts)
    else:
        results = _operators.unique_dim(tensor, dim, sorted, return_inverse, return_counts)
    wanted = [True, return_inverse, return_counts]
    found = tuple(result for result, is_wanted in zip(results, wanted) if is_wanted)
    return found if len(found) > 1 else found[0]


def asarray(
    data: Any, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None, copy: bool | None = None,
) -> Tensor:
    """A tensor with the elements of `data`; shares memory unless `copy` is True. Raises ValueError if `copy` is False and
    the memory cannot be shared."""
    if copy is True:
        return _core.tensor(data, dtype=dtype, device=device)
    if copy is None:
        return _core.as_tensor(data, dtype, device)
    return _shared(data, dtype, device)


def _shared(data: Any, dtype: DTypeLike | None, device: DeviceLike | None) -> Tensor:
    """A tensor on the memory of `data`. Raises ValueError if there is none, or if it would have to be copied."""
    if isinstance(data, _core.Tensor):
        tensor = data
    else:
        try:
            tensor = _core.from_numpy(data)
        except TypeError:
            raise ValueError(
                f"asarray: objects of type {data.__class__.__name__} cannot be shared; expected copy=None or copy=True"
            ) from None
    converted = _core.as_tensor(tensor, dtype, device)
    if converted.dtype != tensor.dtype or converted.device != tensor.device:
        raise ValueError(f"asarray: a conversion from {tensor.dtype} on {tensor.device} to {converted.dtype} on "
                         f"{converted.device} needs a copy; expected copy=None or copy=True")
    return converted


def _tensors(arguments: tuple[Any, ...]) -> Any:
    """The tensors of a call that has them as separate arguments or as one sequence."""
    is_sequence = len(arguments) == 1 and isinstance(arguments[0], (list, tuple))
    return arguments[0] if is_sequence else arguments


def _each_or_one(function: Any) -> Any:
    def call(*tensors: Any) -> Any:
        given = _tensors(tensors)
        return function(given[0]) if len(tensors) == 1 and given is tensors else tuple(map(function, given))

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    return call


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """The tensors, which may be separate arguments, in their common shape."""
    return _operators.broadcast_tensors(_tensors(tensors))


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Coordinates of a grid from vectors, which may be separate arguments. With `indexing` `xy`, the first two dimensions are
    exchanged."""
    return _operators.meshgrid(_tensors(tensors), indexing=indexing)


def block_diag(*tensors: Any) -> Tensor:
    """A matrix with the given matrices, which may be separate arguments, on its diagonal."""
    return _operators.block_diag(_tensors(tensors))


def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum of products by Einstein's convention, of operands that may be separate arguments."""
    return _operators.einsum(equation, _tensors(operands))


atleast_1d, atleast_2d, atleast_3d = map(
    _each_or_one, (_operators.atleast_1d, _operators.atleast_2d, _operators.atleast_3d))


def detach(input: Tensor) -> Tensor:
    """A tensor on this data without history."""
    return input.detach()


def is_tensor(value: Any) -> bool:
    """Whether the value is a Tensor."""
    return isinstance(value, _core.Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are real floating-point numbers."""
    return input.is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers."""
    return input.is_complex()


def numel(input: Tensor) -> int:
    """Number of elements."""
    return input.numel()


def _category(dtype: _core.dtype) -> int:
    if dtype == _core.bool:
        return 0
    if dtype.is_complex:
        return 3
    return 2 if dtype.is_floating_point else 1


def result_type(a: Any, b: Any) -> _core.dtype:
    """The dtype that arithmetic on two tensors or numbers gives. Tensors with dimensions count more than those without, and
    these more than numbers, unless the category (Bool, integer, floating-point, complex) of the others is higher."""
    groups: dict[int, _core.dtype | None] = {0: None, 1: None, 2: None}
    for value in (a, b):
        if isinstance(value, _core.Tensor):
            rank, dtype = (0 if value.dim() else 1), value.dtype
        else:
            rank, dtype = 2, _core.tensor(value).dtype
        known = groups[rank]
        groups[rank] = dtype if known is None else _core.promote_types(known, dtype)
    result: _core.dtype | None = None
    for found in groups.values():
        if found is not None and (result is None or _category(found) > _category(result)):
            is_complex_of_real = result is not None and found.is_complex and result.is_floating_point
            result = result.to_complex() if is_complex_of_real and result is not None else found
    assert result is not None
    return result


def seed() -> int:
    """Restarts the default generators with a random seed, which it returns."""
    import os

    value = int.from_bytes(os.urandom(8), "little")
    _core.manual_seed(value)
    return value


def initial_seed() -> int:
    """The seed of the default generator."""
    return _core._default_generator().initial_seed()


def get_rng_state() -> tuple[int, int]:
    """The seed of the default generator and the position in its sequence."""
    return _core._default_generator().get_state()


def set_rng_state(state: tuple[int, int]) -> None:
    """Restores what get_rng_state() returned."""
    _core._default_generator().set_state(state)


_PRINT_NAMES = ("precision", "threshold", "edgeitems", "linewidth")
_PRINT_PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, 2**63 - 1, 3, 80)}


def get_printoptions() -> dict[str, int]:
    """The options of set_printoptions() as a dictionary."""
    return dict(zip(_PRINT_NAMES, _core._print_options()))


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, edgeitems: int | None = None,
    linewidth: int | None = None, profile: str | None = None,
) -> None:
    """Sets how tensors are printed: the digits after the point, the number of elements from which on a text is shortened,
    the elements at each end of a shortened dimension, and the width of lines. `profile` sets all four: `default`, `short`
    or `full`."""
    if profile is not None and profile not in _PRINT_PROFILES:
        raise ValueError(f"set_printoptions: expected one of {', '.join(_PRINT_PROFILES)}, got `{profile}`")
    start = _core._print_options() if profile is None else _PRINT_PROFILES[profile]
    given = (precision, threshold, edgeitems, linewidth)
    precision, threshold, edgeitems, linewidth = (old if new is None else new for old, new in zip(start, given))
    _core._set_print_options(precision, threshold, edgeitems, linewidth)


class printoptions:
    """Sets print options in a `with` block."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def __enter__(self) -> None:
        self.previous = _core._print_options()
        set_printoptions(**self.options)

    def __exit__(self, *exception: object) -> None:
        _core._set_print_options(*self.previous)
