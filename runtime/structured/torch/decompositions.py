"""Bodies of scalar functions for compilers of tensor programs, in libraries for PyTorch's stable ABI.

While a call is traced, calls of PyTorch's operators take its place (structured/torch/decomposed_call.h does the same for libraries
that use ATen). The generator writes the operations of each function, and copies this module into the package of a library.
"""
import torch
from torch.fx.experimental.proxy_tensor import ProxyTorchDispatchMode

_libraries = {}  # a registration lasts as long as its library


class Decomposition:
    """A scalar function on whole tensors.

    `roles` has a word for each argument: `tensor`, `mask` for a boolean tensor, `scalar` for a number that must be whole for
    integers, or `number`. `bodies` are pairs of common dtypes and of operations in their order. An operation is its name, the dtype
    of its result or None for that in which elements are computed, and the positions of earlier operations, of the argument
    or a number. The result is boolean if `is_boolean`, and integers become floating point if `is_floating`."""

    def __init__(self, roles, bodies, is_boolean, is_floating):
        self.roles, self.bodies, self.is_boolean, self.is_floating = roles, bodies, is_boolean, is_floating

    def common_dtype(self, arguments):
        from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND as kinds
        from torch._prims_common import elementwise_dtypes
        tensors = [value for value in arguments if isinstance(value, torch.Tensor)]
        return elementwise_dtypes(*tensors, type_promotion_kind=kinds.INT_TO_FLOAT if self.is_floating else kinds.DEFAULT)[1]

    def operations(self, dtype, arguments):
        """The operations for a common dtype; None if the function has none, or if its kernel refuses an argument."""
        for role, value in zip(self.roles, arguments):
            if role == "mask" and value.dtype != torch.bool:
                return None
            is_whole = dtype.is_floating_point or dtype.is_complex or role != "scalar" or value is None or value == int(value)
            if not is_whole:
                return None
        return next((operations for dtypes, operations in self.bodies if dtype in dtypes), None)


def register(decompositions):
    """Lets tracers see into operators, by the name of the functional variant."""
    for name, decomposition in decompositions.items():
        namespace = name.partition("::")[0]
        if namespace not in _libraries:
            _libraries[namespace] = torch.library.Library(namespace, "IMPL")
        torch.library.register_torch_dispatch(name, ProxyTorchDispatchMode, _Rule(decomposition), lib=_libraries[namespace])


class _Rule:
    """Makes the calls of PyTorch's operators in place of a traced call."""

    def __init__(self, decomposition):
        self.decomposition = decomposition

    def __call__(self, mode, op, types, args, kwargs):
        declared = op._schema.arguments
        values = [*args, *(kwargs.get(each.name, each.default_value) for each in declared[len(args):])]
        dtype = self.decomposition.common_dtype(values)
        operations = self.decomposition.operations(dtype, values)
        if operations is None:
            return mode.__torch_dispatch__(op, types, args, kwargs)
        with mode:
            return _Run(self.decomposition, dtype, values).result(operations)


class _Run:
    """Computes the operations of one call. A value is a tensor, or a bool that says whether an optional argument has a value."""

    def __init__(self, decomposition, dtype, arguments):
        self.dtype, self.arguments = dtype, arguments
        self.result_dtype = torch.bool if decomposition.is_boolean else dtype
        self.computed = torch.float if dtype in (torch.half, torch.bfloat16) else dtype
        self.tensors = [value for value in arguments if isinstance(value, torch.Tensor)]
        self.values, self.inputs = [], 0

    def result(self, operations):
        for name, dtype, *operands in operations:
            self.values.append(self.value(name, dtype or self.computed, operands))
        result = self.tensor(len(self.values) - 1).to(self.result_dtype)
        # The result of an operator is as large as its arguments, and no view of one.
        if len(self.tensors) > self.inputs:
            result = torch.broadcast_tensors(*self.tensors, result)[-1].clone()
        return result.clone() if any(result is each for each in self.tensors) else result

    def constant(self, number, dtype):
        """A tensor without dimensions: PyTorch computes with a number in double, and a kernel in its own type."""
        return torch.scalar_tensor(number, dtype=dtype, device=self.tensors[0].device)

    def tensor(self, index):
        value = self.values[index]
        return self.constant(value, torch.bool) if isinstance(value, bool) else value

    def value(self, name, dtype, operands):
        if name == "input":
            return self.input(operands[0], dtype)
        if name == "presence":
            return self.arguments[operands[0]] is not None
        if name == "constant":
            return self.constant(operands[0], dtype)
        known = self.values[operands[0]]
        if name == "select" and isinstance(known, bool):
            return self.values[operands[1] if known else operands[2]]
        if name == "bit_not" and isinstance(known, bool):
            return not known
        tensors = [self.tensor(operand) for operand in operands]
        if name == "cast":
            return tensors[0].to(dtype)
        if name == "bit_cast":
            return tensors[0].view(dtype)
        if name == "div" and not dtype.is_floating_point:
            return _divided(*tensors)
        return _FUNCTIONS[name](*tensors)

    def input(self, index, dtype):
        value = self.arguments[index]
        if isinstance(value, torch.Tensor):
            self.inputs += 1
            # The common dtype first: another dtype loses what a kernel would not see either.
            return (value if dtype == torch.bool else value.to(self.dtype)).to(dtype)
        return self.constant(0 if value is None else value, dtype)


def _divided(a, b):
    """The quotient of integers, rounded toward 0. Scalar functions compute quotients that they do not use, and PyTorch throws for
    a divisor of 0 or, for -1 and the smallest number, ends the process."""
    quotient = torch.div(a, _safe_divisor(b), rounding_mode="trunc")
    return quotient if b.dtype == torch.uint8 else torch.where(b == -1, -a, quotient)


def _remainder(a, b):
    return torch.fmod(a, _safe_divisor(b))


def _safe_divisor(b):
    """1 in place of 0 and -1: the remainders of 1 and -1 are equal."""
    is_unsafe = b == 0
    if b.dtype != torch.uint8:
        is_unsafe = is_unsafe | (b == -1)
    return torch.where(is_unsafe, torch.ones_like(b), b)


def _rounded(a):
    """Halves are rounded away from 0, unlike by torch.round. The difference to the truncated number is exact."""
    whole = torch.trunc(a)
    up = whole + torch.copysign(torch.ones_like(a), a)
    return torch.copysign(torch.where((a - whole).abs() >= 0.5, up, whole), a)


_FUNCTIONS = {
    "select": torch.where, "rem": _remainder, "round": _rounded, "fabs": torch.abs, "nearbyint": torch.round,
    "bit_and": torch.bitwise_and, "bit_or": torch.bitwise_or, "bit_xor": torch.bitwise_xor, "bit_not": torch.bitwise_not,
    "shift_left": torch.bitwise_left_shift, "shift_right": torch.bitwise_right_shift,
    **{name: getattr(torch, name) for name in [
        "add", "sub", "mul", "div", "neg", "eq", "ne", "lt", "le", "gt", "ge", "copysign", "fmin", "fmax", "floor", "ceil", "trunc",
        "sqrt", "nextafter", "hypot", "pow", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
        "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma"]},
}
