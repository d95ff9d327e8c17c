from typing import TypeAlias

from structured._core import Generator as Generator
from structured._core import Tensor as Tensor
from structured._core import device as device
from structured._core import dtype as dtype
from structured._core import layout as layout
from structured._core import memory_format as memory_format
from structured._core import qscheme as qscheme

Number: TypeAlias = int | float | complex | bool
DTypeLike: TypeAlias = dtype | type
DeviceLike: TypeAlias = device | str
