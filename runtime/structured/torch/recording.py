"""Derivatives of operators of a library for PyTorch's stable ABI, which has no nodes of autograd in C++: kernels for Autograd in
Python, and calls that go past them where nothing is recorded.

`torch.library.register_autograd` also adds a kernel for Autograd, but fails within torch.func.
"""
import functools
import itertools

import torch
from torch._C import _after_autograd_keyset, _AutoDispatchBelowAutograd
from torch.autograd import forward_ad, function


class Derivative:
    """How the gradients of an operator are computed.

    `inputs` are the positions of the arguments with a gradient. `calls` has a tuple for each operator that computes gradients: its
    name, or None if they cannot be computed, its arguments, the inputs, as positions in `inputs`, whose gradients it returns, and
    whether the gradient is the conjugate of its result. An argument is a tuple of a function below, such as `needed` or `saved`,
    and of a position. `constant` are positions of results that have no gradient. A list of tensors counts as one argument or
    result."""

    def __init__(self, inputs, calls, constant=()):
        self.inputs, self.calls, self.constant = inputs, calls, constant


def overload(name):
    """The OpOverload of a full name."""
    namespace, _, name = name.partition("::")
    base, _, its_overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), its_overload or "default")


# Arguments of operators that compute gradients: functions of a _Pass and a position ---------------------------------------


def needed(step, index):
    """The gradient of a result; zeros if none arrived."""
    if step.call.recorder.returns_list:
        return [step.gradient(each) for each in range(len(step.gradients))]
    return step.gradient(index)


def optional(step, index):
    """The gradient of a result; None if none arrived."""
    return list(step.gradients) if step.call.recorder.returns_list else step.gradients[index]


def conjugate(step, index):
    """The conjugate of the gradient of a result."""
    return step.gradient(index).conj()


def weighted(step, index):
    """The conjugate of the gradient of the result, times an argument."""
    return conjugate(step, 0) * saved(step, index)


def saved(step, index):
    return step.call.argument(index, step.saved())


def unless_modified(step, index):
    """An argument; None if it was modified in place since the call."""
    call = step.call
    first, _ = call.places[index]
    if first is None or call.versions[first] == call.tensors[first]._version:
        return call.argument(index, step.tensors)
    return None


def result(step, index):
    results = step.saved()[step.call.count:]
    return list(results) if step.call.recorder.returns_list else results[index]


def sizes(step, index):
    return list(step.call.shapes[step.call.places[index][0]])


def strides(step, index):
    return list(step.call.strides[step.call.places[index][0]])


def storage_offset(step, index):
    return step.call.offsets[step.call.places[index][0]]


class _Pass:
    """A backward pass through a recorded call. Several threads may run some through one call."""

    def __init__(self, call, gradients, tensors, get_saved):
        self.call, self.gradients, self.tensors = call, gradients, tensors
        self._get_saved, self._saved = get_saved, None

    def saved(self):
        """The tensors that were saved. Reading them fails if one was modified, so that only calls that need them do."""
        if self._saved is None:
            self._saved = self._get_saved()
        return self._saved

    def gradient(self, index):
        found = self.gradients[index]
        return found if found is not None else _zeros(self.call.results[index])


def _zeros(like):
    shape, dtype, device = like
    return torch.zeros(shape, dtype=dtype, device=device)


# Calls past all layers ---------------------------------------------------------------------------------------------------

# Names of this module are found faster than attributes.
_is_compiling, _records = torch.compiler.is_compiling, torch.is_grad_enabled
_count_dispatch_modes, _has_function_mode = torch._C._len_torch_dispatch_stack, torch._C._is_torch_function_mode_enabled
_has_transforms, _has_autocast = torch._C._are_functorch_transforms_active, torch._C._is_any_autocast_enabled
_unwrapped = torch._C._functorch.unwrap_if_dead  # a tensor that escaped from torch.func
_Tensor, _Parameter = torch.Tensor, torch.nn.Parameter

_recorders = {}  # by overload


def direct(op, otherwise):
    """A function that calls the operator `op`: its kernel without the dispatcher's layers in Python, or only the one that records
    the call. Where others have to see the call, and for out= variants of the name, it calls `otherwise`."""
    recorder = _recorders.get(op)
    if recorder is None:
        return otherwise
    # An OpOverload calls its `_op`.
    twin, record, required, autocasts = recorder.twin._op, recorder.record, recorder.required, recorder.autocasts

    def call(*args, **kwargs):
        if _is_seen() or (autocasts and _has_autocast()) or "out" in kwargs:
            return otherwise(*args, **kwargs)
        requires_gradients = _require_gradients((*args, *kwargs.values()) if kwargs else args)
        if requires_gradients is None:
            return otherwise(*args, **kwargs)
        if not requires_gradients or not _records():
            return twin(*args, **kwargs)
        return otherwise(*args, **kwargs) if kwargs or len(args) < required else record([*args])

    return call


def _is_seen():
    """Whether another layer of PyTorch than autograd's sees calls: a compiler, a mode, torch.func or forward mode."""
    return (_is_compiling() or _count_dispatch_modes() or _has_function_mode() or _has_transforms()
            or forward_ad._current_level >= 0)


def _require_gradients(values):
    """Whether a tensor among them requires a gradient; None if one has a class of its own."""
    found = False
    for value in values:
        kind = type(value)
        if kind is _Tensor or kind is _Parameter:
            found = found or value.requires_grad
        elif isinstance(value, (_Tensor, list, tuple)):
            found_in = None if isinstance(value, _Tensor) else _require_gradients(value)
            if found_in is None:
                return None
            found = found or found_in
    return found


# Recording ---------------------------------------------------------------------------------------------------------------


def split(values):
    """The tensors among arguments, those of lists one by one; for each argument the position of its first tensor, None for one
    without tensors, and of the one after its last; and the arguments without them: None for a tensor, and whether each
    element is one for a list."""
    tensors, places, rest = [], [], []
    for value in values:
        first = len(tensors)
        if isinstance(value, _Tensor):
            tensors.append(value)
            value = None
        elif isinstance(value, (list, tuple)) and any(isinstance(each, _Tensor) for each in value):
            tensors += [each for each in value if each is not None]
            value = [each is not None for each in value]
        places.append((first if len(tensors) > first else None, len(tensors)))
        rest.append(value)
    return tensors, places, rest


class _Kernel:
    """A kernel for Autograd of an operator."""

    def __init__(self, op):
        self.redispatch = op.redispatch
        self.arguments = [(argument.name, argument.default_value) for argument in op._schema.arguments]
        self.name = op._schema.name

    def values(self, args, kwargs):
        """All arguments. The dispatcher leaves out those at the end that equal their defaults."""
        rest = self.arguments[len(args):]
        return [*args, *(kwargs.get(name, default) for name, default in rest)] if rest else [*args]

    def below(self, keyset, args, kwargs):
        """Calls the kernel itself, whose calls of operators are not recorded."""
        with _AutoDispatchBelowAutograd():
            return self.redispatch(keyset & _after_autograd_keyset, *args, **kwargs)

    def is_recorded(self, args, kwargs):
        """Whether a gradient may be computed for the call, or a tangent is. Most calls need none, and are made without delay."""
        if forward_ad._current_level >= 0:
            tensors, *_ = split([*args, *kwargs.values()])
            if any(forward_ad.unpack_dual(each).tangent is not None for each in tensors):
                return True
        return _records() and (_any_requires_gradient(args) or (kwargs and _any_requires_gradient(kwargs.values())))


def _any_requires_gradient(values):
    for value in values:
        if isinstance(value, _Tensor):
            if value.requires_grad:
                return True
        elif isinstance(value, (list, tuple)) and _any_requires_gradient(value):
            return True
    return False


class Recorder(_Kernel):
    """Records calls of an operator. `twin` is the operator without this kernel, and `autocasts` says whether it has one for
    torch.autocast."""

    def __init__(self, op, twin, derivative, autocasts):
        super().__init__(op)
        _recorders[op] = self
        self.twin, self.derivative, self.autocasts = twin, derivative, autocasts
        arguments = op._schema.arguments
        self.required = sum(not argument.has_default_value() for argument in arguments)
        results = op._schema.returns
        self.returns_list = len(results) == 1 and "[]" in str(results[0].type)
        self.keyword_only = [argument.name for argument in arguments if argument.kwarg_only]
        reads = list(itertools.chain.from_iterable(given for _, given, *_ in derivative.calls))
        self.reads = {read for read, _ in reads}
        self.saves_results, self.reads_undefined = result in self.reads, optional in self.reads
        self.saved_arguments = {index for read, index in reads if read in (saved, weighted)}
        self.reads_properties = not self.reads.isdisjoint((sizes, strides, storage_offset, unless_modified))
        # Where each tensor is an argument of its own, its place is known before the call.
        types = [str(argument.type) for argument in arguments]
        self.positions = None
        if not any("Tensor" in each and each != "Tensor" for each in types):
            self.positions = [index for index, each in enumerate(types) if each == "Tensor"]
            self.places = [(None, 0)] * len(types)
            for place, index in enumerate(self.positions):
                self.places[index] = (place, place + 1)
        # Where nothing but all tensors is saved, keeping them takes a call.
        self.saves_tensors = (
            self.positions is not None and self.saved_arguments.issuperset(self.positions)
            and not (self.saves_results or self.reads_undefined or self.reads_properties or derivative.constant)
            and len(results) == 1 and not self.returns_list)

    @functools.cached_property
    def function(self):
        """The class of nodes. Its name is the one that nodes show."""
        base = self.name.partition("::")[2]
        return type("".join(word.capitalize() for word in base.split("_")), (_Recorded,), {})

    @functools.cached_property
    def apply(self):
        """Function.apply calls this outside torch.func."""
        return super(function.Function, self.function).apply

    @functools.cached_property
    def calls(self):
        """As those of the derivative, with functions in place of names. Other recorders may be made after this one."""
        return [(name and direct(overload(name), overload(name)), *rest) for name, *rest in self.derivative.calls]

    def __call__(self, keyset, *args, **kwargs):
        if not kwargs and not _is_seen():
            requires_gradients = _require_gradients(args)
            if requires_gradients is not None:
                return self.record([*args]) if requires_gradients and _records() else self.twin(*args)
        if self.is_recorded(args, kwargs):
            return self.record(self.values(args, kwargs), keyset)
        return self.below(keyset, args, kwargs)

    def record(self, values, keyset=None):
        """Records a call with these arguments; those at the end that are missing have defaults. `keyset` has the keys of the kernel;
        None calls the twin."""
        tensors, places, rest = self.split(values)
        call = _Call(self, keyset, len(tensors), places, rest)
        if keyset is None:
            results = self.apply(call, *[_unwrapped(each) for each in tensors])
        elif _has_transforms():
            # Within torch.func, a kernel serves one level, and others record the call by themselves.
            from torch._functorch.autograd_function import enable_single_level_autograd_function
            with enable_single_level_autograd_function():
                results = _in_transform().apply(call, *tensors)
        else:
            results = self.function.apply(call, *tensors)
        call.primals = None
        return [*results] if self.returns_list else results

    def split(self, values):
        if self.positions is None:
            return split(self.values(values, {}))
        tensors = [values[index] for index in self.positions]
        for index in self.positions:
            values[index] = None
        return tensors, self.places, values

    def names_of(self, inputs):
        return ", ".join(self.arguments[self.derivative.inputs[index]][0] for index in inputs)


class _Call:
    """A recorded call."""

    tensors = primals = results = None

    def __init__(self, recorder, keyset, count, places, rest):
        self.recorder, self.keyset, self.count, self.places, self.rest = recorder, keyset, count, places, rest

    def argument(self, index, tensors):
        """An argument with these tensors."""
        if index >= len(self.rest):
            return self.recorder.arguments[index][1]
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
            values = [*self.rest]
            for index, tensor in zip(recorder.positions, tensors):
                values[index] = tensor
        keywords = {}
        count = len(recorder.arguments) - len(recorder.keyword_only)
        if len(values) > count:
            keywords = dict(zip(recorder.keyword_only, values[count:]))
            values = values[:count]
        if self.keyset is None:
            return recorder.twin._op(*values, **keywords)
        return recorder.below(self.keyset, values, keywords)


def _forward(ctx, call, *tensors):
    ctx.call = call
    recorder = call.recorder
    if call.keyset is None and recorder.saves_tensors:
        ctx.save_for_backward(*tensors)
        return call.run(tensors)
    if call.keyset is not None and _has_transforms():
        # The next level of torch.func records the call, too.
        with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
            results = call.run(tensors)
    else:
        results = call.run(tensors)
    results = tuple(results) if isinstance(results, (list, tuple)) else (results,)
    _keep(ctx, call, tensors, results)
    return results if len(results) > 1 or recorder.returns_list else results[0]


def _keep(ctx, call, tensors, results):
    """Keeps what gradients are computed from."""
    recorder = call.recorder
    # Without this, PyTorch makes zeros of gradients that do not arrive.
    if recorder.reads_undefined:
        ctx.set_materialize_grads(False)
    if recorder.derivative.constant:
        ctx.mark_non_differentiable(*(results[index] for index in recorder.derivative.constant))
    has_forward_mode = forward_ad._current_level >= 0
    if recorder.reads_undefined or has_forward_mode:
        call.results = [(each.shape, each.dtype, each.device) for each in results]
    if has_forward_mode:
        call.primals = (*tensors, *results)
    if recorder.reads_properties:
        _keep_properties(call, tensors)
    kept = [None] * len(tensors)
    for index in recorder.saved_arguments:
        first, end = call.places[index]
        if first is not None:
            kept[first:end] = tensors[first:end]
    ctx.save_for_backward(*kept, *(results if recorder.saves_results else ()))


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
    call = ctx.call
    found = [None] * call.count
    step = _Pass(call, gradients, call.tensors, lambda: ctx.saved_tensors)
    for places, computed in _gradients(step, _wanted(ctx)):
        for (first, end), gradient in zip(places, computed):
            if first is not None:
                found[first:end] = gradient if isinstance(gradient, (list, tuple)) else [gradient]
    return (None, *found)


def _wanted(ctx):
    """Whether the backward pass that is running needs the gradient of each tensor of a call."""
    flags = ctx.needs_input_grad[1:]
    if flags.count(True) == 1:
        return flags
    leaves_are_known = True
    wanted = []
    for needs, (node, _) in zip(flags, ctx.next_functions):
        if needs and (leaves_are_known or node.next_functions):
            try:
                needs = torch._C._will_engine_execute_node(node)
            except RuntimeError:  # torch.autograd.grad does not tell about leaves, and this takes 40 µs
                leaves_are_known = False
        wanted.append(needs)
    return wanted


def _gradients(step, flags):
    """The gradients of the arguments whose tensors have a flag, and their positions, for each operator that computes some."""
    call = step.call
    recorder = call.recorder
    for op, arguments, inputs, conjugates in recorder.calls:
        places = [call.places[recorder.derivative.inputs[index]] for index in inputs]
        if any(first is not None and any(flags[first:end]) for first, end in places):
            if op is None:
                raise NotImplementedError(f"{recorder.name} has no derivative for {recorder.names_of(inputs)}")
            computed = op(*(read(step, index) for read, index in arguments))
            yield places, computed if len(inputs) > 1 else (computed.conj() if conjugates else computed,)


def _jvp(ctx, _, *tangents):
    """Tangents of the results. The gradients of the arguments are linear in those of the results, and their derivative by these is
    the transpose of the transpose: https://j-towns.github.io/2017/06/12/A-new-trick.html."""
    call = ctx.call
    # Tangents of this level are those in the arguments; the next level of torch.func computes its own.
    primals = [forward_ad.unpack_dual(each).primal for each in call.primals]
    with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
        cotangents = [None if index in call.recorder.derivative.constant or not (dtype.is_floating_point or dtype.is_complex)
                      else torch.zeros(shape, dtype=dtype, device=device, requires_grad=True)
                      for index, (shape, dtype, device) in enumerate(call.results)]
        total = None
        step = _Pass(call, cotangents, primals, lambda: primals)
        for places, computed in _gradients(step, [tangent is not None for tangent in tangents]):
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

        def tangent_of(cotangent):
            tangent = None if cotangent is None else next(found)
            return tangent if cotangent is None or tangent is not None else torch.zeros_like(cotangent)

        results = tuple(tangent_of(each) for each in cotangents)
    return results if len(results) > 1 or call.recorder.returns_list else results[0]


class _Recorded(function.Function):
    forward, backward, jvp = staticmethod(_forward), staticmethod(_backward), staticmethod(_jvp)


@functools.cache
def _in_transform():
    return type("_RecordedInTransform", (function._SingleLevelFunction,),
                {"forward": staticmethod(_forward), "backward": staticmethod(_backward), "jvp": staticmethod(_jvp)})


class InplaceRecorder(_Kernel):
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
