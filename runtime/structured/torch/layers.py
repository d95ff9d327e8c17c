"""Layers above the kernels of a library for PyTorch's stable ABI, which has none of them in C++: kernels for Autograd, for
Functionalize, for torch.func.vmap and for torch.autocast.

The library registers an operator for each function that computes gradients, and its Python package calls `register`.
"""
import torch
from torch._C import DispatchKey, DispatchKeySet

from . import _recording_functions as recording
from ._recording_functions import overload

_libraries = {}  # a registration lasts as long as its library


def register(derivatives, inplace, mutating, batched, elementwise, autocast, unrecorded):
    """Adds kernels for Autograd of operators, by name, and of in-place variants, for which the functional ones are recorded;
    kernels for Functionalize of variants that change their arguments, which call the functional ones and copy; batching rules,
    which call the operator for each element of the batch, or once for `elementwise` operators; and kernels for torch.autocast, by
    the rule that chooses the dtype. `unrecorded` has the names of twins, the same kernels without these layers."""
    for name, derivative in derivatives.items():
        recorder = recording.Recorder(overload(name), overload(unrecorded[name]), derivative, autocasts=name in autocast)
        _add(name, recorder, "Autograd", with_keyset=True)
    for name, functional in inplace.items():
        _add(name, recording.InplaceRecorder(overload(name), overload(functional)), "Autograd", with_keyset=True)
    for name, functional in mutating.items():
        _add(name, _Functionalized(overload(name), overload(functional)), "Functionalize")
    for name in batched:
        torch.library.register_vmap(name, _Batched(overload(name)), lib=_library_of(name))
    for name in elementwise:
        torch.library.register_vmap(name, _BatchedElementwise(overload(name)), lib=_library_of(name))
    for name, rule in autocast.items():
        for device, key in [("cpu", "AutocastCPU"), ("cuda", "AutocastCUDA")]:
            _add(name, _Autocast(overload(name), rule, device), key)


def function_of(operator):
    """The function of the package for an operator, an OpOverloadPacket, whose overloads it has as attributes, too."""
    overloads = {name: getattr(operator, name) for name in operator.overloads()}
    functional = [each for each in overloads.values() if not each._schema.is_mutable]
    function = recording.direct(functional[0], operator) if len(functional) == 1 else operator
    if function is operator:
        return operator
    for name, each in overloads.items():
        setattr(function, name, each)
    function.overloads = operator.overloads
    function.__name__ = function.__qualname__ = operator.__name__
    function.__doc__ = "\n".join(str(each._schema) for each in overloads.values())
    return function


def _library_of(name):
    namespace = name.partition("::")[0]
    if namespace not in _libraries:
        _libraries[namespace] = torch.library.Library(namespace, "IMPL")
    return _libraries[namespace]


def _add(name, kernel, key, **options):
    _library_of(name).impl(name.partition("::")[2], kernel, key, **options)


class _Functionalized:
    """Calls the functional variant, and copies its results to the arguments that the operator changes."""

    def __init__(self, op, functional):
        self.functional = functional
        changed = [argument for argument in op._schema.arguments if argument.alias_info and argument.alias_info.is_write]
        self.outputs = [argument.name for argument in changed if argument.kwarg_only]

    def __call__(self, *args, **kwargs):
        changed = [kwargs.pop(name) for name in self.outputs] or [args[0]]
        results = self.functional(*args, **kwargs)
        for tensor, result in zip(changed, results if isinstance(results, (list, tuple)) else [results]):
            if tensor.shape != result.shape:
                tensor.resize_(result.shape)
            tensor.copy_(result)
        return tuple(changed) if len(changed) > 1 else changed[0]


_AUTOCAST_KEYS = DispatchKeySet(DispatchKey.AutocastCPU) | DispatchKeySet(DispatchKey.AutocastCUDA)


class _Autocast:
    """Converts floating-point tensors on a device but for doubles, and calls the operator, whose own calls are not converted."""

    def __init__(self, op, rule, device):
        self.op, self.rule, self.device = op, rule, device

    def __call__(self, *args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST_KEYS):
            tensors, *_ = recording.split([*args, *kwargs.values()])
            dtype = self.rule([each.dtype for each in tensors if self._is_eligible(each)], torch.get_autocast_dtype(self.device))
            return self.op(*(self._converted(value, dtype) for value in args),
                           **{name: self._converted(value, dtype) for name, value in kwargs.items()})

    def _is_eligible(self, tensor):
        return tensor.is_floating_point() and tensor.dtype != torch.double and tensor.device.type == self.device

    def _converted(self, value, dtype):
        if isinstance(value, (list, tuple)):
            return [self._converted(each, dtype) for each in value]
        return value.to(dtype) if isinstance(value, torch.Tensor) and self._is_eligible(value) else value


def lower_precision(dtypes, lower):
    """The dtype of the autocast region."""
    return lower


def fp32(dtypes, lower):
    return torch.float


def promote(dtypes, lower):
    """The widest dtype among the tensors."""
    return torch.float if torch.float in dtypes else lower


class _Batched:
    """Calls the operator for each element of a batch."""

    def __init__(self, op):
        self.op, self.name = op, op._schema.name
        first = op._schema.arguments[0] if op._schema.arguments else None
        self.is_inplace = first is not None and first.alias_info is not None and first.alias_info.is_write

    def __call__(self, info, in_dims, *args, **kwargs):
        if self.is_inplace and in_dims[0] is None:
            raise RuntimeError(f"vmap: {self.name} cannot write to its first argument, which has no batch dimension")
        if info.batch_size == 0:
            raise RuntimeError(f"{self.name}: vmap over a dimension of size 0 needs an operator of PyTorch")
        calls = [self.op(*(_element(value, dim, index) for value, dim in zip(args, in_dims)), **kwargs)
                 for index in range(info.batch_size)]
        if self.is_inplace:
            return args[0], in_dims[0]
        if not isinstance(calls[0], (list, tuple)):
            return torch.stack(calls), 0
        results = [torch.stack(each) for each in zip(*calls)]
        return type(calls[0])(results), type(calls[0])([0] * len(results))


class _BatchedElementwise(_Batched):
    """Calls the operator once, with the dimension of the batch in front of those that broadcast."""

    def __call__(self, info, in_dims, *args, **kwargs):
        if self.is_inplace and in_dims[0] is None:
            raise RuntimeError(f"vmap: {self.name} cannot write to its first argument, which has no batch dimension")
        tensors = [(value, dim) for value, dim in zip(args, in_dims) if isinstance(value, torch.Tensor)]
        ranks = [value.dim() - (dim is not None) for value, dim in tensors]
        # A tensor without dimensions counts less in type promotion, unless it has one for the batch.
        if 0 in ranks and max(ranks) > 0 and len({value.dtype for value, _ in tensors}) > 1:
            return super().__call__(info, in_dims, *args, **kwargs)
        result = self.op(*(value if dim is None else _with_batch_in_front(value, dim, max(ranks))
                           for value, dim in zip(args, in_dims)), **kwargs)
        return (args[0], in_dims[0]) if self.is_inplace else (result, 0)


def _with_batch_in_front(value, dim, rank):
    value = value.movedim(dim, 0)
    return value[(slice(None), *[None] * (rank - value.dim() + 1))]


def _element(value, dim, index):
    if isinstance(dim, (list, tuple)):
        return [_element(each, its_dim, index) for each, its_dim in zip(value, dim)]
    return value if dim is None else value.select(dim, index)
