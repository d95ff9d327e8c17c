"""Layers above the kernels of a library for PyTorch's stable ABI, which has none of them in C++: kernels for Autograd, for
Functionalize, for torch.func.vmap and for torch.autocast.

The library registers an operator for each function that computes gradients, and its Python package calls `register`.
`torch.library.register_autograd` also adds a kernel for Autograd, but fails within torch.func.
"""
import copy
import functools
import itertools

import torch
from torch._C import _after_autograd_keyset, _AutoDispatchBelowAutograd
from torch.autograd import forward_ad, function

_libraries = {}  # a registration lasts as long as its library


class Derivative:
    """How the gradients of an operator are computed.

    `inputs` are the positions of the arguments with a gradient. `calls` has a tuple for each operator that computes gradients: its
    name, or None if they cannot be computed, its arguments, the inputs, as positions in `inputs`, whose gradients it returns, and
    whether the gradient is the conjugate of its result. An argument is a tuple of a function below, such as `needed` or `saved`, and of a position. `constant` are
    positions of results that have no gradient. A list of tensors counts as one argument or result."""

    def __init__(self, inputs, calls, constant=()):
        self.inputs, self.calls, self.constant = inputs, calls, constant


def register(derivatives, inplace, mutating, batched, elementwise, autocast):
    """Adds kernels for Autograd of operators, by name, and of in-place variants, for which the functional ones are recorded;
    kernels for Functionalize of variants that change their arguments, which call the functional ones and copy; and batching
    rules, which call the operator for each element of the batch, or once for `elementwise` operators; and kernels for
    torch.autocast, by the rule that chooses the dtype."""
    for name, derivative in derivatives.items():
        _add(name, _Recorder(_overload(name), derivative), "Autograd", with_keyset=True)
    for name, functional in inplace.items():
        _add(name, _InplaceRecorder(_overload(name), _overload(functional)), "Autograd", with_keyset=True)
    for name, functional in mutating.items():
        _add(name, _Functionalized(_overload(name), _overload(functional)), "Functionalize")
    for name in batched:
        torch.library.register_vmap(name, _Batched(_overload(name)), lib=_library_of(name))
    for name in elementwise:
        torch.library.register_vmap(name, _BatchedElementwise(_overload(name)), lib=_library_of(name))
    for name, rule in autocast.items():
        for device, key in [("cpu", "AutocastCPU"), ("cuda", "AutocastCUDA")]:
            _add(name, _Autocast(_overload(name), rule, device), key)


def function_of(operator, unrecorded):
    """The function of the package for an operator, an OpOverloadPacket, whose overloads it has as attributes, too. Where nothing is
    recorded, it calls the kernels without the layers in Python, by the names in `unrecorded`."""
    names = [name for name in unrecorded if name.partition(".")[0] == operator._qualified_op_name]
    functional = [name for name in operator.overloads() if not getattr(operator, name)._schema.is_mutable]
    if len(names) != 1 or len(functional) != 1:
        return operator
    plain = _overload(unrecorded[names[0]])

    def function(*args, **kwargs):
        if "out" not in kwargs and _is_plain(args) and (not kwargs or _is_plain(kwargs.values())):
            return plain(*args, **kwargs)
        return operator(*args, **kwargs)

    for name in operator.overloads():
        setattr(function, name, getattr(operator, name))
    function.overloads = operator.overloads
    function.__name__ = function.__qualname__ = operator.__name__
    function.__doc__ = "\n".join(str(getattr(operator, name)._schema) for name in operator.overloads())
    return function


def _is_plain(values):
    """Whether a call with these arguments reaches the kernels through no layer of PyTorch or of the package."""
    if (_is_compiling() or _count_dispatch_modes() or _has_function_mode() or _has_transforms() or forward_ad._current_level >= 0
            or _has_autocast()):
        return False
    is_recorded = _records()
    for value in values:
        kind = type(value)
        if kind is _Tensor or kind is _Parameter:
            if is_recorded and value.requires_grad:
                return False
        elif isinstance(value, _Tensor) or isinstance(value, (list, tuple)) and not _is_plain(value):
            return False
    return True


# Names of this module are found faster than attributes.
_is_compiling, _records = torch.compiler.is_compiling, torch.is_grad_enabled
_count_dispatch_modes, _has_function_mode = torch._C._len_torch_dispatch_stack, torch._C._is_torch_function_mode_enabled
_has_transforms, _has_autocast = torch._C._are_functorch_transforms_active, torch._C._is_any_autocast_enabled
_Tensor, _Parameter = torch.Tensor, torch.nn.Parameter


def _library_of(name):
    namespace = name.partition("::")[0]
    if namespace not in _libraries:
        _libraries[namespace] = torch.library.Library(namespace, "IMPL")
    return _libraries[namespace]


def _add(name, kernel, key, **options):
    _library_of(name).impl(name.partition("::")[2], kernel, key, **options)


def _overload(name):
    namespace, _, name = name.partition("::")
    base, _, overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


# Arguments of operators that compute gradients: functions of the record of a call and a position --------------------------


def needed(call, index):
    """The gradient of a result; zeros if none arrived."""
    if call.returns_list:
        return [_or_zeros(gradient, like) for gradient, like in zip(call.gradients, call.results)]
    return _or_zeros(call.gradients[index], call.results[index])


def optional(call, index):
    """The gradient of a result; None if none arrived."""
    return list(call.gradients) if call.returns_list else call.gradients[index]


def conjugate(call, index):
    """The conjugate of the gradient of a result."""
    return needed(call, index).conj()


def weighted(call, index):
    """The conjugate of the gradient of the result, times an argument."""
    return conjugate(call, 0) * saved(call, index)


def saved(call, index):
    return call.argument(index, call.saved_tensors())


def unless_modified(call, index):
    """An argument; None if it was modified in place since the call."""
    first, _ = call.places[index]
    if first is None or call.versions[first] == call.tensors[first]._version:
        return call.argument(index, call.tensors)
    return None


def result(call, index):
    results = call.saved_tensors()[call.count:]
    return list(results) if call.returns_list else results[index]


def sizes(call, index):
    return list(call.shapes[call.places[index][0]])


def strides(call, index):
    return list(call.strides[call.places[index][0]])


def storage_offset(call, index):
    return call.offsets[call.places[index][0]]


def _or_zeros(gradient, like):
    if gradient is not None:
        return gradient
    shape, dtype, device = like
    return torch.zeros(shape, dtype=dtype, device=device)


# Recording ---------------------------------------------------------------------------------------------------------------


class _Kernel:
    """A kernel for Autograd of an operator."""

    def __init__(self, op):
        self.op, self.redispatch = op, op.redispatch
        self.arguments = [(argument.name, argument.default_value) for argument in op._schema.arguments]
        self.name = op._schema.name

    def values(self, args, kwargs):
        """All arguments. The dispatcher leaves out those at the end that equal their defaults."""
        rest = self.arguments[len(args):]
        return [*args, *(kwargs.get(name, default) for name, default in rest)] if rest else list(args)

    def below(self, keyset, args, kwargs):
        """Calls the kernel itself, whose calls of operators are not recorded."""
        with _AutoDispatchBelowAutograd():
            return self.redispatch(keyset & _after_autograd_keyset, *args, **kwargs)

    def is_recorded(self, args, kwargs):
        """Whether a gradient may be computed for the call, or a tangent is. Most calls need none, and are made without delay."""
        if forward_ad._current_level >= 0:
            tensors, *_ = _split([*args, *kwargs.values()])
            if any(forward_ad.unpack_dual(each).tangent is not None for each in tensors):
                return True
        return torch.is_grad_enabled() and (_require_gradients(args) or (kwargs and _require_gradients(kwargs.values())))


def _require_gradients(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            if value.requires_grad:
                return True
        elif isinstance(value, (list, tuple)) and _require_gradients(value):
            return True
    return False


def _split(values):
    """The tensors among arguments, those of lists one by one; for each argument the position of its first tensor, None for one
    without tensors, and of the one after its last; and the arguments without them: None for a tensor, and whether each
    element is one for a list."""
    tensors, places, rest = [], [], []
    for value in values:
        first = len(tensors)
        if isinstance(value, torch.Tensor):
            tensors.append(value)
            value = None
        elif isinstance(value, (list, tuple)) and any(isinstance(each, torch.Tensor) for each in value):
            tensors += [each for each in value if each is not None]
            value = [each is not None for each in value]
        places.append((first if len(tensors) > first else None, len(tensors)))
        rest.append(value)
    return tensors, places, rest


class _Recorder(_Kernel):
    def __init__(self, op, derivative):
        super().__init__(op)
        self.derivative = derivative
        self.calls = [(name and _overload(name), arguments, inputs, conjugates)
                      for name, arguments, inputs, conjugates in derivative.calls]
        results = op._schema.returns
        self.returns_list = len(results) == 1 and "[]" in str(results[0].type)
        self.keyword_only = [argument.name for argument in op._schema.arguments if argument.kwarg_only]
        reads = list(itertools.chain.from_iterable(arguments for _, arguments, *_ in derivative.calls))
        self.reads = {read for read, _ in reads}
        self.saved_arguments = {index for read, index in reads if read in (saved, weighted)}
        self.reads_properties = not self.reads.isdisjoint((sizes, strides, storage_offset, unless_modified))
        # Where each tensor is an argument of its own, its place is known before the call.
        types = [str(argument.type) for argument in op._schema.arguments]
        self.positions = None
        if not any("Tensor" in each and each != "Tensor" for each in types):
            self.positions = [index for index, each in enumerate(types) if each == "Tensor"]
            self.places = [(None, 0)] * len(types)
            for place, index in enumerate(self.positions):
                self.places[index] = (place, place + 1)

    def __call__(self, keyset, *args, **kwargs):
        if not self.is_recorded(args, kwargs):
            return self.below(keyset, args, kwargs)
        tensors, places, rest = self.split(self.values(args, kwargs))
        call = _Call(self, keyset, places, rest)
        # Within torch.func, a kernel serves one level, and others record the call by themselves.
        if torch._C._are_functorch_transforms_active():
            from torch._functorch.autograd_function import enable_single_level_autograd_function
            with enable_single_level_autograd_function():
                results = _in_transform(call, tensors)
        else:
            results = _Recorded.apply(call, *tensors)
        call.primals = None
        return list(results) if self.returns_list else results

    def split(self, values):
        if self.positions is None:
            return _split(values)
        tensors = [values[index] for index in self.positions]
        for index in self.positions:
            values[index] = None
        return tensors, self.places, values

    def names_of(self, inputs):
        return ", ".join(self.arguments[self.derivative.inputs[index]][0] for index in inputs)


class _Call:
    """A recorded call."""

    def __init__(self, recorder, keyset, places, rest):
        self.recorder, self.keyset, self.places, self.rest = recorder, keyset, places, rest
        self.returns_list = recorder.returns_list
        self.tensors = self.primals = None

    def argument(self, index, tensors):
        """An argument with these tensors."""
        first, end = self.places[index]
        rest = self.rest[index]
        if first is None:
            return rest
        if rest is None:
            return tensors[first]
        given = iter(tensors[first:end])
        return [next(given) if is_given else None for is_given in rest]

    def run(self, tensors):
        recorder = self.recorder
        if recorder.positions is None:
            values = [self.argument(index, tensors) for index in range(len(self.rest))]
        else:
            values = self.rest.copy()
            for index, tensor in zip(recorder.positions, tensors):
                values[index] = tensor
        if not recorder.keyword_only:
            return recorder.below(self.keyset, values, {})
        count = len(values) - len(recorder.keyword_only)
        return recorder.below(self.keyset, values[:count], dict(zip(recorder.keyword_only, values[count:])))


def _forward(ctx, call, *tensors):
    if torch._C._are_functorch_transforms_active():
        # The next level of torch.func records the call, too.
        with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
            results = call.run(tensors)
    else:
        results = call.run(tensors)
    recorder = call.recorder
    results = tuple(results) if isinstance(results, (list, tuple)) else (results,)
    ctx.call = call
    ctx.set_materialize_grads(False)
    if recorder.derivative.constant:
        ctx.mark_non_differentiable(*(results[index] for index in recorder.derivative.constant))
    call.count = len(tensors)
    call.results = [(each.shape, each.dtype, each.device) for each in results]
    if forward_ad._current_level >= 0:
        call.primals = (*tensors, *results)
    if recorder.reads_properties:
        _keep_properties(call, tensors)
    kept = [None] * len(tensors)
    for index in recorder.saved_arguments:
        first, end = call.places[index]
        if first is not None:
            kept[first:end] = tensors[first:end]
    ctx.save_for_backward(*kept, *(results if result in recorder.reads else ()))
    return results if len(results) > 1 or recorder.returns_list else results[0]


def _keep_properties(call, tensors):
    reads = call.recorder.reads
    if sizes in reads:
        call.shapes = [each.shape for each in tensors]
    if strides in reads:
        call.strides = [each.stride() for each in tensors]
    if storage_offset in reads:
        call.offsets = [each.storage_offset() for each in tensors]
    if unless_modified in reads:
        call.tensors, call.versions = tensors, [each._version for each in tensors]


def _backward(ctx, *gradients):
    call = copy.copy(ctx.call)  # several threads may run backward passes through the graph
    found = [None] * call.count
    call.saved_tensors = functools.cache(lambda: ctx.saved_tensors)
    flags = [needs and _is_wanted(node) for needs, (node, _) in zip(ctx.needs_input_grad[1:], ctx.next_functions)]
    for places, computed in _gradients(call, gradients, flags):
        for (first, end), gradient in zip(places, computed):
            if first is not None:
                found[first:end] = gradient if isinstance(gradient, (list, tuple)) else [gradient]
    return (None, *found)


def _is_wanted(node):
    """Whether the backward pass that is running needs the gradient that it gives to a node."""
    if node is None:
        return False
    try:
        return torch._C._will_engine_execute_node(node)
    except RuntimeError:  # torch.autograd.grad by a leaf
        return True


def _gradients(call, gradients, flags):
    """The gradients of the arguments whose tensors have a flag, and their positions, for each operator that computes some."""
    recorder = call.recorder
    call.gradients = gradients
    for op, arguments, inputs, conjugates in recorder.calls:
        places = [call.places[recorder.derivative.inputs[index]] for index in inputs]
        if any(first is not None and any(flags[first:end]) for first, end in places):
            if op is None:
                raise NotImplementedError(f"{recorder.name} has no derivative for {recorder.names_of(inputs)}")
            computed = op(*(read(call, index) for read, index in arguments))
            yield places, computed if len(inputs) > 1 else (computed.conj() if conjugates else computed,)


def _jvp(ctx, _, *tangents):
    """Tangents of the results. The gradients of the arguments are linear in those of the results, and their derivative by these is
    the transpose of the transpose: https://j-towns.github.io/2017/06/12/A-new-trick.html."""
    call = copy.copy(ctx.call)
    # Tangents of this level are those in the arguments; the next level of torch.func computes its own.
    primals = [forward_ad.unpack_dual(each).primal for each in call.primals]
    call.saved_tensors = lambda: primals
    call.tensors = primals
    with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
        cotangents = [None if index in call.recorder.derivative.constant or not (dtype.is_floating_point or dtype.is_complex)
                      else torch.zeros(shape, dtype=dtype, device=device, requires_grad=True)
                      for index, (shape, dtype, device) in enumerate(call.results)]
        total = None
        for places, computed in _gradients(call, cotangents, [tangent is not None for tangent in tangents]):
            for (first, end), gradient in zip(places, computed):
                gradients = gradient if isinstance(gradient, (list, tuple)) else [gradient]
                for tangent, each in zip(tangents[first or 0:end], gradients if first is not None else ()):
                    if tangent is not None and each is not None:
                        product = (tangent.conj() * each).sum()
                        product = product.real if product.is_complex() else product
                        total = product if total is None else total + product
        wanted = [each for each in cotangents if each is not None]
        found = iter([None] * len(wanted) if total is None or not total.requires_grad else
                     torch.autograd.grad(total, wanted, create_graph=True, allow_unused=True))
        results = tuple(None if each is None else _or_zeros(next(found), (each.shape, each.dtype, each.device))
                        for each in cotangents)
    return results if len(results) > 1 or call.returns_list else results[0]


class _Recorded(torch.autograd.Function):
    forward, backward, jvp = staticmethod(_forward), staticmethod(_backward), staticmethod(_jvp)


@functools.cache
def _single_level():
    return type("_RecordedInTransform", (function._SingleLevelFunction,),
                {"forward": staticmethod(_forward), "backward": staticmethod(_backward), "jvp": staticmethod(_jvp)})


def _in_transform(call, tensors):
    return _single_level().apply(call, *tensors)


class _InplaceRecorder(_Kernel):
    def __init__(self, op, functional):
        super().__init__(op)
        self.functional = functional

    def __call__(self, keyset, *args, **kwargs):
        if self.is_recorded(args, kwargs):
            # The function may save its arguments, which must not change then.
            return args[0].copy_(self.functional(args[0].clone(), *args[1:], **kwargs))
        self.below(keyset, args, kwargs)
        torch.autograd.graph.increment_version(args[0])
        return args[0]


# Other layers ------------------------------------------------------------------------------------------------------------


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


_AUTOCAST_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU) | torch._C.DispatchKeySet(
    torch._C.DispatchKey.AutocastCUDA)


class _Autocast:
    """Converts floating-point tensors on a device but for doubles, and calls the operator, whose own calls are not converted."""

    def __init__(self, op, rule, device):
        self.op, self.rule, self.device = op, rule, device

    def __call__(self, *args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST_KEYS):
            tensors, *_ = _split([*args, *kwargs.values()])
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
