"""How processes share the work of operators on tensors of torch.distributed.tensor (DTensor).

A rule has a term for each argument that is a tensor or a list of tensors, and one for each result. A term names the dimensions
of its tensor: a string is a dimension that may be spread over processes, None one that the operator needs whole, Ellipsis any
number of dimensions, which broadcast, and `(..., "dim")` those but for the ones that the argument `dim` lists. A result without
a name that an argument has is the sum of what the processes compute. An operator without a rule is computed by each process on
whole tensors.

Needs PyTorch 2.5, which makes DTensor public. Everything here runs when a program imports torch.distributed.tensor.
"""
import importlib.abc
import importlib.util
import sys

_MODULE = "torch.distributed.tensor"


def register(rules):
    """Registers a rule, or None, for each operator `namespace::name.overload`: at once if torch.distributed.tensor is
    imported, or else after its import, which takes more than a second."""
    if _MODULE in sys.modules:
        _register(rules)
    else:
        sys.meta_path.insert(0, _AfterImport(lambda: _register(rules)))


class _AfterImport(importlib.abc.MetaPathFinder):
    """Calls a function once the module is imported."""

    def __init__(self, function):
        self.function = function

    def find_spec(self, name, path, target=None):
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.function()

            spec.loader.exec_module = exec_module
        return spec


def _register(rules):
    import torch
    from torch.distributed.tensor import DTensor
    from torch.distributed.tensor._op_schema import RuntimeSchemaInfo
    from torch.distributed.tensor.experimental import register_sharding

    for name, rule in rules.items():
        namespace, _, name = name.partition("::")
        name, _, overload = name.partition(".")
        op = getattr(getattr(getattr(torch.ops, namespace), name), overload or "default")
        register_sharding(op)(_Strategies(op, rule))
        # register_sharding takes results for equal only by arguments from the first integer on, which leaves out lists,
        # Booleans and other numbers before it.
        arguments = op._schema.arguments
        others = [i for i, argument in enumerate(arguments) if not _is_tensor(argument)]
        positional = [i for i in others if not arguments[i].kwarg_only]
        DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[op] = RuntimeSchemaInfo(
            min(positional, default=len(arguments)), [arguments[i].name for i in others if arguments[i].kwarg_only] or None,
            needs_pytree=True)


def _is_tensor(argument):
    return "Tensor" in str(argument.type)


def _check_lists(op):
    """Raises an error if register_sharding does not count the tensors of lists, as in PyTorch 2.8."""
    import torch
    from torch.distributed.tensor import _op_schema
    if len(_op_schema.tree_leaves(_op_schema.TupleStrategy((1, 2)))) != 2:
        raise NotImplementedError(f"{op}: DTensor of PyTorch {torch.__version__} takes no lists of tensors in operators of "
                                  "libraries; call it on local tensors, or use a later version")


class _Strategies:
    """Returns pairs of placements of the results and of the tensors, from the operator's arguments."""

    def __init__(self, op, rule):
        self.op, self.rule = op, rule

    def __call__(self, *args, **kwargs):
        from torch.distributed.tensor import Replicate
        arguments = self._arguments(args, kwargs)
        if any(isinstance(arguments[each.name], (list, tuple)) for each in filter(_is_tensor, self.op._schema.arguments)):
            _check_lists(self.op)
        tensors, terms = self._tensors(arguments)
        results = len(self.op._schema.returns)
        whole = ([Replicate()] * results, [Replicate()] * len(tensors))
        if self.rule is None:
            return [whole]
        named = [_named_dims(term, tensor.ndim, arguments) for term, tensor in zip(terms, tensors)]
        by_result = self._named_dims_of_results(args, kwargs, named, terms)
        names = {name: None for dims in named for name in dims}
        return [whole, *(strategy for name in names if (strategy := _strategy(name, named, tensors, by_result)))]

    def _arguments(self, args, kwargs):
        values = dict(zip((argument.name for argument in self.op._schema.arguments), args))
        values.update(kwargs)
        return {argument.name: values.get(argument.name, argument.default_value) for argument in self.op._schema.arguments}

    def _tensors(self, arguments):
        """The tensors of the call, those of lists one by one, and the term of each."""
        terms = iter(self.rule[0]) if self.rule else None
        tensors, of_tensors = [], []
        for argument in filter(_is_tensor, self.op._schema.arguments):
            value, term = arguments[argument.name], next(terms) if terms else None
            given = [each for each in (value if isinstance(value, (list, tuple)) else [value]) if each is not None]
            tensors += given
            of_tensors += [term] * len(given)
        return tensors, of_tensors

    def _named_dims_of_results(self, args, kwargs, named, terms):
        loops = max((-name for dims in named for name in dims if isinstance(name, int)), default=0)
        excepted = [(term, dims) for term, dims in zip(terms, named) if any(isinstance(dim, tuple) for dim in term)]
        ranks = self._ranks(args, kwargs) if excepted else [loops + _fixed(term) for term in self.rule[1]]
        by_result = []
        for term, rank in zip(self.rule[1], ranks):
            if ... not in term:
                rank = _fixed(term)
            dims = _named_dims(term, rank, {})
            if ... in term and rank - _fixed(term) != loops:  # it keeps the dimensions that the argument lists, of one element
                other, others = excepted[0]
                shift = term.index(...) - next(i for i, dim in enumerate(other) if _is_ellipsis(dim))
                dims = {name: position for name, position in dims.items() if isinstance(name, str)}
                dims.update({name: position + shift for name, position in others.items() if isinstance(name, int)})
            by_result.append(dims)
        return by_result

    def _ranks(self, args, kwargs):
        """The number of dimensions of each result, by a call on tensors without data."""
        import torch
        from torch.utils._pytree import tree_map

        def stand_in(value):
            if not hasattr(value, "tensor_meta"):
                return value
            return torch.empty(value.shape, dtype=value.tensor_meta.dtype, device="meta")

        results = self.op(*tree_map(stand_in, args), **tree_map(stand_in, kwargs))
        return [result.dim() for result in (results if isinstance(results, (list, tuple)) else [results])]


def _named_dims(term, rank, arguments):
    """The position of each dimension that may be spread, by its name, or, for those of `...`, by its position from the end of
    all that broadcast: -1, -2 and so on."""
    loops = rank - _fixed(term)
    positions, position = {}, 0
    for dim in term:
        if _is_ellipsis(dim):
            left_out = _listed(arguments[dim[1]], rank) if isinstance(dim, tuple) else ()
            kept = [each for each in range(position, position + loops) if each not in left_out]
            positions.update({index - len(kept): each for index, each in enumerate(kept)})
            position += loops
        else:
            if dim is not None:
                positions[dim] = position
            position += 1
    return positions


def _fixed(term):
    return sum(not _is_ellipsis(dim) for dim in term)


def _is_ellipsis(dim):
    return dim is ... or isinstance(dim, tuple)


def _listed(dims, rank):
    """The dimensions that an integer or a list of them names. None and no dimensions stand for all, as in reductions."""
    if dims is None or dims == () or dims == []:
        return range(rank)
    return [dim % rank for dim in (dims if isinstance(dims, (list, tuple)) else [dims])] if rank else ()


def _strategy(name, named, tensors, by_result):
    """Placements of the results and of the tensors that spread the dimension; None if it has one element."""
    from torch.distributed.tensor import Partial, Replicate, Shard
    size = max(tensor.shape[dims[name]] for tensor, dims in zip(tensors, named) if name in dims)
    if size == 1:
        return None
    inputs = [Shard(dims[name]) if name in dims and tensor.shape[dims[name]] == size else Replicate()
              for tensor, dims in zip(tensors, named)]
    return [Shard(dims[name]) if name in dims else Partial() for dims in by_result], inputs
