"""Tests of all operators of a library for PyTorch: opcheck, compilers, exporters, derivatives, torch.vmap and AOTInductor.

structured_add_torch_library(NAME ... TESTS samples.py) copies this module to the package NAME_tests, which has the tests of the
library: `python3 -m NAME_tests`. `python3 -m structured_gen.torch_tests NAME --samples=samples.py` tests an installed package.

A file of samples defines a generator function, and may exclude operators or single tests of them, with a reason:

    def samples(make):
        yield 'pool', (make(2, 3, make.n, 7), make(5, 2, dtype=torch.long, low=0, high=6)), {'aligned': True}

    excluded = {'shuffle': 'results are random', 'pool': {'aot_inductor': 'a reason'}}

A sample is a name, with the overload (`blend.Tensor`) or without, the arguments, and the keyword arguments if there are any.
`make(*sizes, ...)` is torch.testing.make_tensor with the dtype `make.dtype`. Sizes that depend on `make.n` are dynamic in the tests
of dynamic sizes. Samples of a functional variant serve its in-place and out= variants.
"""
import argparse
import ast
import collections
import contextlib
import importlib
import importlib.util
import itertools
import json
import pathlib
import re
import sys
import sysconfig
import tempfile
import types
import unittest
import unittest.mock
import warnings

try:
    import torch
    from torch.utils import _pytree as pytree
except ImportError:
    torch = None

SIZES = 6, 9, 13  # values of `make.n`
MOST_GENERIC_SAMPLES = 3
NO_DERIVATIVE = r"derivative for .* is not implemented"

compile_backend = "aot_eager"  # for single operators; the tests of all operators use Inductor


class NoSample(Exception):
    """An operator refuses all samples."""


class Make:
    """Makes the tensors of samples."""

    def __init__(self, n, dtype):
        self.n, self.dtype = n, dtype

    def __call__(self, *sizes, dtype=None, **options):
        dtype = dtype or self.dtype
        if dtype.is_floating_point or dtype.is_complex:
            options = {"low": -2, "high": 2, **options}
        return torch.testing.make_tensor(sizes, dtype=dtype, device="cpu", **options)


def first_line(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def map_tensors(function, tree):
    return pytree.tree_map(lambda x: function(x) if is_tensor(x) else x, tree)


def is_mutable(argument):
    return argument.alias_info is not None and argument.alias_info.is_write


def is_output(argument):
    return is_mutable(argument) and argument.kwarg_only


def inputs_of(schema):
    return [(each.name, str(each.type)) for each in schema.arguments if not is_output(each)]


class Call:
    """An operator with arguments."""

    def __init__(self, operator, args, kwargs=None):
        self.operator, self.args, self.kwargs = operator, tuple(args), dict(kwargs or {})

    def arguments(self):
        """Pairs of an argument of the schema and its value."""
        by_name = {each.name: each for each in self.operator._schema.arguments}
        return [*zip(self.operator._schema.arguments, self.args), *((by_name[name], value) for name, value in self.kwargs.items())]

    def leaves(self):
        """Pairs of an argument of the schema and a value that is not a list, which may be an element of a list."""
        return [(argument, leaf) for argument, value in self.arguments() for leaf in pytree.tree_flatten(value)[0]]

    def with_leaves(self, leaves):
        leaves = list(leaves)
        values = []
        for _, value in self.arguments():
            own, structure = pytree.tree_flatten(value)
            values.append(pytree.tree_unflatten(leaves[:len(own)], structure))
            del leaves[:len(own)]
        count = len(self.args)
        return Call(self.operator, values[:count], dict(zip(self.kwargs, values[count:])))

    def copy(self):
        return self.with_leaves(map_tensors(lambda x: x.detach().clone(), [leaf for _, leaf in self.leaves()]))

    def __call__(self):
        torch.manual_seed(0)
        return self.operator(*self.args, **self.kwargs)

    def outcome(self):
        """The results of a call with copies of the arguments, and the new values of mutable arguments."""
        call = self.copy()
        results = call()
        return results, [value for argument, value in call.arguments() if is_mutable(argument)]

    def function_of(self, positions):
        """A function of the leaves at the positions, which calls the operator. Compilers trace it, also those of PyTorch 2.4."""
        operator, count, names = self.operator, len(self.args), list(self.kwargs)
        # Leaves have names, since compilers make symbols of integers that are numbers of leaves.
        leaves = {str(i): leaf for i, (_, leaf) in enumerate(self.leaves())}
        given = [str(position) for position in positions]
        rest = iter(leaves)
        layout = [[next(rest) for _ in value] if isinstance(value, (list, tuple)) else next(rest) for _, value in self.arguments()]

        def function(*inputs):
            own = {**leaves, **dict(zip(given, inputs))}
            values = [[own[i] for i in each] if isinstance(each, list) else own[each] for each in layout]
            return operator(*values[:count], **dict(zip(names, values[count:])))

        return function

    def tensors(self):
        """The positions of tensors among the leaves."""
        return [i for i, (_, leaf) in enumerate(self.leaves()) if is_tensor(leaf)]

    def pick(self, positions):
        leaves = self.leaves()
        return [leaves[i][1] for i in positions]


class Operator:
    """An operator of a library, one overload, and its samples."""

    def __init__(self, library, overload):
        self.library, self.overload, self.schema = library, overload, overload._schema
        self.base = self.schema.name.split("::")[1]
        self.name = ".".join(filter(None, [self.base, self.schema.overload_name]))
        self.is_functional = not any(map(is_mutable, self.schema.arguments))
        self.is_out = any(map(is_output, self.schema.arguments)) and self.schema.overload_name != ""
        self._chosen = None

    def has_tag(self, name):
        return getattr(torch.Tag, name, None) in self.overload.tags

    def has_kernel(self, *keys):
        name = ".".join(filter(None, [self.schema.name, self.schema.overload_name]))
        return any(torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in keys)

    def has_other_results(self):
        """Whether there are results that are neither tensors nor lists of tensors."""
        return any(str(each.type) not in ("Tensor", "List[Tensor]") for each in self.schema.returns)

    def refused_by_compilers(self):
        """Why PyTorch's compilers do not accept the operator, or None."""
        if self.has_other_results():
            return "PyTorch's compilers accept only tensors as results"
        if self.has_kernel("CompositeImplicitAutograd", "Functionalize"):
            return None
        if any(each.alias_info is not None for each in self.schema.returns):
            return "PyTorch's compilers do not accept custom operators that return an argument or a view"
        is_mutating = any(each.alias_info is not None and each.alias_info.is_write for each in self.schema.arguments)
        functionalize = importlib.import_module("torch._higher_order_ops.auto_functionalize")
        if is_mutating and not hasattr(functionalize, "AutoFunctionalizedV2"):
            return "the compilers of PyTorch before 2.5 do not accept mutable arguments in lists or beside one named `self`"
        return None

    def functional_variant(self):
        """The functional variant of an in-place or out= variant, or None."""
        name = self.base if self.is_out else self.base[:-1] if self.base.endswith("_") else None
        return next((each for each in self.library.operators if not self.is_functional and each.is_functional and each.base == name
                     and inputs_of(each.schema) == inputs_of(self.schema)), None)

    # Samples.

    def samples(self, n=SIZES[0], dtype=None, seed=0):
        """Calls for a size, which differ only in sizes and values from those for another one."""
        if self._chosen is None:
            self._choose()
        dtype = dtype or torch.float
        return [each for number, each in enumerate(self._candidates(n, dtype, seed)[1]) if number in self._chosen]

    def _choose(self):
        kind, calls = self._candidates(SIZES[0], torch.float, 0)
        chosen, refusal = [], None
        for number, call in enumerate(calls):
            try:
                if kind != "exact":
                    call.outcome()
                chosen.append(number)
            except Exception as error:  # pylint: disable=broad-except
                refusal = first_line(error)
            if kind == "generic" and len(chosen) == MOST_GENERIC_SAMPLES:
                break
        if not chosen:
            found = "has arguments of types that are not sampled" if refusal is None else \
                f"refuses all that were tried, the last one by {refusal}"
            raise NoSample(f"no sample: {self.name} {found}; yield arguments for {self.name!r} from samples() in "
                           f"{self.library.samples_file or 'a file of samples'}, or exclude it with a reason")
        self._chosen = chosen

    def _candidates(self, n, dtype, seed):
        """Where samples come from, and the samples. The operator must accept those that are `exact`."""
        given = self.library.samples(n, dtype, seed)
        exact = [Call(self.overload, *each) for name, *each in given if name == self.name]
        if exact:
            return "exact", exact
        outputs = {each.name for each in self.schema.arguments if is_output(each) and self.is_out}
        loose = [Call(self.overload, *each) for name, *each in given if name == self.base and outputs <= set((each[1:] or [{}])[0])]
        if loose:
            return "loose", loose
        functional = self.functional_variant()
        if functional is not None:
            return "variant", [self._variant_of(each) for each in functional.samples(n, dtype, seed)]
        torch.manual_seed(seed)
        return "generic", self._generic_samples(Make(n, dtype))

    def _variant_of(self, call):
        kwargs = dict(call.kwargs)
        if self.is_out:
            results = call.outcome()[0]
            results = [results] if len(self.schema.returns) == 1 else results
            names = [each.name for each in self.schema.arguments if is_output(each)]
            # torch.compile accepts only contiguous outputs.
            kwargs.update(zip(names, map_tensors(lambda x: torch.zeros(x.shape, dtype=x.dtype), list(results))))
        return Call(self.overload, call.args, kwargs).copy()

    def _generic_samples(self, make):
        """Calls with arguments by the types of the schema. An operator refuses most of them."""
        n = make.n
        shapes = [(n, 3), (n,), (2, n, 3), (2, 3, n, n + 1), (n, n), (2, 3, 4, n, n + 1), ()]
        count_of_tensors = sum("Tensor" in str(each.type) for each in self.schema.arguments)
        integers_from = [None, *range(1, min(count_of_tensors, 3))]
        for first_integer, is_given, number, shape in itertools.product(integers_from, (False, True), (1, 2, 0), shapes):
            with contextlib.suppress(NoSample):
                yield self._generic_sample(make, shape, number, is_given, first_integer)

    def _generic_sample(self, make, shape, number, is_given, first_integer):
        """A call with tensors of one shape, from the tensor `first_integer` on of integers, with the number, and with optional
        tensors if `is_given`."""
        count = itertools.count()

        def tensor():
            if first_integer is not None and next(count) >= first_integer:
                return make(*shape, dtype=torch.long, low=0, high=2)
            return make(*shape)

        def value(type):
            optional, items = re.fullmatch(r"Optional\[(.*)\]", type), re.fullmatch(r"List\[(.*)\]", type)
            if optional:
                return value(optional[1]) if is_given and "Tensor" in type else None
            if items:
                return [value(items[1]) for _ in range(2)]
            makers = {"Tensor": tensor, "int": lambda: number, "SymInt": lambda: number, "float": lambda: number / 2,
                      "number": lambda: number / 2, "bool": lambda: number == 1, "Device": lambda: torch.device("cpu")}
            if type not in makers:
                raise NoSample
            return makers[type]()

        args, kwargs = [], {}
        for index, argument in enumerate(self.schema.arguments):
            if argument.has_default_value() and not (is_given and "Tensor" in str(argument.type)):
                continue
            if argument.kwarg_only or len(args) < index:
                kwargs[argument.name] = value(str(argument.type))
            else:
                args.append(value(str(argument.type)))
        return Call(self.overload, args, kwargs)

    # Derivatives.

    def differentiable_positions(self, call):
        """The positions of leaves that the derivative covers: those that require gradients if the author marked some."""
        names = self.library.differentiable_inputs(self.name)
        leaves = call.leaves()
        is_marked = any(is_tensor(leaf) and leaf.requires_grad for _, leaf in leaves)
        return [i for i, (argument, leaf) in enumerate(leaves)
                if is_tensor(leaf) and (leaf.is_floating_point() or leaf.is_complex())
                and (leaf.requires_grad if is_marked else names is None or argument.name in names)]

    def differentiable(self, call):
        """Copies of the inputs that the derivative covers, and a function of them with the results that require gradients."""
        positions = self.differentiable_positions(call)
        call_with = call.copy().function_of(positions)

        def function(*inputs):
            torch.manual_seed(0)
            results = call_with(*(inputs if self.is_functional else [each.clone() for each in inputs]))
            results = [each for each in pytree.tree_flatten(results)[0] if is_tensor(each) and each.requires_grad]
            # Finite differences of infinite values are NaN.
            return tuple(each if each.is_complex() else each.clamp(-1e6, 1e6) for each in results)

        return [each.detach().clone().requires_grad_() for each in call.pick(positions)], function

    def missing_derivative(self):
        """Why the operator has no derivative that can be tested, or None."""
        if self.is_out:
            return "out= variants have no derivatives"
        if self.library.is_not_differentiable(self.name):
            return "not differentiable"
        if not self.has_kernel("Autograd", "AutogradCPU", "CompositeImplicitAutograd"):
            return "no derivative"
        reason = "no sample has floating-point tensors"
        for call in self.samples():
            try:
                inputs, function = self.differentiable(call)
                if not inputs:
                    continue
                results = function(*inputs)
                if results:
                    torch.autograd.grad([each.abs().sum() for each in results], inputs, allow_unused=True)
                    return None
                reason = "results do not require gradients"
            except RuntimeError as error:
                if self.library.differentiable_inputs(self.name) is None and re.search(NO_DERIVATIVE, str(error)):
                    return "no derivative"
                return None  # the tests report the error
        return reason


class Library:
    """The operators of a package. `operators` is the path of operators.json, if there is one."""

    def __init__(self, package, operators=None, samples=None):
        self.package = importlib.import_module(package) if isinstance(package, str) else package
        self.samples_file = samples and str(samples)
        self._samples, self.excluded, self._given = None, {}, {}
        self._descriptions = {}  # by the names of variants
        if operators:
            for operator in json.loads(pathlib.Path(operators).read_text(encoding="utf-8"))["operators"]:
                names = [each["schema"].partition("(")[0] for each in operator["variants"]]
                self._descriptions.update(dict.fromkeys(names, operator))
        bases = dict.fromkeys(each.partition(".")[0] for each in self._descriptions) or stub_names(self.package)
        self.operators = []
        for base in bases:
            packet = getattr(self.package, base)
            for name in packet.overloads():
                operator = Operator(self, getattr(packet, name))
                if not self._descriptions or operator.name in self._descriptions:
                    self.operators.append(operator)
        if samples:
            self._read_samples(pathlib.Path(samples))

    def _read_samples(self, path):
        spec = importlib.util.spec_from_file_location(f"_samples_of_{self.package.__name__}", path)
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(path.resolve().parent))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.pop(0)
        self._samples, self.excluded = getattr(module, "samples", None), getattr(module, "excluded", {})
        for name, reason in self.excluded.items():
            self._check_name(name, "`excluded`")
            for test in reason if isinstance(reason, dict) else ():
                if test not in TESTS:
                    raise ValueError(f"{path}: `excluded` names the test {test!r} of {name!r}; expected one of {', '.join(TESTS)}")

    def _check_name(self, name, where):
        if not any(name in (each.name, each.base) for each in self.operators):
            raise ValueError(f"{self.samples_file}: {where} names {name!r}, which is not an operator of {self.package.__name__}")

    def samples(self, n, dtype, seed):
        """The author's samples: lists of a name, arguments and, if there are any, keyword arguments."""
        if self._samples is None:
            return []
        key = n, dtype, seed
        if key not in self._given:
            torch.manual_seed(seed)
            given = []
            for name, args, *kwargs in self._samples(Make(n, dtype)):
                self._check_name(name, "samples()")
                given.append([name, tuple(args) if isinstance(args, (tuple, list)) else (args,), *kwargs])
            self._given[key] = given
        return self._given[key]

    def reason_to_exclude(self, operator, test):
        for name in operator.name, operator.base:
            reason = self.excluded.get(name)
            if isinstance(reason, dict):
                reason = reason.get(test)
            if reason:
                return reason
        return None

    def differentiable_inputs(self, name):
        """The inputs that derivatives of the author cover; None if the author wrote none."""
        backwards = self._descriptions.get(name, {}).get("backwards")
        return {each for backward in backwards for each in backward["inputs"]} if backwards else None

    def is_not_differentiable(self, name):
        return not self._descriptions.get(name, {}).get("is_differentiable", True)


def stub_names(package):
    """The names of the functions in the stubs of a package."""
    stubs = ast.parse(pathlib.Path(package.__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
    return dict.fromkeys(each.name for each in stubs.body if isinstance(each, ast.FunctionDef))


def assert_equal(actual, expected):
    actual, expected = pytree.tree_flatten(actual)[0], pytree.tree_flatten(expected)[0]
    if len(actual) != len(expected):
        raise AssertionError(f"expected {len(expected)} results, got {len(actual)}")
    for one, other in zip(actual, expected):
        if is_tensor(other) and is_tensor(one):
            torch.testing.assert_close(one, other, equal_nan=True)
        elif one != other:
            raise AssertionError(f"expected {other!r}, got {one!r}")


class Module(torch.nn.Module if torch else object):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class LibraryTest(unittest.TestCase):
    library = None

    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        contexts = contextlib.ExitStack()
        contexts.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        # Results whose sizes depend on data; the newest PyTorch traces them by default.
        contexts.enter_context(torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True))
        self.addCleanup(contexts.close)

    def skip_unless(self, condition, reason):
        if not condition:
            self.skipTest(reason)


class OperatorTest(LibraryTest):
    """Tests of one operator."""
    operator = None

    def setUp(self):
        super().setUp()
        test = self._testMethodName[len("test_"):]
        reason = self.library.reason_to_exclude(self.operator, test)
        self.skip_unless(reason is None, reason)
        try:
            self.operator.samples()
        except NoSample as error:
            self.skip_unless(test == "opcheck", "no sample, an error of the test opcheck")
            self.fail(error)
        if test in ("compile", "dynamic_sizes", "dynamic_gradients", "export", "export_of_dynamic_sizes"):
            reason = self.operator.refused_by_compilers()
            self.skip_unless(reason is None, reason)

    def for_each_sample(self, check, sizes=SIZES[:1], dtype=None):
        """Calls `check` with a list of calls for the sizes."""
        for number, calls in enumerate(zip(*(self.operator.samples(n, dtype) for n in sizes))):
            with self.subTest(sample=number):
                torch._dynamo.reset()
                check(calls)

    def compare(self, function, positions, call):
        """Compares a compiled function of the leaves at the positions with the operator."""
        expected, own = call.outcome(), call.copy()
        torch.manual_seed(0)
        results = function(*own.pick(positions))
        assert_equal((results, [value for argument, value in own.arguments() if is_mutable(argument)]), expected)

    def test_opcheck(self):
        utilities = ["test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"]
        if self.operator.has_tag("nondeterministic_seeded") or self.operator.refused_by_compilers():
            utilities.pop()  # compares the results of two compiled calls
        has_derivative = self.operator.missing_derivative() is None

        def check(calls):
            for requires_grad in (False, True) if has_derivative else (False,):
                call = calls[0].copy()
                leaves = call.leaves()
                for position in self.operator.differentiable_positions(calls[0]) if requires_grad else ():
                    if not is_mutable(leaves[position][0]):
                        leaves[position][1].requires_grad_()
                torch.library.opcheck(self.operator.overload, call.args, call.kwargs, test_utils=utilities)

        self.for_each_sample(check)

    def test_functional_variant(self):
        functional = self.operator.functional_variant()

        def check(calls):
            outputs = {each.name for each in self.operator.schema.arguments if is_output(each)}
            inputs = {name: value for name, value in calls[0].kwargs.items() if name not in outputs}
            expected = pytree.tree_flatten(Call(functional.overload, calls[0].args, inputs).outcome()[0])[0]
            changed = pytree.tree_flatten(calls[0].outcome()[1])[0]
            # In-place and out= variants convert results to the dtypes of the tensors that they write to.
            assert_equal(changed, [each.to(own.dtype) for each, own in zip(expected, changed)])

        self.for_each_sample(check)

    def test_compile(self):
        def check(calls):
            positions = calls[0].tensors()
            compiled = torch.compile(calls[0].function_of(positions), fullgraph=True, dynamic=False, backend=compile_backend)
            self.compare(compiled, positions, calls[0])

        self.for_each_sample(check)

    def for_each_dynamic_sample(self, check):
        """Calls `check` with the calls for all sizes, the positions of tensors and of integers that depend on the size, and their
        dynamic dimensions, None for integers."""
        has_any = False

        def check_if_dynamic(calls):
            nonlocal has_any
            first, last = calls[0].leaves(), calls[-1].leaves()
            positions = [i for i, (one, other) in enumerate(zip(first, last)) if is_tensor(one[1]) or one[1] != other[1]]
            pairs = zip(calls[0].pick(positions), calls[-1].pick(positions))
            dims = [[dim for dim in range(x.dim()) if x.shape[dim] != y.shape[dim]] if is_tensor(x) else None for x, y in pairs]
            if any(each is None or each for each in dims):
                has_any = True
                check(calls, positions, dims)

        self.for_each_sample(check_if_dynamic, SIZES)
        self.skip_unless(has_any, "no size of the samples depends on make.n")

    def compile_marked(self, call, positions, dims):
        """Returns a compiled function of the leaves at the positions, which marks their dynamic dimensions, and a counter."""
        from torch._dynamo.testing import CompileCounterWithBackend
        counter = CompileCounterWithBackend(compile_backend)
        has_integers = None in dims  # which cannot be marked
        compiled = torch.compile(call.function_of(positions), fullgraph=True, backend=counter, dynamic=has_integers or None)

        def function(*inputs):
            for each, own in zip(inputs, dims):
                for dim in own or ():
                    torch._dynamo.mark_dynamic(each, dim)
            return compiled(*inputs)

        return function, counter

    def test_dynamic_sizes(self):
        def check(calls, positions, dims):
            function, counter = self.compile_marked(calls[0], positions, dims)
            for call in calls:
                self.compare(function, positions, call)
            self.assertEqual(counter.frame_count, 1, "another size was compiled again")

        self.for_each_dynamic_sample(check)

    def test_dynamic_gradients(self):
        self.skip_unless(self.operator.is_functional, "only functional variants")
        reason = self.operator.missing_derivative()
        self.skip_unless(reason is None, reason)

        def gradients(function, positions, call):
            own = call.copy()
            leaves = own.pick(self.operator.differentiable_positions(call))
            for leaf in leaves:
                leaf.requires_grad_()
            torch.manual_seed(0)
            results = pytree.tree_flatten(function(*own.pick(positions)))[0]
            sums = [each.abs().square().sum() for each in results if each.requires_grad]
            return torch.autograd.grad(sums, leaves, allow_unused=True)

        def check(calls, positions, dims):
            if self.operator.differentiable_positions(calls[0]):
                function, counter = self.compile_marked(calls[0], positions, dims)
                for call in calls:
                    assert_equal(gradients(function, positions, call), gradients(call.function_of(positions), positions, call))
                self.assertEqual(counter.frame_count, 1, "another size was compiled again")

        self.for_each_dynamic_sample(check)

    def test_export(self):
        def check(calls):
            positions = calls[0].tensors()
            program = torch.export.export(Module(calls[0].function_of(positions)), tuple(calls[0].copy().pick(positions)))
            self.compare(program.module(), positions, calls[0])

        self.for_each_sample(check)

    def test_export_of_dynamic_sizes(self):
        dynamic = getattr(torch.export.Dim, "DYNAMIC", None)
        self.skip_unless(dynamic, f"PyTorch {torch.__version__} has no torch.export.Dim.DYNAMIC")

        def check(calls, positions, dims):
            shapes = tuple(dynamic if own is None else dict.fromkeys(own, dynamic) for own in dims)
            program = torch.export.export(Module(calls[0].function_of(positions)), tuple(calls[0].copy().pick(positions)),
                                          dynamic_shapes={"inputs": shapes})
            for call in calls:
                self.compare(program.module(), positions, call)

        self.for_each_dynamic_sample(check)

    def for_each_differentiable_sample(self, check):
        """Calls `check` with a function and its inputs, which require gradients, in double precision."""
        reason = self.operator.missing_derivative()
        self.skip_unless(reason is None, reason)

        def check_if_differentiable(calls):
            inputs, function = self.operator.differentiable(calls[0])
            if inputs:
                check(function, inputs)

        self.for_each_sample(check_if_differentiable, dtype=torch.double)

    def test_gradients(self):
        self.for_each_differentiable_sample(torch.autograd.gradcheck)

    def test_second_gradients(self):
        reasons = set()

        def check(function, inputs):
            try:
                torch.autograd.gradgradcheck(function, inputs, fast_mode=True)
            except RuntimeError as error:
                missing = re.search(NO_DERIVATIVE, str(error))
                if not missing:
                    raise
                reasons.add(missing[0])

        self.for_each_differentiable_sample(check)
        self.skip_unless(not reasons, ", ".join(sorted(reasons)))

    def test_vmap(self):
        self.skip_unless(self.operator.is_functional, "only functional variants")
        self.skip_unless(not self.operator.has_tag("nondeterministic_seeded"), "results are random")
        self.skip_unless(self.operator.has_kernel("FuncTorchBatched", "FuncTorchBatchedDecomposition"), "no batching rule")
        self.skip_unless(not self.operator.has_other_results(), "torch.vmap accepts only tensors as results")
        has_any = False
        for number, calls in enumerate(zip(*(self.operator.samples(seed=seed) for seed in range(3)))):
            calls = [each.copy() for each in calls]
            results = [pytree.tree_flatten(each())[0] for each in calls]
            positions = calls[0].tensors()
            if not positions or len({tuple(each.shape for each in own) for own in results}) > 1:
                continue
            has_any = True
            with self.subTest(sample=number):
                inputs = [torch.stack(each) for each in zip(*(each.pick(positions) for each in calls))]
                batched = torch.vmap(calls[0].function_of(positions))(*inputs)
                assert_equal(batched, [torch.stack(each) for each in zip(*results)])
        self.skip_unless(has_any, "the samples have no tensors, or the sizes of results depend on data")


class AllOperatorsTest(LibraryTest):
    """Tests of one program with all operators, since Inductor takes seconds for each program."""

    def setUp(self):
        super().setUp()
        self.skip_unless(pathlib.Path(sysconfig.get_path("include"), "Python.h").exists(),
                         "Inductor's code includes Python.h, which is missing; Debian has it in python3-dev")
        # The folder of Python's libraries comes first, and has another PyTorch where Debian's libtorch-dev is installed.
        libraries = str(pathlib.Path(torch.__file__).with_name("lib"))
        patch = unittest.mock.patch.dict(sysconfig.get_config_vars(), LIBDIR=libraries)
        patch.start()
        self.addCleanup(patch.stop)

    def check(self, test, compile_program):
        """Compares a compiled program with the operators. If it fails, tests each operator alone, to name those that fail."""
        calls = []
        for operator in self.library.operators:
            if not operator.is_functional or operator.refused_by_compilers() or self.library.reason_to_exclude(operator, test):
                continue
            with contextlib.suppress(NoSample):  # the tests of the operator report it
                calls.append(operator.samples()[0])
        try:
            self.check_program(calls, compile_program)
        except Exception:
            for call in calls:
                with self.subTest(operator=str(call.operator)):
                    torch._dynamo.reset()
                    self.check_program([call], compile_program)
            raise

    @staticmethod
    def check_program(calls, compile_program):
        functions, end = [], 0
        for call in calls:
            start, end = end, end + len(call.tensors())
            functions.append((call.function_of(call.tensors()), start, end))

        def program(*inputs):
            return [function(*inputs[start:end]) for function, start, end in functions]

        inputs = [each for call in calls for each in call.copy().pick(call.tensors())]
        compiled = compile_program(program, inputs)
        torch.manual_seed(0)
        expected = program(*inputs)
        torch.manual_seed(0)
        assert_equal(compiled(*inputs), expected)

    def test_inductor(self):
        self.check("inductor", lambda function, _: torch.compile(function, fullgraph=True))

    def test_aot_inductor(self):
        self.skip_unless(hasattr(torch._inductor, "aoti_load_package"),
                         f"PyTorch {torch.__version__} has no torch._inductor.aoti_load_package")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)

        def compile_program(function, inputs):
            path = tempfile.mktemp(".pt2", dir=folder.name)
            with torch.no_grad():
                program = torch.export.export(Module(function), tuple(inputs))
                torch._inductor.aoti_compile_and_package(program, package_path=path)
            return torch._inductor.aoti_load_package(path)

        self.check("aot_inductor", compile_program)


TESTS = [name[len("test_"):] for each in (OperatorTest, AllOperatorsTest) for name in dir(each) if name.startswith("test_")]


def define(namespace, package, operators=None, samples=None):
    """Defines the tests of a package in the namespace of a module: a class for each operator, and `all_operators`. Raises
    unittest.SkipTest where PyTorch is missing or too old."""
    if torch is None:
        raise unittest.SkipTest(f"{sys.executable} has no package `torch`")
    if not hasattr(torch.library, "opcheck"):
        raise unittest.SkipTest(f"PyTorch {torch.__version__} has no torch.library.opcheck; version 2.4 has it")
    library = Library(package, operators, samples)
    for operator in library.operators:
        name = operator.name.replace(".", "_")
        while name in namespace:
            name += "_"
        members = {"operator": operator, "library": library, "__module__": namespace["__name__"]}
        if operator.functional_variant() is None:
            members["test_functional_variant"] = None
        namespace[name] = type(name, (OperatorTest,), members)
    members = {"library": library, "__module__": namespace["__name__"]}
    namespace["all_operators"] = type("all_operators", (AllOperatorsTest,), members)


def run(module, arguments):
    """Runs the tests of a module with the options of unittest. Prints the tests that were skipped, by reasons."""
    result = unittest.main(module=module, argv=["operator tests", *arguments], exit=False).result
    skipped = collections.defaultdict(list)
    for test, reason in result.skipped:
        skipped[reason].append(f"{type(test).__name__} {test._testMethodName[len('test_'):]}")
    for reason, tests in skipped.items():
        print(f"skipped: {reason}: {', '.join(tests)}")
    return not result.wasSuccessful()


def main(module=None, arguments=None):
    """Runs the tests of a module, or of the package that the first argument names. Exits with 77 if PyTorch is missing."""
    global compile_backend
    parser = argparse.ArgumentParser(description="tests all operators of a package; other options are those of unittest, such as -v "
                                     "and -k PATTERN", allow_abbrev=False)
    if module is None:
        parser.add_argument("package", help="the Python package of the library")
        parser.add_argument("--samples", metavar="FILE", help="a Python file with samples of arguments")
        parser.add_argument("--operators", metavar="FILE", help="operators.json of the build")
    parser.add_argument("--backend", default=compile_backend,
                        help="of torch.compile in the tests of single operators (default: %(default)s)")
    options, others = parser.parse_known_args(arguments)
    compile_backend = options.backend
    try:
        if module is None:
            module = types.ModuleType(f"{options.package}_tests")
            define(vars(module), options.package, options.operators, options.samples)
        else:
            module = importlib.import_module(module)
    except unittest.SkipTest as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    sys.exit(run(module, others))
