"""Files of tensors: NumPy's .npy for one tensor, .npz for a dictionary, and .safetensors through its package."""
import os

from structured import _core


def save(tensors, path):
    """Writes a tensor to a .npy file, a dictionary of tensors to a .npz file, or one to a .safetensors file."""
    path = os.fspath(path)
    if str(path).endswith(".safetensors"):
        from safetensors.numpy import save_file

        save_file({name: tensor.detach().numpy() for name, tensor in tensors.items()}, path)
    elif isinstance(tensors, _core.Tensor):
        _core._save(path, None, [tensors])
    elif isinstance(tensors, dict):
        _core._save(path, list(tensors), list(tensors.values()))
    else:
        raise TypeError(f"save: expected a Tensor or a dict of Tensors, got {type(tensors).__name__}")


def load(path):
    """Reads what save() has written: a Tensor, or a dictionary of Tensors."""
    path = os.fspath(path)
    if str(path).endswith(".safetensors"):
        from safetensors.numpy import load_file

        return {name: _core.tensor(array) for name, array in load_file(path).items()}
    with open(path, "rb") as file:
        is_archive = file.read(2) == b"PK"
    return _core._load_npz(path) if is_archive else _core._load_npy(path)
