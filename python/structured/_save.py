"""Files of values: PyTorch's format, NumPy's .npy and .npz, and .safetensors through its package."""
from __future__ import annotations

import os

from structured import _core
from structured._core import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# Names of dtypes in .safetensors files.
_SAFETENSORS_NAMES = {dtype._safetensors: dtype for dtype in _core._dtypes if dtype._safetensors is not None}


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
    temporary = f"{path}.tmp.{os.getpid()}"
    try:
        library.serialize_file(entries, temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


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


def save(value: Any, path: str | os.PathLike[str]) -> None:
    """Writes a file. The name's end chooses the format: `.npy` for one tensor, `.npz` or `.safetensors` for a dictionary of
    tensors, and for other names that of torch.save, for tensors, numbers, strings and None in lists, tuples and
    dictionaries. An older file is replaced when the new one is complete."""
    path = os.fspath(path)
    end = os.path.splitext(path)[1]
    if end not in (".npy", ".npz", ".safetensors"):
        _core._save_value(path, value)
    elif end == ".npy":
        if not isinstance(value, _core.Tensor):
            raise TypeError(f"save: .npy files hold one Tensor, got {type(value).__name__}; use .npz or .pt")
        _core._save(path, None, [value])
    elif not isinstance(value, dict):
        raise TypeError(f"save: {end} files hold a dict of Tensors, got {type(value).__name__}; use .pt")
    elif end == ".npz":
        _core._save(path, list(value), list(value.values()))
    else:
        _save_safetensors(value, path)


def load(path: str | os.PathLike[str]) -> Any:
    """Reads what save() or torch.save() has written. Names of classes and functions in a file are data and never called."""
    path = os.fspath(path)
    if path.endswith(".safetensors"):
        with open(path, "rb") as file:
            return {name: _from_safetensors_entry(entry) for name, entry in _safetensors().deserialize(file.read())}
    with open(path, "rb") as file:
        start = file.read(30)
        first = file.read(int.from_bytes(start[26:28], "little")) if start.startswith(b"PK\3\4") else b""
    if not start.startswith(b"PK"):
        return _core._load_npy(path)
    # Members of an archive of NumPy are .npy files. One without members has no local header.
    return _core._load_npz(path) if first.endswith(b".npy") or not first else _core._load_value(path)
