"""Methods of Tensor that are written in Python."""
import weakref

from structured import _core, _operators
from structured._core import Tensor


def _method(function):
    setattr(Tensor, function.__name__, function)
    return function


@_method
def __format__(self, specification):
    if self.dim() == 0 and specification:
        return format(self.item(), specification)
    return object.__format__(self, specification)


@_method
def __complex__(self):
    return complex(self.item())


@_method
def __round__(self, decimals=0):
    return self.round(decimals=decimals)


@_method
def requires_grad_(self, requires_grad=True):
    """Starts or ends recording; returns the tensor."""
    self.requires_grad = requires_grad
    return self


class RemovableHandle:
    """Removes a hook."""

    def __init__(self, hook):
        self.hook = hook

    def __call__(self, *gradients):
        return None if self.hook is None else self.hook(*gradients)

    def remove(self):
        self.hook = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


@_method
def register_hook(self, hook):
    """Calls `hook` with each gradient that arrives at this tensor; the hook may return another gradient. Returns a handle
    whose method remove() removes the hook."""
    handle = RemovableHandle(hook)
    _core._register_hook(self, handle)
    return handle


@_method
def register_post_accumulate_grad_hook(self, hook):
    """Calls `hook` with this leaf after each backward pass that has added to its gradient."""
    handle = RemovableHandle(lambda gradient: hook(self))
    _core._register_leaf_hook(self, handle)
    return handle


@_method
def _is_view(self):
    return self._base is not None and not self.is_inference()


@_method
def retain_grad(self):
    """Keeps the gradient of a tensor that is not a leaf."""
    _core._retain_grad(self)


class Node:
    """The recorded call that computed a tensor. Attributes of the context of a Function are attributes of its node."""

    def __init__(self, node):
        self._node = node
        self.metadata = {}  # values of the user

    def name(self):
        """The name of the call's derivative."""
        return _core._node_name(self._node)

    @property
    def next_functions(self):
        """For each input, the node that computed it, or None, and the number of the node's result."""
        return tuple((_as_node(node), output) for node, output in _core._node_next(self._node))

    def register_hook(self, hook):
        """Calls `hook(grad_inputs, grad_outputs)` after the node has run in a backward pass. The hook may return other
        gradients of the inputs. Returns a handle whose method remove() removes the hook."""
        handle = RemovableHandle(hook)
        _core._add_node_hook(self._node, handle)
        return handle

    def register_prehook(self, hook):
        """Calls `hook(grad_outputs)` before the node runs in a backward pass. The hook may return other gradients."""
        handle = RemovableHandle(hook)
        _core._add_node_prehook(self._node, handle)
        return handle

    def __getattr__(self, name):
        function = _core._node_function(self._node)
        if function is None or name.startswith("_"):
            raise AttributeError(f"'{self.__class__.__name__}' object has no attribute '{name}'")
        return getattr(function.context, name)

    def __repr__(self):
        return f"<{self.name()}>"


_node_types = {}
_nodes = weakref.WeakValueDictionary()  # by address: a node has one object as long as that is used


def _as_node(node):
    if node is None:
        return None
    found = _nodes.get(_core._node_address(node))
    if found is None:
        name = _core._node_name(node)
        if name not in _node_types:
            _node_types[name] = Node.__class__(name, (Node,), {})
        found = _nodes[_core._node_address(node)] = _node_types[name](node)
    return found


def _grad_fn(self):
    return _as_node(_core._grad_fn(self))


setattr(Tensor, "grad_fn", property(_grad_fn, doc="The recorded call that computed the tensor, or None."))


setattr(Tensor, "true_divide", Tensor.div)
setattr(Tensor, "true_divide_", Tensor.div_)


def _part(self, index, name):
    if not self.is_complex():
        raise RuntimeError(f"{name} is not implemented for tensors with non-complex dtypes.")
    return _operators.view_as_real(self).select(-1, index)


def _set_real(self, value):
    self.real.copy_(value if isinstance(value, Tensor) else _core.tensor(value))


def _set_imag(self, value):
    self.imag.copy_(value if isinstance(value, Tensor) else _core.tensor(value))


setattr(Tensor, "real", property(
    lambda self: _part(self, 0, "real") if self.is_complex() else self, _set_real,
    doc="The real parts, a view; the tensor itself if it is not complex."))
setattr(Tensor, "imag", property(
    lambda self: _part(self, 1, "imag"), _set_imag, doc="The imaginary parts of a complex tensor, a view."))


def _adjoint(self):
    if self.dim() not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.")
    return self.mH if self.dim() else self.conj()


setattr(Tensor, "H", property(_adjoint, doc="The matrix transposed, with conjugated elements."))
setattr(Tensor, "mH", property(
    lambda self: self.mT.conj() if self.is_complex() else self.mT,
    doc="The tensor with its last two dimensions exchanged and conjugated elements."))


@_method
def adjoint(self):
    """The tensor with its last two dimensions exchanged and conjugated elements."""
    return self.mH


def _conversion(name, dtype):
    def convert(self, memory_format=_core.preserve_format):
        return self.to(dtype, memory_format=memory_format)

    convert.__name__ = name
    convert.__doc__ = f"The tensor with elements of type {dtype}; the tensor itself if it has them already."
    _method(convert)


for _dtype in _core._dtypes:
    if _dtype._method is not None:
        _conversion(_dtype._method, _dtype)


@_method
def to(self, *arguments, **keywords):
    """to(device, dtype=None), to(dtype) or to(other), with the keywords non_blocking, copy and memory_format: the tensor
    with another device or dtype; the tensor itself if it has them already."""
    if arguments and isinstance(arguments[0], (str, _core.device)):
        keywords["device"] = arguments[0]
        if len(arguments) > 1:
            keywords["dtype"] = arguments[1]
        arguments = arguments[2:]
    result = _operators.to(self, *arguments, **keywords)
    return self if self.is_set_to(result) else result


@_method
def cpu(self):
    """The tensor on the host; the tensor itself if it is there already."""
    return self if self.is_cpu else self.to("cpu")


@_method
def type(self, dtype=None):
    """The tensor with elements of type `dtype`; without an argument the name of its type."""
    return repr(self.dtype) if dtype is None else self.to(dtype)


@_method
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    """A tensor with the elements of `data` and this tensor's dtype and device, unless others are given."""
    return _core.tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


@_method
def __array_namespace__(self, *, api_version=None):
    """The namespace of the Python array API standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"expected a version of the array API from 2021.12 to 2024.12, got {api_version}")
    from structured import array_api

    return array_api


@_method
def to_device(self, device, /, *, stream=None):
    """The tensor on another device; the tensor itself if it is there already."""
    if stream is not None:
        raise ValueError("to_device: stream must be None for a tensor on cpu")
    return self if _core.device(device) == self.device else self.to(device)


def _as_subclass(result, cls):
    """The tensors of a result as objects of a subclass."""
    if isinstance(result, Tensor):
        return _core._make(cls, result) if _core._is_exact(result) and cls is not Tensor else result
    if isinstance(result, (tuple, list)):
        items = [_as_subclass(each, cls) for each in result]
        return result.__class__(items)
    return result


def _structured_function(cls, function, types, args=(), kwargs=None):
    """Runs a function or method that got an object of this class. Overridden by subclasses; results of this method have the
    class of `cls`."""
    previous = _core._disable_overrides(True)
    try:
        result = function(*args, **(kwargs or {}))
    finally:
        _core._disable_overrides(previous)
    return _as_subclass(result, cls)


setattr(Tensor, "__structured_function__", classmethod(_structured_function))


@_method
def as_subclass(self, cls):
    """The tensor as an object of a subclass of Tensor."""
    return _core._make(cls, self)


# Pickling. Tensors of one pickle that share a storage share one object, which pickle stores once.


class _StorageBytes:
    """The bytes of a storage. Pickle recognises the object when it meets it again."""

    def __init__(self, data, version=None):
        self.data = data
        self.version = version

    def __reduce__(self):
        return _StorageBytes, (self.data,)


_storages = weakref.WeakValueDictionary()  # by address; a pickle that is being written keeps its objects


def _storage_of(tensor):
    address, version = tensor._storage_pointer(), tensor._version
    found = _storages.get(address)
    if found is None or found.version != version or len(found.data) != tensor._storage_bytes():
        found = _StorageBytes(bytearray(memoryview(_core._bytes_of_storage(tensor))), version)
        _storages[address] = found
    return found


def _rebuild(storage, dtype, sizes, strides, offset, requires_grad):
    tensor = _core._from_storage(storage.data, dtype, sizes, strides, offset)
    return tensor.requires_grad_() if requires_grad else tensor


@_method
def __reduce_ex__(self, protocol):
    if not self.is_leaf:
        raise RuntimeError("only leaves can be pickled and copied deeply; use detach()")
    requires_grad = self.requires_grad
    data = self.detach()
    return _rebuild, (
        _storage_of(data), self.dtype, tuple(self.shape), tuple(self.stride()), self.storage_offset(), requires_grad)


@_method
def __deepcopy__(self, memory):
    if not self.is_leaf:
        raise RuntimeError("only leaves can be pickled and copied deeply; use detach()")
    copy = self.detach().clone()
    if self.requires_grad:
        copy.requires_grad_()
    memory[id(self)] = copy
    return copy


@_method
def __copy__(self):
    return self.detach().requires_grad_(self.requires_grad) if self.is_leaf else self


__all__ = ["Tensor"]
