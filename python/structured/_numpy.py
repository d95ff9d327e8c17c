"""Tensors as arrays of NumPy: conversion, and functions of NumPy that get tensors."""
from structured import _core
from structured._core import Tensor


def _method(function):
    setattr(Tensor, function.__name__, function)
    return function


@_method
def numpy(self, *, force=False):
    """The elements as a numpy.ndarray that shares memory with the tensor. `force` detaches a tensor that requires
    gradients."""
    import numpy

    if self.requires_grad:
        if not force and _core.is_grad_enabled():
            raise RuntimeError("numpy: the tensor requires gradients; use detach().numpy()")
        self = self.detach()
    return numpy.asarray(memoryview(self)) if self.dim() else numpy.frombuffer(self, dtype=_numpy_dtype(self)).reshape(())


def _numpy_dtype(tensor):
    import numpy

    return numpy.asarray(memoryview(tensor.reshape(1))).dtype


@_method
def __array__(self, dtype=None, copy=None):
    array = self.numpy()
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"__array__: a conversion from {array.dtype} to {dtype} needs a copy")
        return array.astype(dtype)
    return array.copy() if copy else array


@_method
def __array_wrap__(self, array, context=None, return_scalar=False):
    """A tensor on the memory of an array, which a function of NumPy has computed from tensors."""
    return _core.from_numpy(array)


# Names in the module `operator` for functions that NumPy's arrays call for Python's operators.
_OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv",
    "floor_divide": "floordiv", "remainder": "mod", "power": "pow", "matmul": "matmul", "bitwise_and": "and_",
    "bitwise_or": "or_", "bitwise_xor": "xor", "left_shift": "lshift", "right_shift": "rshift", "equal": "eq",
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}


def _has_own_functions(value):
    """Whether functions of NumPy leave the work to this operand, which is neither a tensor nor an array."""
    import numpy

    own = getattr(value.__class__, "__array_ufunc__", numpy.ndarray.__array_ufunc__)
    return own not in (numpy.ndarray.__array_ufunc__, Tensor.__array_ufunc__)


def _operand(value):
    """A tensor or a number of Python for an operand; None for others."""
    import numpy

    if isinstance(value, numpy.ndarray):
        return _core.as_tensor(value)
    if isinstance(value, numpy.generic):
        return value.item()
    return value if isinstance(value, (Tensor, int, float, complex)) else None


@_method
def __array_ufunc__(self, ufunc, method, *inputs, out=(), **keywords):
    """Result of a function of NumPy with a tensor among its operands. Python's operators on an array and a tensor are those
    of tensors; other functions compute with arrays."""
    import operator

    import numpy

    if any(map(_has_own_functions, inputs)):
        return NotImplemented
    if method == "__call__" and not out and not keywords and ufunc.__name__ in _OPERATORS:
        operands = [_operand(value) for value in inputs]
        if all(value is not None for value in operands):
            return getattr(operator, _OPERATORS[ufunc.__name__])(*operands)
    arrays = [value.numpy() if isinstance(value, Tensor) else value for value in inputs]
    if out:
        keywords["out"] = tuple(value.numpy() if isinstance(value, Tensor) else value for value in out)
    results = getattr(ufunc, method)(*arrays, **keywords)
    if out:
        return out[0] if len(out) == 1 else out
    if isinstance(results, tuple):
        return tuple(map(_core.as_tensor, results))
    return None if results is None else _core.as_tensor(results)
