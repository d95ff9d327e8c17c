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


def encoded_call(torch, args, kwargs):
    """Returns the JSON of a call's arguments, `args` and `kwargs`. Tensors that share a storage have a number in common."""
    call = {'args': [encoded(torch, value) for value in args],
            'kwargs': {name: encoded(torch, value) for name, value in kwargs.items()}}
    memory = {}
    for value, written in zip([*args, *kwargs.values()], [*call['args'], *call['kwargs'].values()]):
        for tensor, content in tensors_of(torch, value, written):
            if content['storage']:
                memory.setdefault(untyped_storage(tensor).data_ptr(), []).append(content)
    for number, contents in enumerate(each for each in memory.values() if len(each) > 1):
        for content in contents:
            content['memory'] = number
    return call


def tensors_of(torch, value, written):
    """Pairs of a tensor in `value` and its JSON in `written`."""
    if isinstance(value, torch.Tensor):
        yield value, written['tensor']
    elif isinstance(value, (list, tuple)):
        for each, content in zip(value, written['list']):
            yield from tensors_of(torch, each, content)


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


def decoded_call(torch, call):
    """Returns `args` and `kwargs` of a recorded call. Tensors are newly created, and share memory where recorded ones did."""
    memory = {}
    return ([decoded(torch, value, memory) for value in call['args']],
            {name: decoded(torch, value, memory) for name, value in call['kwargs'].items()})


def decoded(torch, value, memory=None):
    """Returns the value of JSON. `memory` has the storages of earlier arguments of the call, by number."""
    (tag, content), = value.items()
    if tag == 'tensor':
        return decoded_tensor(torch, content, memory)
    if tag == 'list':
        return [decoded(torch, each, memory) for each in content]
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


def decoded_tensor(torch, recorded, memory=None):
    result = torch.empty(0, dtype=getattr(torch, recorded['dtype']))
    data = bytearray(base64.b64decode(recorded['storage']))
    shape, strides, offset = recorded['shape'], recorded['strides'], recorded['offset']
    end = 0 if 0 in shape else offset + sum((n - 1) * s for n, s in zip(shape, strides)) + 1
    if end * result.element_size() > len(data):
        raise Unrecordable('a tensor that is larger than what was recorded of its storage')
    flat = torch.frombuffer(data, dtype=torch.uint8).clone() if data else torch.empty(0, dtype=torch.uint8)
    storage = untyped_storage(flat)
    if memory is not None and 'memory' in recorded:
        storage = memory.setdefault(recorded['memory'], storage)
    return result.set_(storage, offset, shape, strides)
