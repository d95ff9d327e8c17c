"""Types in the signatures of operators, for stubs."""
from structured._core import Generator, Tensor, device, dtype, layout, memory_format, qscheme

Number = "int | float | complex | bool"
DTypeLike = "dtype | type"
DeviceLike = "device | str"

__all__ = ["DTypeLike", "DeviceLike", "Generator", "Number", "Tensor", "device", "dtype", "layout", "memory_format", "qscheme"]
