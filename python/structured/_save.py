"""Files of tensors: NumPy's .npy for one tensor, .npz for a dictionary, and .safetensors through its package."""
from __future__ import annotations

import os

from structured import _core
from structured._core import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# Names of dtypes in .safetensors files.
_SAFETENSORS_NAMES = {
    "BOOL": _core.bool, "U8": _core.uint8, "I8": _core.int8, "I16": _core.int16, "I32": _core.int32, "I64": _core.int64,
    "F16": _core.float16, "BF16": _core.bfloat16, "F32": _core.float32, "F64": _core.float64, "C64": _core.complex64}


def _safetensors() -> Any:
    import importlib

    return importlib.import_module("safetensors")


def _contiguous_for_safetensors(tensor: Any) -> Tensor:
    if not isinstance(tensor, _core.Tensor):
        raise TypeError(f"save: expected a Tensor, got {type(tensor).__name__}")
    if tensor.dtype not in _SAFETENSORS_NAMES.values():
        raise TypeError(f"save: .safetensors files have no elements of type {tensor.dtype}; use .npz")
    return tensor.detach().clone(memory_format=_core.contiguous_format)


def _save_safetensors(tensors: dict[str, Tensor], path: str) -> None:
    library = _safetensors()
    rows = {name: _contiguous_for_safetensors(tensor) for name, tensor in tensors.items()}
    entries = {}
    for name, tensor in rows.items():
        dtype, shape = repr(tensor.dtype).partition(".")[2], list(tensor.shape)
        if hasattr(library, "TensorSpec"):  # from version 0.8 on
            entries[name] = library.TensorSpec(
                dtype=dtype, shape=shape, data_ptr=tensor.data_ptr(), data_len=tensor.nbytes)
        else:
            data = bytes(memoryview(_core._bytes_of_storage(tensor)))[:tensor.nbytes]
            entries[name] = {"dtype": dtype, "shape": shape, "data": data}
    library.serialize_file(entries, path)


def _from_safetensors_entry(entry: dict[str, Any]) -> Tensor:
    dtype, shape = _SAFETENSORS_NAMES.get(entry["dtype"]), tuple(entry["shape"])
    if dtype is None:
        raise TypeError(f"load: no dtype corresponds to `{entry['dtype']}`")
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return _core._from_storage(bytearray(entry["data"]), dtype, shape, tuple(strides), 0)


def save(tensors: Tensor | dict[str, Tensor], path: str | os.PathLike[str]) -> None:
    """Writes a tensor to a .npy file, a dictionary of tensors to a .npz file, or one to a .safetensors file."""
    path = os.fspath(path)
    if isinstance(tensors, dict) and path.endswith(".safetensors"):
        _save_safetensors(tensors, path)
    elif isinstance(tensors, _core.Tensor):
        _core._save(path, None, [tensors])
    elif isinstance(tensors, dict):
        _core._save(path, list(tensors), list(tensors.values()))
    else:
        raise TypeError(f"save: expected a Tensor or a dict of Tensors, got {type(tensors).__name__}")


def load(path: str | os.PathLike[str]) -> Any:
    """Reads what save() has written: a Tensor, or a dictionary of Tensors."""
    path = os.fspath(path)
    if path.endswith(".safetensors"):
        with open(path, "rb") as file:
            return {name: _from_safetensors_entry(entry) for name, entry in _safetensors().deserialize(file.read())}
    with open(path, "rb") as file:
        is_archive = file.read(2) == b"PK"
    return _core._load_npz(path) if is_archive else _core._load_npy(path)
