"""Functions of C++ libraries that meta functions call, for sizes that may be symbols, and the registration of meta functions.

The generator translates meta functions from C++ (tool/model/shape_calls.def lists the functions that it knows) and copies this
module into the package of a library. A tensor that is not defined is None, and so is an optional value that is missing. Lists and
tuples stand for all lists of C++.
"""
import functools
import math
import operator

import torch

# Numbers and conditions --------------------------------------------------------------------------------------------------


def quotient(a, b):
    """`a / b` of C++ integers, which rounds towards zero. Numbers that depend on data are taken to be at least 0."""
    return a // b if _is_natural(a) == _is_natural(b) else -(-a // b)


def _is_natural(number):
    if isinstance(number, int):
        return number >= 0
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode  # takes long to import
    try:
        return bool(number >= 0)
    except GuardOnDataDependentSymNode:
        return True


def remainder(a, b):
    """`a % b` of C++ integers, which has the sign of `a`."""
    return a - quotient(a, b) * b


def divided(a, b):
    """`a / b` of floating-point numbers."""
    if b != 0:
        return a / b
    return a * math.copysign(math.inf, b)  # NaN for 0 / 0


def as_real(value):
    return torch.sym_float(value)


def as_integer(value):
    return torch.sym_int(value)


def as_boolean(value):
    return bool(value)


def larger(a, b):
    """std::max(a, b)."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return max(a, b)
    return torch.sym_max(a, b)


def smaller(a, b):
    """std::min(a, b)."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return min(a, b)
    return torch.sym_min(a, b)


def absolute(value):
    return abs(value)


def ceiling(value):
    return torch.sym_float(-((-value) // 1))


def floor(value):
    return torch.sym_float(value // 1)


def overflows(value):
    """Whether a sum or product exceeds 64 bits. Symbols do not."""
    return isinstance(value, int) and not -2**63 <= value < 2**63


def check(condition, error, text):
    """Raises an error with the text that `text()` returns unless `condition` holds. A condition on sizes that are not known
    becomes an assertion of the program."""
    if isinstance(condition, bool):
        if not condition:
            raise error(text())
    else:
        torch._check_with(error, condition, text)


def fail(error, text):
    raise error(text)


dtype_names = {}  # names in C++, which the module of the library adds


def _text(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, torch.dtype):
        return dtype_names.get(value, str(value).replace("torch.", "").capitalize())
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)


def message(*parts):
    """Texts and values, joined as C++ prints them."""
    return "".join(map(_text, parts))


# Lists and records -------------------------------------------------------------------------------------------------------


class Record:
    """An object of a class of the author."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def copy(value):
    if isinstance(value, (list, tuple)):
        return [copy(each) for each in value]
    if isinstance(value, Record):
        return Record(**{name: copy(each) for name, each in vars(value).items()})
    return value


def filled(count, value):
    return [copy(value) for _ in range(count)]


def part(values, first, count=None):
    """The elements from `first` on, or `count` of them."""
    return list(values[first:] if count is None else values[first:first + count])


def between(values, first, from_end):
    """The elements from `first` on, without the last `from_end` ones."""
    return list(values[first:len(values) - from_end])


def numbers(first, end=None):
    return range(first) if end is None else range(first, end)


def length(values):
    return len(values)


def is_empty(values):
    return len(values) == 0


def first(values):
    return values[0]


def last(values):
    return values[-1]


def append(values, value):
    values.append(value)


def remove_last(values):
    values.pop()


def insert(values, position, value):
    values.insert(position, value)


def remove(values, position):
    del values[position]


def clear(values):
    values.clear()


def resize(values, count, value=0):
    del values[count:]
    values.extend(copy(value) for _ in range(count - len(values)))


def reserve(*_):
    pass


def is_equal(a, b):
    return list(a) == list(b)


def product(values):
    return functools.reduce(operator.mul, values, 1)


def all_of(values, condition):
    return all(condition(each) for each in values)


def any_of(values, condition):
    return any(condition(each) for each in values)


def none_of(values, condition):
    return not any(condition(each) for each in values)


def is_given(value):
    return value is not None


def value_or(value, other):
    return other if value is None else value


# Dtypes ------------------------------------------------------------------------------------------------------------------


def is_floating_dtype(dtype):
    return dtype.is_floating_point


def is_reduced_floating_dtype(dtype):
    return dtype in (torch.float16, torch.bfloat16)


def is_complex_dtype(dtype):
    return dtype.is_complex


def is_integral_dtype(dtype, with_bool=False):
    return dtype == torch.bool and with_bool or not (dtype.is_floating_point or dtype.is_complex or dtype == torch.bool)


def to_real_dtype(dtype):
    return dtype.to_real()


def to_complex_dtype(dtype):
    return dtype.to_complex()


def to_computed_dtype(dtype):
    return torch.float32 if is_reduced_floating_dtype(dtype) else dtype


def promoted_dtype(a, b):
    return torch.promote_types(a, b)


def result_dtype(*values):
    """at::result_type of tensors and numbers, or of a list of tensors."""
    values = values[0] if len(values) == 1 and isinstance(values[0], (list, tuple)) else values
    return functools.reduce(torch.promote_types, (torch.result_type(each, values[0]) for each in values)) \
        if len(values) != 2 else torch.result_type(*values)


def dtype_size(dtype):
    return dtype.itemsize


def contains(dtypes, dtype):
    return dtype in dtypes


def either(a, b):
    """The union of two sets of dtypes, or of a set and a dtype."""
    return [*(a if isinstance(a, list) else [a]), *(b if isinstance(b, list) else [b])]


def check_dtype(name, dtype, expected):
    check(dtype in expected, RuntimeError, lambda: message(name, ": expected a dtype of ", expected, ", got ", dtype))


def number_dtype(value):
    return (torch.bool if isinstance(value, (bool, torch.SymBool)) else torch.complex128 if isinstance(value, complex)
            else torch.int64 if isinstance(value, (int, torch.SymInt)) else torch.float64)


def is_real(value):
    return number_dtype(value) == torch.float64


def is_integer(value, with_bool=False):
    return number_dtype(value) in ((torch.int64, torch.bool) if with_bool else (torch.int64,))


def is_boolean(value):
    return number_dtype(value) == torch.bool


def is_complex_number(value):
    return number_dtype(value) == torch.complex128


# Tensors -----------------------------------------------------------------------------------------------------------------


def rank(tensor):
    return tensor.dim()


def wrap_dim(dim, rank, wraps_scalars=True):
    """A dimension from 0 on, for one that may count from the end."""
    rank = 1 if rank == 0 and wraps_scalars else rank
    if rank == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim + rank if dim < 0 else dim


def size(tensor, dim):
    return tensor.size(wrap_dim(dim, tensor.dim(), False))


def sizes(tensor):
    return tensor.shape


def stride(tensor, dim):
    return tensor.stride(wrap_dim(dim, tensor.dim(), False))


def strides(tensor):
    return tensor.stride()


def element_count(tensor):
    return tensor.numel()


def element_size(tensor):
    return tensor.element_size()


def dtype(tensor):
    return tensor.dtype


def device(tensor):
    return tensor.device


def layout(tensor):
    return {torch.strided: "Strided", torch.sparse_coo: "Sparse"}.get(tensor.layout, str(tensor.layout))


def is_floating_point(tensor):
    return tensor.is_floating_point()


def is_complex(tensor):
    return tensor.is_complex()


def has_names(_):
    return False


def is_contiguous(tensor, format=torch.contiguous_format):
    return tensor.is_contiguous(memory_format=format)


def memory_format(tensor):
    """Tensor::suggest_memory_format(): the channels-last one that fits, or else the contiguous one."""
    from torch._prims_common import suggest_memory_format
    return suggest_memory_format(tensor)


def broadcast_sizes(a, b):
    return torch.broadcast_shapes(tuple(a), tuple(b))


class _Options:
    def __init__(self, dtype, device, format=None):
        self.dtype, self.device, self.format = dtype, device, format


def reduced_dims(name, dims, rank):
    """The set of reduced dimensions, dimension d as bit d; all if there are none."""
    dims = [dims] if isinstance(dims, int) else dims or range(rank)
    result = 0
    for dim in dims:
        bit = 1 << wrap_dim(dim, rank)
        check(not result & bit, RuntimeError, lambda: message(name, ": dimension ", dim, " is listed twice"))
        result |= bit
    return result


def reduced_sizes(sizes, dims, keepdim):
    kept = ((1 if dims >> dim & 1 else size) for dim, size in enumerate(sizes) if keepdim or not dims >> dim & 1)
    return list(kept)


def ignore(*_):
    """Stands for functions without effect on sizes, such as those of names of dimensions."""


def options(tensor):
    return _Options(tensor.dtype, tensor.device)


def option_dtype(options, dtype=None):
    return options.dtype if dtype is None else _Options(dtype, options.device, options.format)


def option_device(options, device=None):
    return options.device if device is None else _Options(options.dtype, device, options.format)


def option_layout(options, layout=None):
    return "Strided" if layout is None else options


def option_memory_format(options, format):
    return _Options(options.dtype, options.device, format)


def option_ignored(options, *_):
    return options


def _allocate(sizes, strides, options):
    sizes = tuple(sizes)
    if strides:
        return torch.empty_strided(sizes, tuple(strides), dtype=options.dtype, device=options.device)
    format = options.format or torch.contiguous_format
    return torch.empty(sizes, dtype=options.dtype, device=options.device,
                       memory_format=torch.contiguous_format if format == torch.preserve_format else format)


def empty(sizes, options, format=None):
    return _allocate(sizes, None, options if format is None else option_memory_format(options, format))


def new_empty(tensor, sizes, options=None):
    return _allocate(sizes, None, options or _Options(tensor.dtype, tensor.device))


class Outputs:
    """The base of a meta function, which receives the properties of outputs."""

    def __init__(self, given=()):
        self._given = given
        self._made = {}

    def tensors(self):
        return [self._made[index] for index in sorted(self._made)]


def output(op, index=0):
    """The caller's output, or None."""
    return op._given[index] if index < len(op._given) else None


def set_output_strided(op, index, sizes, strides, options, *_):
    op._made[index] = _allocate(sizes, strides, options)


def set_output_contiguous(op, index, sizes, options, *_):
    op._made[index] = _allocate(sizes, None, option_memory_format(options, torch.contiguous_format))


def set_elementwise_output(op, tensors, is_boolean, is_floating):
    """Describes the output of an operator on the elements of tensors, and returns the dtype in which it computes."""
    from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND as kinds
    from torch._prims_common import compute_elementwise_output_logical_to_physical_perm, elementwise_dtypes
    _, dtype = elementwise_dtypes(*tensors, type_promotion_kind=kinds.INT_TO_FLOAT if is_floating else kinds.DEFAULT)
    result = torch.bool if is_boolean else dtype
    given = output(op)
    if given is not None:
        if not is_boolean and not torch.can_cast(dtype, given.dtype):
            fail(RuntimeError, message("result type ", dtype, " can't be cast to the desired output type ", given.dtype))
        result = given.dtype
    sizes = torch.broadcast_shapes(*(tensor.shape for tensor in tensors))
    order = compute_elementwise_output_logical_to_physical_perm(*(tensor.expand(sizes) for tensor in tensors))
    order = order[0] if isinstance(order, tuple) else order  # PyTorch 2.12
    op._made[0] = torch.empty_permuted(sizes, order, dtype=result, device=tensors[0].device)
    return dtype


def check_boolean(name, argument, tensor):
    check(tensor.dtype == torch.bool, RuntimeError,
          lambda: message(name, ": expected `", argument, "` to be a boolean tensor, got ", tensor.dtype))


def check_dtype(name, dtype, supported):
    check(dtype in supported, RuntimeError, lambda: message('"', name, "\" not implemented for '", dtype, "'"))


def check_scalar(name, argument, dtype, value):
    if value is None or dtype.is_floating_point or dtype.is_complex:
        return
    check(value == int(value), RuntimeError, lambda: message(
        name, ": for integral input tensors, argument ", argument, " must be a whole number, got ", value))


def dynamic_size(least=0, most=None):
    """A size that depends on data."""
    context = torch.library.get_ctx()
    return context.new_dynamic_size(min=least if isinstance(least, int) else 0, max=most if isinstance(most, int) else None)


# Registration ------------------------------------------------------------------------------------------------------------

_libraries = {}  # by namespace; registrations last as long as their libraries


def register_symbolic(functions):
    """Lets kernels for Meta call meta functions where sizes are symbols. `functions` has, by the name of an operator, its schema and
    what makes the function. `ns::_define_symbolic` defines the operator when a kernel asks for it the first time, since that takes
    longer than all else that an import does. Its last argument has the caller's outputs, if there are any."""
    for namespace in {name.split("::")[0] for name in functions}:
        library = _libraries[namespace] = torch.library.Library(namespace, "FRAGMENT")
        library.define("_define_symbolic(str name) -> ()")
        library.impl("_define_symbolic", functools.partial(_define_symbolic, functions), "CompositeExplicitAutograd")


def _define_symbolic(functions, name):
    schema, make = functions[name]
    namespace, base = name.split("::")
    function = make()

    def kernel(*arguments):
        outputs = Outputs(arguments[-1])
        function(outputs, *arguments[:-1])
        return outputs.tensors()

    _libraries[namespace].define(schema)
    _libraries[namespace].impl(base, kernel, "Meta")


def _fit(output, computed, may_resize):
    if output.dtype != computed.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {computed.dtype}, but got {output.dtype} instead")
    if output.shape != computed.shape:
        if not may_resize:
            raise RuntimeError(f"expected the changed tensor to have sizes {list(computed.shape)}, got {list(output.shape)}")
        output.resize_(computed.shape)
    return output


def _overload(name):
    namespace, base = name.split("::")
    base, _, overload = base.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


def register_fake(name, function, kind):
    """Registers a meta function for fake tensors of a `functional`, `inplace` or `out` variant."""
    schema = _overload(name)._schema
    count = len(schema.returns)

    def fake(*values, **keywords):
        values = [*values, *(keywords.get(each.name, each.default_value) for each in schema.arguments[len(values):])]
        inputs, given = (values[:-count], values[-count:]) if kind == "out" else (values, values[:1] if kind == "inplace" else [])
        outputs = Outputs(given)
        function(outputs, *inputs)
        results = outputs.tensors()
        if given:
            results = [_fit(output, computed, kind == "out") for output, computed in zip(given, results)]
        return results[0] if count == 1 else tuple(results)

    torch.library.register_fake(name)(fake)


def register_kernel(name, function):
    """Registers a kernel for fake tensors, whose results may have sizes that depend on data."""
    torch.library.register_fake(name)(function)
