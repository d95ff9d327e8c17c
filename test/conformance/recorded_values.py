"""Conversion between PyTorch values and the JSON of recorded calls, which README.md describes."""
import base64


class Unrecordable(Exception):
    """A value that the format cannot represent, or that a record does not determine."""


def encoded(torch, value):
    """Returns the JSON of a value."""
    if isinstance(value, torch.Tensor):
        return {'tensor': encoded_tensor(torch, value.detach())}
    if isinstance(value, (list, tuple)):
        return {'list': [encoded(torch, each) for each in value]}
    if value is None or isinstance(value, (bool, int, str)):  # bool before int, which includes it
        return {{type(None): 'none', bool: 'bool', str: 'str'}.get(type(value), 'int'): value}
    if isinstance(value, float):
        return {'float': encoded_real(value)}
    if isinstance(value, complex):
        return {'complex': [encoded_real(value.real), encoded_real(value.imag)]}
    if isinstance(value, torch.Generator):
        return {'generator': value.initial_seed()}
    for kind in ('dtype', 'memory_format', 'layout'):
        if isinstance(value, getattr(torch, kind)):
            return {kind: str(value).removeprefix('torch.')}
    if isinstance(value, torch.device):
        return {'device': str(value)}
    raise Unrecordable(f'a value of type {type(value).__name__}')


def encoded_real(number):
    return number.hex() if number - number == 0 else str(number)  # 'nan', 'inf', '-inf'


def encoded_tensor(torch, tensor):
    if tensor.layout != torch.strided or tensor.is_quantized or tensor.is_meta:
        raise Unrecordable(f'a tensor of {tensor.layout}')
    tensor = tensor.resolve_conj().resolve_neg()
    storage = tensor.storage()
    whole = torch.empty(0, dtype=tensor.dtype).set_(storage, 0, (storage.nbytes() // tensor.element_size(),), (1,))
    data = whole.view(torch.uint8).numpy().tobytes() if whole.numel() else b''
    return {'dtype': str(tensor.dtype).removeprefix('torch.'), 'shape': list(tensor.shape),
            'strides': list(tensor.stride()), 'offset': tensor.storage_offset(),
            'storage': base64.b64encode(data).decode()}


def decoded(torch, value):
    """Returns the value of JSON. Tensors are newly created."""
    (tag, content), = value.items()
    if tag == 'tensor':
        return decoded_tensor(torch, content)
    if tag == 'list':
        return [decoded(torch, each) for each in content]
    if tag == 'float':
        return float.fromhex(content)
    if tag == 'complex':
        return complex(*map(float.fromhex, content))
    if tag in ('dtype', 'memory_format', 'layout'):
        return getattr(torch, content)
    if tag == 'device':
        return torch.device(content)
    if tag == 'generator':
        return torch.Generator().manual_seed(content)
    return content  # int, bool, str, none


def untyped_storage(tensor):
    """The memory of a tensor, which PyTorch 1.13 has no method for."""
    return tensor.untyped_storage() if hasattr(tensor, 'untyped_storage') else tensor.storage()._storage


def decoded_tensor(torch, recorded):
    result = torch.empty(0, dtype=getattr(torch, recorded['dtype']))
    data = bytearray(base64.b64decode(recorded['storage']))
    shape, strides, offset = recorded['shape'], recorded['strides'], recorded['offset']
    end = 0 if 0 in shape else offset + sum((n - 1) * s for n, s in zip(shape, strides)) + 1
    if end * result.element_size() > len(data):
        raise Unrecordable('a tensor that is larger than what was recorded of its storage')
    flat = torch.frombuffer(data, dtype=torch.uint8).clone() if data else torch.empty(0, dtype=torch.uint8)
    return result.set_(untyped_storage(flat), offset, shape, strides)
