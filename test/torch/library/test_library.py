"""test_library.py LIBRARY: tests of the operators in kernels/, in the newest PyTorch and in 1.13."""
import copy
import importlib.util
import io
import math
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import unittest.mock
import warnings

import torch

HAS_COMPILERS = hasattr(torch, 'compile')
VERSION = tuple(map(int, torch.__version__.split('.')[:2]))
PRINTS_WARNINGS = VERSION < (2, 9), 'torch.ops of this PyTorch prints warnings and does not raise them'
REFUSES_MUTATIONS = VERSION < (2, 8), 'the functionalization of PyTorch 2.4 refuses mutable arguments named `self` and results that alias'
if HAS_COMPILERS:
    from torch._dynamo.testing import CompileCounterWithBackend
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
    from torch.library import opcheck

LIBRARY = pathlib.Path(sys.argv.pop(1))
torch.ops.load_library(str(LIBRARY))
trial = torch.ops.trial


def soft_clip(x, limit=1.0):
    return limit * x / (limit + x.abs())


class Values(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def assert_equal(self, actual, expected):
        torch.testing.assert_close(actual, expected)
        self.assertEqual(actual.stride(), expected.stride())

    def test_unary(self):
        x = torch.randn(4, 5)
        self.assert_equal(trial.soft_clip(x), soft_clip(x))
        self.assert_equal(trial.soft_clip(x.t(), 2), soft_clip(x.t(), 2))
        self.assert_equal(trial.soft_clip(torch.arange(4)), soft_clip(torch.arange(4.0)))
        out = torch.empty(0)
        self.assertIs(trial.soft_clip(x, limit=3.0, out=out), out)
        self.assert_equal(out, soft_clip(x, 3))
        y = x.clone()
        self.assertIs(trial.soft_clip_(y), y)
        self.assert_equal(y, soft_clip(x))

    def test_channels_last(self):
        x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        y = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        self.assert_equal(trial.soft_clip(x), soft_clip(x))
        self.assert_equal(trial.blend(x, y, alpha=2), x + 2 * y)
        self.assert_equal(trial.axpy(x, y, alpha=2), x + 2 * y)
        self.assert_equal(trial.choose(x, y, x > 0), torch.where(x > 0, y, x))
        out = torch.empty(0)
        trial.axpy(x, y, out=out)
        self.assert_equal(out, x + y)

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, 'expected a positive limit, got -1'):
            trial.soft_clip(torch.randn(3), -1)
        with self.assertRaisesRegex(RuntimeError, "can't be cast to the desired output type Long"):
            trial.soft_clip_(torch.arange(3))
        with self.assertRaisesRegex(RuntimeError, 'Expected out tensor to have dtype'):
            trial.stack_rows([torch.randn(2, 2)], out=torch.empty(0, dtype=torch.double))
        with self.assertRaisesRegex(RuntimeError, "doesn't match the broadcast shape"):
            trial.blend_(torch.ones(3), torch.ones(2, 3))

    @unittest.skipIf(*PRINTS_WARNINGS)
    def test_wrong_shape_of_out_warns(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            trial.tile(torch.ones(1, 1), [2, 2], out=torch.empty(3))
        self.assertIn('An output with one or more elements was resized', str(caught[0].message))

    def test_optional_tensor(self):
        x, y, mask = torch.randn(3, 4), torch.randn(4), torch.tensor([1.0, 0, 1, 0])
        self.assert_equal(trial.blend(x, y, alpha=2), x + 2 * y)
        self.assert_equal(trial.blend(x, y, mask=mask), torch.where(mask != 0, x + y, x))
        self.assertEqual(trial.blend(torch.arange(3), torch.arange(3.0)).dtype, torch.float32)

    def test_two_outputs_and_precomputed_value(self):
        x = torch.randn(3, 4, 5)
        for dim in [0, 1, -1]:
            low, high = trial.extrema(x, dim, keepdim=True)
            self.assert_equal(low, x.amin(dim, keepdim=True))
            self.assert_equal(high, x.amax(dim, keepdim=True))
        outputs = torch.empty(0), torch.empty(0)
        trial.extrema.out(x, low=outputs[0], high=outputs[1])
        self.assert_equal(outputs[1], x.amax(-1))
        with self.assertRaisesRegex(IndexError, 'Dimension out of range'):
            trial.extrema(x, 3)

    def test_lists(self):
        a, b = torch.randn(2, 3), torch.randn(1, 3)
        self.assert_equal(trial.stack_rows([a, b], 2.0), torch.cat([a, b]) * 2)
        self.assert_equal(trial.copy_rows(a, [1, 1])[1], a[1:])
        self.assert_equal(trial.tile(a, [2, 3]), a.repeat(2, 3))
        self.assert_equal(trial.tile(a, 2), a.repeat(2, 2))

    def test_overlap(self):
        x = torch.randn(4, 3)
        with self.assertRaisesRegex(RuntimeError, 'unsupported operation'):
            trial.tile.out(x[:2], [1, 1], out=x[1:3])

    def test_view_and_composites(self):
        x = torch.randn(4, 3)
        self.assertEqual(trial.head(x, 2).data_ptr(), x.data_ptr())
        self.assert_equal(trial.rms(x), x.square().mean().sqrt())
        self.assert_equal(trial.ramp(3, 2.0, dtype=torch.double), torch.tensor([0.0, 2, 4], dtype=torch.double))

    def test_random(self):
        x = torch.zeros(100)
        generators = [torch.Generator().manual_seed(3) for _ in range(2)]
        first, second = [trial.jitter(x, 0.25, generator=g) for g in generators]
        self.assert_equal(first, second)
        self.assertTrue(0 < first.max() <= 0.25)

    def test_versions(self):
        x = torch.randn(3)
        trial.soft_clip_(x)
        trial.drop_negative_(x)
        trial.soft_clip(torch.ones(3), out=x)
        self.assertEqual(x._version, 3)


class ComposedTypes(unittest.TestCase):
    """Optional lists, lists of optionals, texts, and results that may be absent."""

    def test_schemas(self):
        self.assertIn('(Tensor self, Tensor[]? tensors, Tensor?[] others)', str(trial.sum_all.default._schema))
        self.assertIn('Tensor(a!)[]? counters)', str(trial.increment.default._schema))
        self.assertIn('-> (Tensor, Tensor?)', str(trial.copy_if.default._schema))

    def test_arguments(self):
        x = torch.ones(2)
        self.assertEqual(trial.sum_all(x, None, []).tolist(), [1, 1])
        self.assertEqual(trial.sum_all(x, [x, x], [x, None]).tolist(), [4, 4])
        self.assertEqual(trial.describe(x, ['a' * 50, 'bc'], None, [True, False], None, None),
                         ('none', ['a' * 50, 'bc'], None, [1, 0]))
        self.assertEqual(trial.describe(x, [], ['d', 'ef'], [], [True, True], [1, 2.5]), ('ef', [], 2, [1, 2.5]))
        self.assertEqual(trial.describe(x, [], [], [], [False, True], [])[0], 'empty')

    def test_absent_results(self):
        x = torch.ones(2, requires_grad=True)
        for is_wanted in False, True:
            copy, other = trial.copy_if(x, is_wanted)
            self.assertEqual(other is not None, is_wanted)
            self.assertEqual(torch.autograd.grad(copy.sum(), x)[0].tolist(), [1, 1])
        copy, nothing = trial.maybe_copies(x)
        self.assertIsNone(nothing)
        with self.assertRaisesRegex(RuntimeError, 'maybe_copies'):
            copy.sum().backward()

    def test_meta(self):
        x = torch.ones(2, device='meta')
        self.assertEqual(trial.sum_all(x, [x], [None]).shape, (2,))
        self.assertIsNone(trial.copy_if(x, False)[1])

    @unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has neither torch.compile nor torch.export')
    def test_opcheck(self):
        x = torch.ones(2)
        opcheck(trial.sum_all.default, (x, [x, x], [x, None]))
        opcheck(trial.sum_all.default, (x, None, []))
        opcheck(trial.copy_if.default, (x, False))
        lists = [torch.randn(3, requires_grad=True)], [torch.randn(3, requires_grad=True), torch.randn(3)]
        opcheck(trial.weigh.default, (lists[0], torch.randn(3, requires_grad=True), lists[1], lists[0], None, []))
        opcheck(trial.weigh.default, (lists[1], torch.randn(3), lists[0], None, None, ['x' * 100, 'größe']))
        opcheck(trial.repeat_rows.default, (torch.randn(3, 2, requires_grad=True), [2, 3], 2))
        x = torch.randn(3, requires_grad=True)
        opcheck(trial.spread.default, (x, [2], None, 2))
        opcheck(trial.spread_rows.default, (x, [2], None))
        opcheck(trial.add_squares.default, (x, [None, torch.randn(3, requires_grad=True)]))


class Pointwise(unittest.TestCase):
    """Operators of scalar functions."""
    FLOATING = [torch.float, torch.double, torch.half, torch.bfloat16]

    def setUp(self):
        torch.manual_seed(0)

    def operands(self, dtype):
        """Pairs of tensors with all kinds of strides."""
        def make(*sizes):
            if dtype == torch.bool:
                return torch.randint(2, sizes).bool()
            return torch.randn(sizes).mul(20).to(dtype)
        yield make(3), make(3)
        yield make(1500), make(1500)
        yield make(1037), make(1)
        yield make(7, 1, 600), make(5, 1)
        yield make(40, 30).t(), make(30, 40)
        yield make(50, 80)[::2, 1::3], make(27)
        yield make(0, 4), make(4)
        yield make(), make(2)
        yield make(70000), make(70000)

    def test_all_dtypes(self):
        dtypes = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.complex64, torch.complex128]
        for dtype in self.FLOATING + dtypes:
            for x, y in self.operands(dtype):
                expected = torch.add(x, y, alpha=2)
                actual = trial.axpy(x, y, alpha=2)
                torch.testing.assert_close(actual, expected)
                self.assertEqual(actual.stride(), expected.stride())
                torch.testing.assert_close(trial.axpy(x, 3, 2), torch.add(x, 3, alpha=2))
        for x, y in self.operands(torch.bool):
            self.assertTrue(torch.equal(trial.axpy(x, y), x | y))

    def test_rounding_of_half_precision(self):
        every = torch.arange(-2**15, 2**15, dtype=torch.int16)
        for dtype in [torch.half, torch.bfloat16]:
            x = every.view(dtype)
            for y in [torch.zeros(1, dtype=dtype), x.flip(0)]:
                expected = x.float().add(y.float()).to(dtype)
                torch.testing.assert_close(trial.axpy(x, y), expected, rtol=0, atol=0, equal_nan=True)
                torch.testing.assert_close(trial.axpy(x[::3], y[::3] if len(y) > 1 else y), expected[::3], rtol=0, atol=0,
                                           equal_nan=True)

    def test_promotion(self):
        ints, floats = torch.arange(4), torch.arange(4.0)
        self.assertEqual(trial.axpy(ints, floats).dtype, torch.float)
        self.assertEqual(trial.axpy(ints.int(), 2.5).dtype, torch.float)
        self.assertEqual(trial.axpy(ints.int(), 2).dtype, torch.int)
        self.assertEqual(trial.axpy(torch.ones(2, dtype=torch.half), 2.5).dtype, torch.half)
        self.assertEqual(trial.soft_sign(ints).dtype, torch.float)
        self.assertEqual(trial.is_near(ints, floats).dtype, torch.bool)
        with self.assertRaisesRegex(RuntimeError, 'argument alpha must not be a floating point number'):
            trial.axpy(ints, ints, alpha=0.5)
        with self.assertRaisesRegex(RuntimeError, "can't be cast to the desired output type Long"):
            trial.axpy_(ints, floats)
        with self.assertRaisesRegex(NotImplementedError, '"soft_sign" not implemented for \'ComplexFloat\''):
            trial.soft_sign(torch.ones(2, dtype=torch.cfloat))

    def test_variants(self):
        x, y = torch.randn(4, 3), torch.randn(3)
        out = torch.empty(4, 3, dtype=torch.double)
        torch.testing.assert_close(trial.axpy(x, y, out=out), (x + y).double())
        torch.testing.assert_close(trial.axpy_(x.clone(), y), x + y)
        with self.assertRaisesRegex(RuntimeError, 'unsupported operation'):
            trial.axpy(x[1:], y, out=x[:3])

    def test_boolean_results(self):
        for dtype in self.FLOATING + [torch.int, torch.uint8]:
            for x, y in self.operands(dtype):
                self.assertTrue(torch.equal(trial.is_near(x, y, 1), (x.double() - y.double()).abs() <= 1))
        x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 3.0, 3.0])
        out = torch.empty(3)
        trial.is_near(x, y, out=out)
        self.assertEqual(out.tolist(), [1.0, 0.0, 1.0])
        self.assertEqual(trial.is_near_(x, y).tolist(), [1.0, 0.0, 1.0])

    def test_boolean_tensors_and_optional_scalars(self):
        x, y, mask = torch.randn(4, 600), torch.randn(600), torch.rand(4, 1) < 0.5
        torch.testing.assert_close(trial.choose(x, y, mask), torch.where(mask, y, x))
        torch.testing.assert_close(trial.choose(x, y, mask, 0.25), torch.where(mask, y, x).clamp(max=0.25))
        with self.assertRaisesRegex(RuntimeError, 'expected `mask` to be a boolean tensor, got Float'):
            trial.choose(x, y, x)


    def test_operator_without_out_variant(self):
        self.assertEqual(trial.halve.overloads(), ['default'])
        x = torch.randn(3, requires_grad=True)
        y = trial.halve(x)
        torch.testing.assert_close(y, x / 2)
        torch.testing.assert_close(torch.autograd.grad(y.sum(), x)[0], torch.full((3,), 0.5))
        z = x.detach().clone()
        self.assertIs(trial.halve_(z), z)
        torch.testing.assert_close(z, x.detach() / 2)
        if HAS_COMPILERS:
            opcheck(trial.halve.default, (torch.randn(3, requires_grad=True),))
            opcheck(trial.halve_.default, (torch.randn(3),))


class Package(unittest.TestCase):
    def test_operators_are_functions(self):
        sys.path.insert(0, str(LIBRARY.parent.parent))
        import trial_ops
        self.assertIs(trial_ops.soft_clip, trial.soft_clip)
        self.assertEqual(trial_ops.soft_clip(torch.ones(1), limit=1).item(), 0.5)
        with self.assertRaisesRegex(AttributeError, "module 'trial_ops' has no operator 'no_such_operator'"):
            trial_ops.no_such_operator

    def test_stubs(self):
        folder, usage = LIBRARY.parent, pathlib.Path(__file__).with_name('typed_usage.py')
        self.assertTrue((folder / 'py.typed').exists())
        environment = dict(os.environ, MYPYPATH=str(folder.parent), PYTHONPATH=str(folder.parent))
        subprocess.run([sys.executable, usage], env=environment, check=True)
        if importlib.util.find_spec('mypy') is None:
            self.skipTest('no mypy')
        done = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--no-error-summary', '--cache-dir',
                               folder.parent / 'mypy_cache', usage, folder / '__init__.pyi'],
                              env=environment, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ('', 0), done.stderr)


class Gradients(unittest.TestCase):
    def test_composites_are_differentiable(self):
        x = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(trial.rms, x))
        self.assertTrue(torch.autograd.gradcheck(lambda x: trial.head(x, 2), x))

    def setUp(self):
        torch.manual_seed(0)

    def calls(self):
        """Functions, and their differentiable arguments."""
        def make(*sizes):
            return torch.randn(*sizes, dtype=torch.double, requires_grad=True)
        mask = torch.tensor([1.0, 0, 1], dtype=torch.double)
        yield lambda x: trial.soft_clip(x, 2.0), [make(4, 3)]
        yield lambda x: trial.soft_clip_(x * 1, 0.5), [make(4, 3)]
        yield lambda x, y: trial.blend(x, y, alpha=2, mask=mask), [make(4, 3), make(3)]
        yield lambda x, y: trial.blend(x, y), [make(2, 1), make(1, 3)]
        yield lambda x, y: trial.blend_(x.clone(), y), [make(2, 3), make(3)]
        yield lambda x: trial.extrema(x, 0), [make(4, 3)]
        yield lambda x: trial.extrema(x, 1, True)[1], [make(4, 3)]
        yield lambda x, y: trial.stack_rows([x, y], 3.0), [make(2, 3), make(1, 3)]
        yield lambda x: trial.copy_rows(x, [1, 2]), [make(4, 3)]
        yield lambda x: trial.copy_rows(x, [1, 2])[1], [make(4, 3)]
        yield lambda x, y: trial.axpy(x, y, alpha=0.5), [make(4, 3), make(3)]
        yield lambda x, y: trial.choose(x, y, mask > 0, 0.5), [make(4, 3), make(3)]
        yield lambda x: trial.tile(x, [2, 3]), [make(4, 3)]
        yield lambda x: trial.jitter(x, 0.5, generator=torch.Generator().manual_seed(0)), [make(4, 3)]
        yield trial.cube, [make(4, 3)]
        yield trial.cube_backward, [make(4, 3), make(4, 3)]
        yield lambda x, y: trial.stack_clipped([x, y]), [make(2, 3), make(1, 3)]

    def test_default_arguments(self):
        self.assertEqual(trial.count_defaults(torch.ones(1)), 5)
        # In C++, the default 1 of a list with a size is a list of one element, as in ATen's functions.
        self.assertEqual(trial.count_all_defaults(torch.ones(1)), 3)

    def test_derivatives(self):
        for number, (function, arguments) in enumerate(self.calls()):
            with self.subTest(number=number):
                self.assertTrue(torch.autograd.gradcheck(function, arguments))
                self.assertTrue(torch.autograd.gradgradcheck(function, arguments))

    def test_gradients_of_some_arguments(self):
        x, y = torch.randn(3), torch.randn(3, requires_grad=True)
        z = trial.blend(x, y, alpha=2)
        self.assertEqual(z.grad_fn.name(), 'BlendBackward0')
        z.sum().backward()
        self.assertEqual(y.grad.tolist(), [2, 2, 2])
        self.assertFalse(trial.blend(x, x).requires_grad)
        with torch.no_grad():
            self.assertFalse(trial.blend(x, y).requires_grad)
        self.assertEqual(trial.blend(torch.arange(3.0).half(), y).dtype, torch.float)

    def test_derivative_that_is_an_operator(self):
        grad, x = (torch.tensor([v], dtype=torch.double, requires_grad=True) for v in (2.0, 5.0))
        trial.cube_backward(grad, x).backward(torch.tensor([7.0], dtype=torch.double))
        self.assertEqual((grad.grad.item(), x.grad.item()), (7 * 3 * 25.0, 7 * 2 * 6 * 5.0))

    def test_saved_values(self):
        x = torch.randn(3, requires_grad=True)
        scaled = x * 2
        y = trial.cube(scaled)
        scaled.add_(1)
        with self.assertRaisesRegex(RuntimeError, 'modified by an inplace operation'):
            y.sum().backward()
        y = trial.cube(x)
        y.sum().backward()
        with self.assertRaisesRegex(RuntimeError, 'second time'):
            y.sum().backward()

    def test_values_that_a_derivative_can_do_without(self):
        x = torch.randn(3, dtype=torch.double, requires_grad=True)
        expected, = torch.autograd.grad(trial.soft_clip(x * 2, 3.0).sum(), x)

        def gradient(create_graph=False):
            scaled = x * 2
            y = trial.soft_clip(scaled, 3.0)
            scaled.add_(1)
            return torch.autograd.grad(y.sum(), x, create_graph=create_graph)[0]
        torch.testing.assert_close(gradient(), expected)
        self.assertTrue(torch.autograd.gradcheck(lambda _: gradient(create_graph=True), x))
        # The hook keeps the tensor itself, which is modified.
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
            torch.testing.assert_close(gradient(), expected)
        scaled = x * 2
        y = trial.soft_clip(scaled)
        y.sum().backward()
        scaled.add_(1)
        with self.assertRaisesRegex(RuntimeError, 'second time'):
            y.sum().backward()

    def test_in_place_calls_of_leaves_are_refused(self):
        with self.assertRaisesRegex(RuntimeError, 'leaf Variable that requires grad is being used in an in-place'):
            trial.soft_clip_(torch.ones(3, requires_grad=True))

    def test_missing_derivative_is_reported(self):
        y = torch.randn(2, requires_grad=True) * 1
        trial.drop_negative_(y)
        with self.assertRaisesRegex(RuntimeError, 'trial::drop_negative_'):
            y.sum().backward()


class Overwriting(unittest.TestCase):
    """Mutable arguments that are lists or optional, and results that are arguments or have no gradients."""
    LEAF = 'leaf Variable that requires grad is being used in an in-place'
    VIEW_OF_LEAF = 'view of a leaf Variable that requires grad is being used in an in-place'

    def computed(self, *values):
        """A tensor that is not a leaf, and its leaf."""
        leaf = torch.tensor(values, requires_grad=True)
        return leaf * 1, leaf

    def test_values(self):
        x, y = torch.ones(2), torch.ones(3)
        trial.double_all_([x, y])
        self.assertEqual((x.tolist(), y.tolist()), ([2, 2], [2, 2, 2]))
        trial.scale_into(x, None)
        trial.scale_into(x, y[:2], 3.0)
        self.assertEqual(y.tolist(), [6, 6, 2])
        out = [torch.zeros(2), torch.zeros(3)]
        trial.number_all([x, y], out=out)
        self.assertEqual(out[1].tolist(), [12, 12, 4])

    def test_optional_lists(self):
        x, y = torch.ones(2), torch.ones(3)
        trial.increment(x, None)
        versions = x._version, y._version
        trial.increment(x, [x, y])
        self.assertEqual((x.tolist(), y.tolist()), ([2, 2], [2, 2, 2]))
        self.assertEqual((x._version, y._version), (versions[0] + 1, versions[1] + 1))
        with self.assertRaisesRegex(RuntimeError, self.LEAF):
            trial.increment(x, [torch.ones(2, requires_grad=True)])

    def test_versions(self):
        x, y, z = torch.ones(2), torch.ones(2), torch.ones(2)
        trial.double_all_([x, y[:1]])
        trial.scale_into(x, y)
        trial.scale_into(x, None)
        trial.number_all([x], out=[z])
        trial.tally(x, z)
        self.assertEqual((x._version, y._version, z._version), (1, 2, 2))

    def test_saved_tensors_that_are_overwritten(self):
        for write in [lambda x: trial.double_all_([x]), lambda x: trial.scale_into(torch.ones(2), x),
                      lambda x: trial.number_all([torch.ones(2)], out=[x]), lambda x: trial.tally(torch.ones(2), x)]:
            weight, x = torch.ones(2, requires_grad=True), torch.ones(2)
            y = weight * x
            write(x)
            with self.assertRaisesRegex(RuntimeError, 'modified by an inplace operation'):
                y.sum().backward()

    def test_leaves_are_refused(self):
        x = torch.ones(2)
        for write in [lambda y: trial.double_all_([x, y]), lambda y: trial.scale_into(x, y),
                      lambda y: trial.number_all([x], out=[y]), lambda y: trial.tally(x, y),
                      lambda y: trial.observe(x, y, []), lambda y: trial.observe(x, x.clone(), [x.clone(), y])]:
            leaf = torch.ones(2, requires_grad=True)
            with self.assertRaisesRegex(RuntimeError, self.LEAF):
                write(leaf)
            with self.assertRaisesRegex(RuntimeError, self.VIEW_OF_LEAF):
                write(leaf.view(2))
            self.assertEqual(leaf.tolist(), [1, 1])
            with torch.no_grad():
                write(leaf)
            self.assertEqual(leaf._version, 1)

    def test_gradients_through_overwritten_tensors_fail(self):
        calls = {'trial::double_all_': lambda y, x: trial.double_all_([y]), 'trial::scale_into': lambda y, x: trial.scale_into(x, y),
                 'trial::number_all.out': lambda y, x: trial.number_all([x], out=[y]), 'trial::tally': lambda y, x: trial.tally(x, y)}
        for name, write in calls.items():
            for is_view in [False, True]:
                with self.subTest(name=name, is_view=is_view):
                    y, _ = self.computed(1.0, 2.0)
                    write(y.view(2) if is_view else y, torch.ones(2))
                    with self.assertRaisesRegex(RuntimeError, name):
                        y.sum().backward()
                    # The new value depends on an input that requires gradients.
                    y = torch.ones(2)
                    if name != 'trial::double_all_':
                        write(y.view(2) if is_view else y, self.computed(1.0, 2.0)[0])
                        with self.assertRaisesRegex(RuntimeError, name):
                            y.sum().backward()

    def test_several_overwritten_tensors(self):
        first, second = self.computed(1.0, 2.0)[0], torch.ones(2)
        trial.double_all_([first, second, first])
        self.assertEqual(first.tolist(), [4, 8])
        for tensor in first, second:
            with self.assertRaisesRegex(RuntimeError, 'trial::double_all_'):
                tensor.sum().backward()

    def test_optional_outputs_that_are_returned(self):
        x, out = torch.ones(2, requires_grad=True), torch.zeros(2)
        self.assertIs(trial.scaled(torch.ones(2), out=out), out)
        self.assertEqual((out.tolist(), out._version), ([2, 2], 1))
        for result in trial.scaled(x), trial.scaled(x, out=out), out:
            with self.assertRaisesRegex(RuntimeError, 'trial::scaled'):
                result.sum().backward()
        with self.assertRaisesRegex(RuntimeError, self.LEAF):
            trial.scaled(torch.ones(2), out=x)

    def test_derivative_of_an_operator_that_overwrites(self):
        x = torch.ones(2, requires_grad=True)
        total = torch.zeros(2)
        trial.tally(x, total).sum().backward()
        self.assertEqual(x.grad.tolist(), [3, 3])
        self.assertEqual(total.tolist(), [1, 1])
        trial.tally(x, None).sum().backward()
        self.assertEqual(x.grad.tolist(), [6, 6])
        # The derivative does not cover the previous value of `total`.
        result = trial.tally(torch.ones(2), self.computed(1.0, 2.0)[0])
        with self.assertRaisesRegex(RuntimeError, 'trial::tally'):
            result.sum().backward()

    def test_overwritten_tensors_without_gradients(self):
        x, total, other = torch.ones(2, requires_grad=True), torch.zeros(2), torch.zeros(2)
        for _ in range(2):
            trial.observe(x, total, [other]).sum().backward()
        self.assertEqual((total.tolist(), other.tolist(), x.grad.tolist()), ([2, 2], [2, 2], [6, 6]))
        self.assertFalse(total.requires_grad or other.requires_grad)
        self.assertEqual((total._version, other._version), (2, 2))
        computed, _ = self.computed(1.0, 2.0)
        trial.observe(x, computed, [])
        with self.assertRaisesRegex(RuntimeError, 'trial::observe'):
            computed.sum().backward()

    def test_results_that_are_arguments(self):
        x = torch.ones(2, 3, requires_grad=True)
        for op, name in [(trial.dense, 'dense'), (trial.dense_constant, 'dense_constant')]:
            with self.assertRaisesRegex(RuntimeError, f'trial::{name}: .*result is the argument `self` or shares memory'):
                op(x)
            with self.assertRaisesRegex(RuntimeError, 'shares memory'):
                op((x * 1).view(3, 2))
            with torch.no_grad():
                self.assertEqual(op(x).data_ptr(), x.data_ptr())
        self.assertTrue(x.is_leaf)
        trial.dense(x.t()).sum().backward()
        self.assertEqual(x.grad.tolist(), [[1, 1, 1]] * 2)
        with self.assertRaisesRegex(RuntimeError, 'trial::dense_constant'):
            trial.dense_constant(x.t()).sum().backward()

    def test_declared_views_that_are_arguments(self):
        x = torch.ones(2, requires_grad=True)
        y = trial.dense_view(x)
        self.assertEqual(y.data_ptr(), x.data_ptr())
        self.assertTrue(x.is_leaf)
        with self.assertRaisesRegex(RuntimeError, 'trial::dense_view'):
            y.sum().backward()

    def test_unused_results(self):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        for used, expected in [('sum', [[1, 1], [1, 1]]), ('square', [[2, 4], [6, 8]]), ('both', [[3, 5], [7, 9]])]:
            total, square, _, _ = trial.moments(x)
            value = {'sum': total, 'square': square, 'both': total + square}[used]
            self.assertEqual(torch.autograd.grad(value.sum(), x)[0].tolist(), expected)
        self.assertTrue(torch.autograd.gradcheck(lambda x: trial.moments(x)[1], x.detach().double().requires_grad_()))

    def test_results_without_gradients(self):
        total, square, count, size = trial.moments(torch.ones(2, 3, requires_grad=True))
        self.assertEqual([result.requires_grad for result in (total, square, count, size)], [True, True, False, False])
        self.assertEqual((count.tolist(), size.tolist()), ([3, 3], [3, 3]))

    def test_unused_results_of_lists(self):
        x = torch.ones(4, 2, requires_grad=True)
        for index, expected in [(0, [1, 1, 0, 0]), (1, [0, 0, 1, 1])]:
            gradient, = torch.autograd.grad(trial.halves(x)[index].sum(), x)
            self.assertEqual(gradient[:, 0].tolist(), expected)
            gradient, = torch.autograd.grad(trial.copy_rows(x, [2, 2])[index].sum(), x)
            self.assertEqual(gradient[:, 0].tolist(), expected)

    @unittest.skipUnless(HAS_COMPILERS, 'PyTorch 1.13 has no torch.vmap')
    def test_batching(self):
        x, y = torch.randn(3, 4), torch.zeros(3, 4)
        self.assertEqual(torch.vmap(lambda a, b: trial.tally(a, b))(x, y).tolist(), (3 * x).tolist())
        self.assertEqual(y.tolist(), x.tolist())
        torch.testing.assert_close(torch.vmap(lambda a: trial.tally(a, None), in_dims=1, out_dims=1)(x), 3 * x)
        a, b = x.clone(), torch.ones(4, 3)
        torch.vmap(lambda a, b: (trial.double_all_([a, b]), a)[1], in_dims=(0, 1))(a, b)
        torch.testing.assert_close((a, b), (2 * x, torch.full((4, 3), 2.0)))
        with self.assertRaisesRegex(RuntimeError, 'trial::double_all_ cannot write to `self`, which is not batched'):
            torch.vmap(lambda a: (trial.double_all_([a, torch.ones(4)]), a)[1])(x.clone())
        with self.assertRaisesRegex(RuntimeError, 'trial::tally cannot write to `total`, which is not batched'):
            torch.vmap(lambda a: trial.tally(a, torch.zeros(4)))(x)
        with self.assertRaises(RuntimeError):
            torch.vmap(lambda a: trial.number_all([a], out=[torch.zeros(4)]))(x)

    @unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has no torch.compile')
    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_compiled(self):
        def model(x, y, z):
            trial.double_all_([y, z])
            trial.scale_into(x, z, 5.0)
            trial.scale_into(x, None)
            trial.number_all([x, y], out=[z, x])
            return trial.tally(y, z) + trial.observe(x, y, [z])

        for backend in 'aot_eager', 'inductor':
            torch.compiler.reset()
            expected = [torch.full((2,), float(i)) for i in range(3)]
            actual = [tensor.clone() for tensor in expected]
            result = torch.compile(model, fullgraph=True, backend=backend)(*actual)
            torch.testing.assert_close(result, model(*expected))
            torch.testing.assert_close(actual, expected)

    def test_two_lists(self):
        def reference(left, weight, right, more):
            return weight * sum(left) + 2 * sum(right) + sum(3 * tensor for tensor in more)

        left, right, more = ([torch.randn(3, dtype=torch.double, requires_grad=True) for _ in range(count)]
                             for count in (2, 3, 1))
        weight = torch.randn(3, dtype=torch.double, requires_grad=True)
        y = trial.weigh(left, weight, right, more, None, [])
        expected = reference(left, weight, right, more)
        torch.testing.assert_close(y, expected)
        leaves = [*left, weight, *right, *more]
        factor = torch.randn(3, dtype=torch.double)
        for actual, gradient in zip(torch.autograd.grad(y, leaves, factor), torch.autograd.grad(expected, leaves, factor)):
            torch.testing.assert_close(actual, gradient)
        # Each part of the inputs alone, no list, and texts that outlive the call.
        for leaf in leaves:
            (gradient,) = torch.autograd.grad(trial.weigh(left, weight, right, more, None, []).sum(), leaf)
            torch.testing.assert_close(gradient, torch.autograd.grad(reference(left, weight, right, more).sum(), leaf)[0])
        y = trial.weigh([], weight, right, None, 'none', ['a', 'b' * 100])
        torch.testing.assert_close(torch.autograd.grad(y.sum(), [weight, right[2]]),
                                   (torch.zeros(3, dtype=torch.double), torch.full((3,), 2.0, dtype=torch.double)))
        y = trial.weigh(left, weight, [], more, 'no' + 'ne', [])
        (gradient,) = torch.autograd.grad(y.sum(), more)
        torch.testing.assert_close(gradient, torch.zeros(3, dtype=torch.double))
        frozen = [tensor.detach() for tensor in right]
        y = trial.weigh([left[0], left[1].detach()], weight.detach(), frozen, more, 'used', [])
        torch.testing.assert_close(torch.autograd.grad(y.sum(), [left[0], more[0]]),
                                   (weight.detach(), torch.full((3,), 3.0, dtype=torch.double)))
        self.assertTrue(torch.autograd.gradcheck(
            lambda a, b, w, c, d: trial.weigh([a, b], w, [c], [d, d], None, []), (*left, weight, right[0], more[0])))

    def test_symbolic_integers(self):
        schema = 'trial::repeat_rows(Tensor self, SymInt[2] counts, SymInt times=1) -> Tensor'
        self.assertEqual(str(trial.repeat_rows.default._schema), schema)
        x = torch.randn(3, 2, dtype=torch.double, requires_grad=True)
        torch.testing.assert_close(trial.repeat_rows(x, [2, 3], 2), x.repeat(4, 3))
        self.assertEqual(trial.repeat_rows(torch.empty(3, 2, device='meta'), [2, 3]).shape, (6, 6))
        self.assertTrue(torch.autograd.gradcheck(lambda x: trial.repeat_rows(x, [2, 3], 2), x))

    def test_optional_symbolic_integers(self):
        self.assertEqual(str(trial.spread.default._schema),
                         'trial::spread(Tensor self, SymInt[]? counts, SymInt[]? more, SymInt? times) -> Tensor')
        x = torch.randn(2, dtype=torch.double, requires_grad=True)
        for counts, more, times in [(None, None, None), ([2, 3], None, 2), ([], [2], None), (None, [3, 1], 2)]:
            number = math.prod([*(counts or []), *(more or []), times or 1])
            torch.testing.assert_close(trial.spread(x, counts, more, times), x.repeat(number))
            self.assertEqual(trial.spread(x.detach().to('meta'), counts, more, times).shape, (2 * number,))
            self.assertTrue(torch.autograd.gradcheck(lambda x: trial.spread(x, counts, more, times), x))
        for counts, times in [(None, None), ([2, 3], 2), ([], None), (None, 2)]:
            number = math.prod([*(counts or []), times or 1])
            torch.testing.assert_close(trial.spread_rows(x, counts, times), x.repeat(number, 1))
            self.assertEqual(trial.spread_rows(x.detach().to('meta'), counts, times).shape, (number, 2))
            self.assertTrue(torch.autograd.gradcheck(lambda x: trial.spread_rows(x, counts, times), x))

    def test_list_with_none(self):
        x, y, z = (torch.randn(3, dtype=torch.double, requires_grad=True) for _ in range(3))
        for others in [[], [None], [y], [y, None], [None, y, None, z], [y.detach(), None, z]]:
            leaves = [x, *(other for other in others if other is not None and other.requires_grad)]
            result = trial.add_squares(x, others)
            expected = x + sum(other * other for other in others if other is not None)
            torch.testing.assert_close(result, expected)
            for gradient, reference in zip(torch.autograd.grad(result.sum(), leaves), torch.autograd.grad(expected.sum(), leaves)):
                torch.testing.assert_close(gradient, reference)
        self.assertTrue(torch.autograd.gradgradcheck(lambda x, y, z: trial.add_squares(x, [None, y, z]), (x, y, z)))
        overwritten = y.detach().clone()
        result = trial.add_squares(x, [None, overwritten, z])
        overwritten.add_(1)
        with self.assertRaisesRegex(RuntimeError, 'modified by an inplace operation'):
            result.sum().backward()

    @unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has no opcheck')
    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_opcheck(self):
        x = torch.ones(2, 2, requires_grad=True)
        opcheck(trial.double_all_.default, ([torch.ones(2), torch.ones(3)],))
        opcheck(trial.scale_into.default, (torch.ones(2), torch.ones(2)))
        opcheck(trial.normalize_.default, (torch.ones(2),))
        opcheck(trial.number_all.out, ([torch.ones(2)],), {'out': [torch.ones(2)]})
        opcheck(trial.tally.default, (torch.ones(2), torch.ones(2)))
        opcheck(trial.observe.default, (torch.ones(2), torch.ones(2), [torch.ones(2)]))
        opcheck(trial.moments.default, (x,))
        opcheck(trial.halves.default, (x,))

    @unittest.skipUnless(HAS_COMPILERS, 'PyTorch 1.13 prints another error')
    def test_functionalize(self):
        with self.assertRaisesRegex(RuntimeError, 'trial::double_all_'):
            torch.func.functionalize(lambda x: (trial.double_all_([x]), x)[1])(torch.ones(2))


    def test_second_result_of_an_in_place_operator(self):
        x = torch.tensor([3.0, 4.0])
        version = x._version
        torch.testing.assert_close(trial.normalize_(x), torch.tensor(5.0))
        torch.testing.assert_close(x, torch.tensor([0.6, 0.8]))
        self.assertEqual(x._version, version + 1)
        with self.assertRaisesRegex(RuntimeError, 'trial::normalize_'):
            trial.normalize_(torch.ones(2, requires_grad=True) * 2).sum().backward()

    @unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has no torch.compile')
    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_compiled_second_result(self):
        def model(x):
            y = x * 2
            return trial.normalize_(y), y

        x = torch.randn(4)
        torch.testing.assert_close(torch.compile(model, fullgraph=True, backend='aot_eager')(x), model(x))


class DerivedGradients(unittest.TestCase):
    """Gradients that are computed for each element, from the scalar function or by one that the author wrote."""

    def setUp(self):
        torch.manual_seed(0)

    def calls(self, dtype):
        """Functions, and their differentiable arguments."""
        def make(*sizes):
            return torch.randn(*sizes, dtype=dtype, requires_grad=True)
        yield lambda x, y: trial.gated(x, 0.5, y), [make(4, 3), make(3)]
        yield lambda x, y: trial.gated(x, 0.5, y), [make(2, 1), make(1, 3)]
        yield lambda x, y: trial.gated_(x.clone(), 2, y), [make(2, 3), make(3)]
        yield lambda x: trial.gated(x, 1, x), [make(3)]
        yield lambda x: trial.axpy(x, 3, 2), [make(2, 3)]
        if dtype.is_complex:
            yield lambda x, y: trial.gated(x, 0.5 + 1j, y.conj()), [make(4, 3), make(3)]
            yield lambda x: trial.axpy(x.conj(), 3, 1j), [make(2, 3)]
            return
        yield trial.soft_sign, [make(4, 3)]
        yield trial.mix, [make(4, 3), make(3), make(2, 1, 3)]
        yield lambda *tensors: trial.mix(*tensors, most=0.25), [make(4, 3), make(4, 3), make(3)]
        yield lambda x, y, z: trial.mix_(x * 1, y, z), [make(4, 3), make(3), make(1)]
        yield lambda x: trial.int_power(x, 3), [make(4, 3)]
        yield lambda x: trial.int_power_(x * 1, 3, absolute=True), [make(4, 3)]
        yield lambda x: trial.leaky(x, 0.25), [make(4, 3)]
        yield lambda x: trial.leaky_(x * 1), [make(4, 3)]

    def test_derivatives(self):
        for dtype in [torch.double, torch.cdouble]:
            for number, (function, arguments) in enumerate(self.calls(dtype)):
                with self.subTest(number=number, dtype=dtype):
                    self.assertTrue(torch.autograd.gradcheck(function, arguments))
                    self.assertTrue(torch.autograd.gradgradcheck(function, arguments))

    def gradients(self, function, *arguments):
        """The result, and the gradients of its sum with different weights."""
        leaves = [x.detach().clone().requires_grad_() for x in arguments]
        result = function(*leaves)
        weights = torch.linspace(-1, 1, result.numel(), dtype=torch.double).to(result.dtype).reshape(result.shape)
        return result, torch.autograd.grad(result, leaves, weights)

    def test_loops(self):
        """Rows for each instruction set, strides, and half-precision dtypes, which are computed in float."""
        def gated(x, y):
            return y * x / (1 + torch.exp(-0.5 * x))
        for x, y in [(torch.randn(70001), torch.randn(70001)), (torch.randn(30, 40).t(), torch.randn(40, 30)),
                     (torch.randn(50, 80)[::2, 1::3], torch.randn(27)), (torch.randn(0, 4), torch.randn(4))]:
            for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
                a, b = x.to(dtype), y.to(dtype)
                computed = torch.double if dtype == torch.double else torch.float
                result, actual = self.gradients(lambda a, b: trial.gated(a, 0.5, b), a, b)
                _, expected = self.gradients(lambda a, b: gated(a, b).to(dtype), a.to(computed), b.to(computed))
                for one, other, argument in zip(actual, expected, [a, b]):
                    self.assertEqual((one.dtype, one.shape), (dtype, argument.shape))
                    is_half = dtype in (torch.half, torch.bfloat16)
                    # Gradients of inputs that were broadcast are summed in their dtype.
                    error = 1e-4 if not is_half else 0.02 if argument.shape == result.shape else 0.2
                    torch.testing.assert_close(one, other.to(dtype), rtol=error, atol=error)

    def test_mixed_dtypes(self):
        for first, second in [(torch.half, torch.float), (torch.float, torch.double), (torch.bfloat16, torch.half)]:
            x, y = torch.randn(4, 3).to(first), torch.randn(3).to(second)
            result, gradients = self.gradients(lambda a, b: trial.gated(a, 2, b), x, y)
            self.assertEqual(result.dtype, torch.promote_types(first, second))
            _, expected = self.gradients(lambda a, b: b * a / (1 + torch.exp(-2 * a)), x.double(), y.double())
            for gradient, other, argument in zip(gradients, expected, [x, y]):
                self.assertEqual((gradient.dtype, gradient.shape), (argument.dtype, argument.shape))
                torch.testing.assert_close(gradient.double(), other, rtol=0.02, atol=0.02)
        # A tensor without dimensions does not change the dtype.
        number = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
        trial.gated(torch.ones(3), 0, number).sum().backward()
        self.assertEqual((number.grad.dtype, number.grad.item()), (torch.double, 1.5))

    def test_inputs_without_gradients(self):
        x = torch.randn(3, requires_grad=True)
        for other in [torch.arange(3), torch.tensor([True, False, True])]:
            x.grad = None
            trial.gated(x, 0, other).sum().backward()
            torch.testing.assert_close(x.grad, other / 2)
        self.assertFalse(trial.gated(torch.arange(3), 1, torch.ones(3)).requires_grad)
        y = torch.randn(3, requires_grad=True)
        self.assertEqual(torch.autograd.grad(trial.gated(x.detach(), 0, y).sum(), y)[0].tolist(), (x / 2).tolist())

    def test_operators_that_are_not_differentiable(self):
        x = torch.tensor([1.5, -1.5], requires_grad=True)
        self.assertEqual(trial.rounded_down(x).tolist(), [1, -2])
        self.assertFalse(trial.rounded_down(x).requires_grad)
        self.assertFalse(trial.is_near(x, x).requires_grad)

    def test_written_gradients(self):
        x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
        trial.leaky(x, 0.25).sum().backward()
        self.assertEqual(x.grad.tolist(), [0.25, 0.25, 1])
        y = trial.leaky(torch.ones(2, dtype=torch.cfloat, requires_grad=True))
        with self.assertRaisesRegex(NotImplementedError, "_leaky_backward_self\" not implemented for 'ComplexFloat'"):
            y.abs().sum().backward()

    def test_constants_have_no_derivative(self):
        x = torch.tensor([2.0], requires_grad=True)
        zero = torch.zeros(1)
        result = trial.mix(zero, x, zero)
        self.assertEqual(torch.autograd.grad(result, x, torch.full([1], torch.inf))[0].tolist(), [0])

    def test_third_derivatives_are_refused(self):
        x = torch.randn(3, dtype=torch.double, requires_grad=True)
        first, = torch.autograd.grad(trial.soft_sign(x).sum(), x, create_graph=True)
        self.assertEqual(first.grad_fn.name(), 'SoftSignBackwardSelfBackward0')
        second, = torch.autograd.grad(first.sum(), x, create_graph=True)
        torch.testing.assert_close(second, -2 * x.sign() / (1 + x.abs()) ** 3)
        with self.assertRaisesRegex(RuntimeError, 'trial::_soft_sign_backward_self_by_self is not implemented'):
            torch.autograd.grad(second.sum(), x)


def cases():
    x = torch.randn(4, 5)
    yield trial.soft_clip.default, (x,), {}
    yield trial.soft_clip.default, (x.t(), 2.0), {}
    yield trial.soft_clip_.default, (x.clone(),), {}
    yield trial.soft_clip.out, (x,), {'out': torch.empty(4, 5)}
    yield trial.blend.Tensor, (x, torch.randn(5)), {'alpha': 2, 'mask': torch.ones(4, 1)}
    yield trial.blend_.Tensor, (x.clone(), torch.randn(5)), {}
    yield trial.blend.out, (x, torch.randn(5)), {'out': torch.empty(4, 5)}
    yield trial.extrema.default, (x, 0), {}
    yield trial.extrema.out, (x, 0, True), {'low': torch.empty(1, 5), 'high': torch.empty(1, 5)}
    yield trial.stack_rows.default, ([x, x + 1], 0.5), {}
    yield trial.copy_rows.default, (x, [1, 3]), {}
    yield trial.tile.default, (x, [2, 1]), {}
    yield trial.tile.out, (x, [2, 1]), {'out': torch.empty(8, 5)}
    yield trial.head.default, (x, 2), {}
    yield trial.rms.default, (x,), {}
    yield trial.drop_negative_.default, (x.clone(),), {}
    yield trial.axpy.Tensor, (x, torch.randn(5)), {'alpha': 2.5}
    yield trial.axpy.Scalar, (x, 3), {}
    yield trial.axpy_.Scalar, (x.clone(), 3), {}
    yield trial.axpy.out, (x, torch.randn(5)), {'out': torch.empty(4, 5)}
    yield trial.is_near.default, (x, torch.randn(5)), {}
    yield trial.is_near_.default, (x.clone(), torch.randn(5)), {}
    yield trial.choose.default, (x, torch.randn(5), x > 0, 0.5), {}


@unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has neither opcheck nor torch.compile')
class Compilers(unittest.TestCase):
    def test_opcheck(self):
        for op, arguments, keywords in cases():
            with self.subTest(op=str(op), arguments=len(arguments)):
                if op == trial.drop_negative_.default and REFUSES_MUTATIONS[0]:
                    self.skipTest(REFUSES_MUTATIONS[1])
                opcheck(op, arguments, keywords)

    def test_opcheck_of_random_operators(self):
        # The fourth of opcheck's tests compares the results of two calls.
        tests = ['test_schema', 'test_autograd_registration', 'test_faketensor']
        opcheck(trial.jitter.default, (torch.randn(4, 5), 0.25), test_utils=tests)

    def test_schemas(self):
        self.assertEqual(str(trial.soft_clip.out._schema),
                         'trial::soft_clip.out(Tensor self, Scalar limit=1., *, Tensor(a!) out) -> Tensor(a!)')
        self.assertEqual(str(trial.head.default._schema), 'trial::head(Tensor(a) self, SymInt count=1) -> Tensor(a)')
        self.assertEqual(str(trial.extrema.default._schema),
                         'trial::extrema(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor low, Tensor high)')

    def test_tags(self):
        self.assertIn(torch.Tag.pt2_compliant_tag, trial.tile.default.tags)
        self.assertIn(torch.Tag.pointwise, trial.soft_clip.default.tags)
        self.assertIn(torch.Tag.pointwise, trial.axpy_.Tensor.tags)
        self.assertIn(torch.Tag.nondeterministic_seeded, trial.jitter.default.tags)

    def test_opcheck_of_calls_with_gradients(self):
        x, y = torch.randn(4, 5, requires_grad=True), torch.randn(5, requires_grad=True)
        for op, arguments, keywords in [
                (trial.soft_clip.default, (x,), {}), (trial.blend.Tensor, (x, y), {'alpha': 2}),
                (trial.blend_.Tensor, (x.detach().clone(), y), {}), (trial.extrema.default, (x, 0), {}),
                (trial.stack_rows.default, ([x, x + 1], 0.5), {}), (trial.copy_rows.default, (x, [1, 3]), {}),
                (trial.axpy.Tensor, (x, y), {'alpha': 2.5}), (trial.choose.default, (x, y, x > 0, 0.5), {}),
                (trial.tile.default, (x, [2, 1]), {}), (trial.head.default, (x, 2), {}), (trial.rms.default, (x,), {}),
                (trial.gated.default, (x, 0.5, y), {}), (trial.gated_.default, (x.detach().clone(), 0.5, y), {}),
                (trial.mix.default, (x, y, x), {'most': 0.5}), (trial.leaky.default, (x,), {}),
                (trial.int_power.default, (x, 2, True), {}), (trial.axpy.Scalar, (x, 3), {}),
                (trial._gated_backward_self.default, (x, x, 0.5, y), {}),
                (trial._leaky_backward_self.default, (x, x, 0.5), {})]:
            with self.subTest(op=str(op)):
                opcheck(op, arguments, keywords)

    def test_compiled_gradients(self):
        def model(x, y):
            z = trial.blend(trial.soft_clip(x), y, alpha=3)
            z = z * 1
            trial.soft_clip_(z, 0.5)
            low, high = trial.extrema(trial.gated(z, 0.5, y.double()).float(), 0)
            z = trial.leaky_(z * 2)
            return trial.stack_rows([z, trial.mix(low, high, y)[None], high[None]]).square().sum()

        def gradients(function, x, y):
            x, y = x.clone().requires_grad_(), y.clone().requires_grad_()
            function(x, y).backward()
            return x.grad, y.grad

        for dynamic in [False, True]:
            compiled = torch.compile(model, fullgraph=True, dynamic=dynamic)
            for rows in [4, 6]:
                x, y = torch.randn(rows, 3), torch.randn(3)
                torch.testing.assert_close(gradients(compiled, x, y), gradients(model, x, y))

    def test_function_transforms(self):
        x = torch.randn(4)
        gradient = torch.func.grad(lambda x: trial.soft_clip(x, 2.0).sum())(x)
        torch.testing.assert_close(gradient, 4 / (2 + x.abs()).square())
        hessian = torch.func.jacrev(torch.func.jacrev(trial.soft_sign))(x)
        second = -2 * x.sign() / (1 + x.abs()) ** 3
        self.assertEqual(hessian.shape, (4, 4, 4))
        torch.testing.assert_close(hessian.sum((1, 2)), second)

    def test_forward_mode_is_refused(self):
        x = torch.randn(4)
        for name, function in [('soft_clip', trial.soft_clip), ('soft_clip_', lambda a: trial.soft_clip_(a.clone())),
                               ('tile', lambda a: trial.tile(a[None], [2, 1]))]:
            with self.assertRaisesRegex(NotImplementedError, f'forward AD with trial::{name} that does not support it'):
                torch.func.jvp(function, (x,), (x,))
            with torch.autograd.forward_ad.dual_level():
                with self.assertRaisesRegex(NotImplementedError, 'Trying to use forward AD'):
                    function(torch.autograd.forward_ad.make_dual(x, x))

    def test_fake_tensors(self):
        with FakeTensorMode():
            low, high = trial.extrema(torch.empty(3, 4), 0)
            self.assertEqual((low.shape, high.shape), ((4,), (4,)))
            self.assertEqual(trial.soft_clip(torch.empty(3, 4).t()).stride(), (1, 4))
            with self.assertRaisesRegex(RuntimeError, 'expected matrices with 2 columns'):
                trial.stack_rows([torch.empty(2, 2), torch.empty(2, 3)])

    def test_compile(self):
        def model(x, y):
            z = trial.soft_clip(x) + trial.tile(y, [2, 1])
            trial.soft_clip_(z, 0.5)
            low, high = trial.extrema(z, 0)
            return trial.stack_rows([z, low[None] + high]), trial.head(z, 2)

        for backend in ['aot_eager']:
            compiled = torch.compile(model, fullgraph=True, backend=backend, dynamic=False)
            x, y = torch.randn(4, 3), torch.randn(2, 3)
            torch.testing.assert_close(compiled(x, y), model(x, y))

    def symbolic(self, mode, tensor):
        """A fake tensor with a symbol for each size of more than one element."""
        context = StatelessSymbolicContext(
            dynamic_sizes=[DimDynamic.DYNAMIC if size > 1 else DimDynamic.STATIC for size in tensor.shape])
        return mode.from_tensor(tensor, symbolic_context=context)

    def test_symbolic_sizes(self):
        channels_last = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        for x in [torch.randn(4, 5), torch.randn(4, 5).t(), channels_last, torch.randn(4, 1).expand(4, 3),
                  torch.randn(6, 8)[::2, 1:4], torch.randn(3, 1, 5)]:
            strides = soft_clip(x).stride()
            with FakeTensorMode(shape_env=ShapeEnv()) as mode:
                fake = self.symbolic(mode, x)
                symbols = [size for size in fake.shape if not isinstance(size, int)]
                self.assertEqual(len(symbols), sum(size > 1 for size in x.shape))
                y = trial.soft_clip(fake)
                self.assertEqual([str(size) for size in y.shape], [str(size) for size in fake.shape])
                self.assertEqual([guard for guard in mode.shape_env.guards if 'Eq' in str(guard.expr)], [])
                self.assertEqual([int(stride) for stride in y.stride()], list(strides))

    def test_broadcast_of_symbolic_sizes(self):
        with FakeTensorMode(shape_env=ShapeEnv()) as mode:
            x = self.symbolic(mode, torch.randn(4, 5))
            y = trial.blend(x, torch.empty(5, dtype=torch.double), mask=self.symbolic(mode, torch.randn(4, 1)))
            self.assertEqual((y.dtype, str(y.shape[0])), (torch.double, str(x.shape[0])))
            self.assertEqual(y.shape, (4, 5))
            with self.assertRaisesRegex(RuntimeError, 'must match the size of tensor b'):
                trial.blend(x, torch.empty(3))
            out = torch.empty(0)
            trial.soft_clip(x, out=out)
            self.assertEqual(str(out.shape), str(x.shape))
            trial.soft_clip_(x)
            with self.assertRaisesRegex(RuntimeError, "can't be cast to the desired output type Long"):
                trial.soft_clip_(self.symbolic(mode, torch.arange(3)))

    def test_dynamic_shapes(self):
        def model(x, y):
            z = trial.blend(trial.soft_clip(x, 2.0), y)
            trial.soft_clip_(z)
            return z, trial.extrema(z, 0)

        counter = CompileCounterWithBackend('aot_eager')
        compiled = torch.compile(model, fullgraph=True, backend=counter, dynamic=True)
        for rows in [4, 7, 9]:
            x, y = torch.randn(rows, 6), torch.randn(6)
            torch.testing.assert_close(compiled(x, y), model(x, y))
        clip = torch.compile(lambda x: trial.soft_clip(x) + 1, fullgraph=True, dynamic=True,
                             backend=(counter := CompileCounterWithBackend('aot_eager')))
        for rows in [4, 7, 9]:
            clip(torch.randn(rows, rows + 2))
        self.assertEqual(counter.frame_count, 1)

    def test_dynamic_sizes_of_a_kernel(self):
        counter = CompileCounterWithBackend('aot_eager')
        model = torch.compile(lambda x, times: trial.repeat_rows(x, [2, x.shape[1]], times) + 1, fullgraph=True,
                              dynamic=True, backend=counter)
        for rows, times in [(4, 2), (7, 3), (9, 5)]:
            x = torch.randn(rows, rows + 1)
            torch.testing.assert_close(model(x, times), x.repeat(2 * times, rows + 1) + 1)
        self.assertEqual(counter.frame_count, 1)

        class Model(torch.nn.Module):
            def forward(self, x):
                return trial.repeat_rows(x, [2, 1], 2)

        program = torch.export.export(Model(), (torch.randn(4, 3),), dynamic_shapes={'x': {0: torch.export.Dim('rows')}})
        self.assertEqual(program.module()(torch.randn(9, 3)).shape, (36, 3))

    @unittest.skipIf(*PRINTS_WARNINGS)
    def test_sizes_that_a_meta_function_fixes(self):
        x = torch.randn(4, 5)
        with FakeTensorMode(shape_env=ShapeEnv()) as mode:
            with self.assertWarnsRegex(UserWarning, 'trial::tile: the meta function computes sizes from numbers, .* '
                                       '`kernel` for "Meta"'):
                self.assertEqual(trial.tile(self.symbolic(mode, x), [2, 3]).shape, (8, 15))
            with warnings.catch_warnings():
                warnings.simplefilter('error')
                trial.soft_clip(self.symbolic(mode, x))
                trial.tile(mode.from_tensor(x, static_shapes=True), [2, 3])
                # Errors of the caller alone.
                with self.assertRaisesRegex(RuntimeError, "can't be cast to the desired output type Long"):
                    trial.soft_clip_(self.symbolic(mode, torch.arange(3)))
                with self.assertRaisesRegex(RuntimeError, 'tile: expected a matrix'):
                    trial.tile(self.symbolic(mode, torch.randn(3)), [2, 3])

    def test_inductor(self):
        def model(x, y):
            z = trial.blend(trial.soft_clip(x), y, alpha=3) * 2
            trial.soft_clip_(z, 0.5)
            return z, trial.extrema(z, 0)

        compiled = torch.compile(model, fullgraph=True, dynamic=True)
        for rows in [4, 7]:
            x, y = torch.randn(rows, 6), torch.randn(6)
            torch.testing.assert_close(compiled(x, y), model(x, y))

    @unittest.skipIf(VERSION < (2, 10), 'TensorIterator of this PyTorch compares sizes that are not known')
    def test_unbacked_sizes(self):
        @torch.compile(fullgraph=True, backend='aot_eager')
        def positive(x):
            return trial.soft_clip(x[x > 0])

        with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
            x = torch.tensor([1.0, -1.0, 3.0])
            torch.testing.assert_close(positive(x), soft_clip(x[x > 0]))

    def test_export(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return trial.extrema(trial.soft_clip(x, 2.0), 1)[1]

        x = torch.randn(4, 3)
        program = torch.export.export(Model(), (x,))
        self.assertIn('trial.soft_clip.default', program.graph_module.code)
        torch.testing.assert_close(program.module()(x), Model()(x))

    def test_export_with_dynamic_shapes(self):
        class Model(torch.nn.Module):
            def forward(self, x, y):
                return trial.blend(trial.soft_clip(x), y)

        batch = torch.export.Dim('batch')
        program = torch.export.export(Model(), (torch.randn(4, 3), torch.randn(3)),
                                      dynamic_shapes=({0: batch}, None))
        arguments = torch.randn(9, 3), torch.randn(3)
        torch.testing.assert_close(program.module()(*arguments), Model()(*arguments))


class Loading(unittest.TestCase):
    def run_python(self, code):
        done = subprocess.run([sys.executable, '-c', 'import sys, torch\n' + code, LIBRARY], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_operators_that_are_defined_already_are_left_out(self):
        done = self.run_python('library = torch.library.Library("trial", "DEF")\n'
                               'library.define("rms(Tensor self, int power) -> Tensor")\n'
                               'torch.ops.load_library(sys.argv[1])\n'
                               'print(torch.ops.trial.rms.default._schema, torch.ops.trial.tile(torch.ones(1, 1), 2).shape)\n')
        self.assertEqual(done.stdout, 'trial::rms(Tensor self, int power) -> Tensor torch.Size([2, 2])\n')
        self.assertRegex(done.stderr, r'structured: cannot register trial::rms\(Tensor self\) -> Tensor: .*multiple times')

    def test_library_loaded_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_python('import shutil\n'
                                   f'copy = shutil.copy(sys.argv[1], {folder!r})\n'
                                   'for library in sys.argv[1], sys.argv[1], copy: torch.ops.load_library(library)\n'
                                   'print(torch.ops.trial.rms(torch.ones(2)).item())\n')
        self.assertEqual(done.stdout, '1.0\n')
        self.assertEqual(done.stderr.count('structured: cannot register trial::rms('), 1)
        self.assertEqual(done.stderr.count('structured: cannot register trial::rms:'), 0)


    def run_package(self, code):
        """Runs `code` after an import of torch, with the library's package in the path."""
        return subprocess.run([sys.executable, '-c', f'import sys, torch\nsys.path.insert(0, {str(LIBRARY.parent.parent)!r})\n' + code],
                              capture_output=True, text=True, env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})

    def test_import_of_a_second_build_names_both_files(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_package('import importlib, shutil, trial_ops\n'
                                    'importlib.reload(trial_ops)\n'
                                    f'shutil.copytree(trial_ops.__path__[0], {folder!r} + "/trial_ops")\n'
                                    f'sys.path.insert(0, {folder!r})\n'
                                    'del sys.modules["trial_ops"]\n'
                                    'import trial_ops\n')
        self.assertEqual(done.returncode, 1)
        error = done.stderr.splitlines()[-1]
        self.assertRegex(error, 'ImportError: trial_ops cannot register its operators')
        self.assertIn(f'Original registration: registered at {LIBRARY.resolve()}', error)
        self.assertIn(f'Duplicate registration: registered at {folder}/trial_ops/{LIBRARY.name}', error)

    def test_package_refuses_another_pytorch_before_it_opens_the_library(self):
        for change, message in (('torch.__version__ = "1.2.3"', 'was built for PyTorch .*, and this is PyTorch 1.2.3'),
                                ('abi = torch.compiled_with_cxx11_abi()\n'
                                 'torch.compiled_with_cxx11_abi = lambda: not abi', r'C\+\+ ABI')):
            done = self.run_package(change + '\n'
                                    'try:\n'
                                    '    import trial_ops\n'
                                    'except ImportError as error:\n'
                                    f'    print("{LIBRARY.name}" in open("/proc/self/maps").read(), error)\n')
            self.assertRegex(done.stdout, r'\AFalse trial_ops .*' + message + r'.*\n\Z')


class EveryKind(torch.nn.Module):
    """A call of each kind of operator."""

    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.linspace(-1, 1, 5))
        self.clip = trial.soft_clip

    def forward(self, x):
        clipped = self.clip(x, 2.0)
        self.clip.out(x, out=clipped)
        changed = x * 2
        trial.axpy_(changed, self.bias.detach())  # drop_negative_ is not differentiable
        trial.drop_negative_(changed)
        low, high = trial.extrema(x, 0)
        return {
            'two tensors and a number': trial.axpy(x, self.bias, alpha=2.5),
            'optional tensor': trial.blend(x, self.bias, alpha=2, mask=x),
            'number and boolean tensor': trial.choose(x, self.bias, x > 0, 0.5),
            'two outputs and a precomputed value': high - low,
            'list of tensors': trial.stack_rows([x, x + 1], 0.5),
            'list of results': trial.copy_rows(x, [1, 3])[1],
            'list of integers': trial.tile(x, [2, 1]),
            'view': trial.head(x, 2),
            'factory': trial.ramp(3, 2.0, dtype=torch.double),
            'composite': trial.rms(x),
            'random': trial.jitter(x, 0.25),
            'in-place': changed,
            'out=': clipped,
        }


def seeded(function, *arguments):
    torch.manual_seed(5)
    with torch.no_grad():
        return function(*arguments)


@unittest.skipUnless(HAS_COMPILERS, 'this PyTorch has neither torch.compile nor torch.export')
class CompiledModules(unittest.TestCase):
    """All kinds of operators in one module."""

    def setUp(self):
        torch.manual_seed(0)
        self.module = EveryKind()
        self.x = torch.randn(4, 5)

    def assert_equal_to_eager(self, function, x):
        expected = seeded(self.module, x)
        actual = seeded(function, x)
        self.assertEqual(len(actual), 13)
        for name, value in expected.items():
            torch.testing.assert_close(actual[name], value, msg=lambda text, name=name: f'{name}: {text}')

    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_inductor(self):
        for dynamic in [False, True]:
            torch.compiler.reset()
            compiled = torch.compile(self.module, fullgraph=True, dynamic=dynamic)
            for rows in [4, 6]:
                self.assert_equal_to_eager(compiled, torch.randn(rows, 5))

    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_export_round_trip(self):
        file = io.BytesIO()
        torch.export.save(torch.export.export(self.module, (self.x,)), file)
        file.seek(0)
        program = torch.export.load(file)
        for name in 'axpy.Tensor', 'blend.Tensor', 'choose', 'extrema', 'stack_rows', 'copy_rows', 'tile', 'jitter':
            self.assertIn(f'trial.{name}', program.graph_module.code)
        self.assert_equal_to_eager(program.module(), self.x)

    @unittest.skipIf(VERSION < (2, 6), 'this PyTorch has no aoti_compile_and_package')
    def test_aot_inductor(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'every_kind.pt2')
            # Python's folder of libraries comes first, and contains another PyTorch where Debian's libtorch-dev is installed.
            own_libraries = os.path.join(os.path.dirname(torch.__file__), 'lib')
            with unittest.mock.patch.dict(sysconfig.get_config_vars(), LIBDIR=own_libraries):
                torch._inductor.aoti_compile_and_package(torch.export.export(self.module, (self.x,)), package_path=path)
            self.assert_equal_to_eager(torch._inductor.aoti_load_package(path), self.x)

    def test_functionalized(self):
        def mutations(x):
            y, out = x * 2, torch.empty(0)
            trial.axpy_(y, x[0], alpha=3)
            trial.soft_clip_(y[1:])
            trial.tile(y, [2, 1], out=out)
            low, high = torch.empty(5), torch.empty(5)
            trial.extrema(out, 0, low=low, high=high)
            return y, out, low, high

        traced = torch.fx.experimental.proxy_tensor.make_fx(torch.func.functionalize(mutations))(self.x)
        calls = [str(node.target) for node in traced.graph.nodes if str(node.target).startswith('trial.')]
        # `axpy_` has a scalar function, which tracers see.
        self.assertEqual(calls, ['trial.soft_clip.default', 'trial.tile.default', 'trial.extrema.default'])
        torch.testing.assert_close(traced(self.x), mutations(self.x))

    @unittest.skipIf(*REFUSES_MUTATIONS)
    def test_deepcopied_modules(self):
        self.module(self.x)
        for original in [self.module, torch.compile(self.module, fullgraph=True, backend='aot_eager'),
                         torch.export.export(self.module, (self.x,)).module()]:
            copied = copy.deepcopy(original)
            self.assert_equal_to_eager(copied, self.x)
            copied(self.x)['two tensors and a number'].sum().backward()
            gradients = [parameter.grad for parameter in copied.parameters()]
            torch.testing.assert_close(gradients, [torch.full([5], 4 * 2.5)])
            self.assertIsNone(self.module.bias.grad)


@unittest.skipUnless(HAS_COMPILERS, 'PyTorch 1.13 has no torch.vmap')
class Batching(unittest.TestCase):
    """torch.vmap, without PyTorch's warning that an operator has no batching rule."""

    def setUp(self):
        torch.manual_seed(0)
        warnings.filterwarnings('error', 'There is a performance drop')
        self.addCleanup(warnings.resetwarnings)

    def assert_batched(self, function, *arguments, in_dims=0):
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(arguments)
        size = next(x.shape[dim] for x, dim in zip(arguments, dims) if dim is not None)
        each = [function(*(x if dim is None else x.select(dim, i) for x, dim in zip(arguments, dims)))
                for i in range(size)]
        actual = torch.vmap(function, in_dims=dims)(*arguments)
        if isinstance(actual, torch.Tensor):
            actual, each = [actual], [[result] for result in each]
        for result, expected in zip(actual, zip(*each), strict=True):
            torch.testing.assert_close(result, torch.stack(expected))

    def test_pointwise_operators(self):
        x, y = torch.randn(3, 4, 5), torch.randn(3, 5)
        self.assert_batched(trial.axpy, x, y)
        self.assert_batched(lambda a, b: trial.axpy(b, a, alpha=2), x, y)
        self.assert_batched(trial.axpy, x, torch.randn(5, 4), in_dims=(2, 0))
        self.assert_batched(trial.axpy, x, torch.randn(5), in_dims=(0, None))
        self.assert_batched(trial.axpy, torch.randn(4, 5), torch.randn(3), in_dims=(None, 0))
        self.assert_batched(lambda a: trial.axpy(a, 2.5), torch.arange(3))
        self.assert_batched(trial.is_near, x, y)
        self.assert_batched(lambda a, b: trial.choose(a, b, a > 0, 0.5), x, y)
        self.assert_batched(lambda a, b: trial.gated(a, 0.5, b), x, y)
        self.assertEqual(torch.vmap(trial.axpy)(torch.empty(0, 2), torch.empty(0, 3, 2)).shape, (0, 3, 2))

    def test_promotion_by_rank(self):
        # In each call the second tensor has no dimension, and so does not change the dtype.
        x, number = torch.randn(3, 4), torch.randn(3, dtype=torch.double)
        self.assert_batched(trial.axpy, x, number)
        self.assertEqual(torch.vmap(trial.axpy)(x, number).dtype, torch.float)

    def test_other_operators(self):
        x, y = torch.randn(3, 4, 5), torch.randn(3, 4, 5)
        self.assert_batched(trial.soft_clip, x, in_dims=1)
        self.assert_batched(lambda a: trial.extrema(a, 0), x)
        self.assert_batched(lambda a, b: trial.stack_rows([a, b, torch.ones(1, 5)], 2.0), x, y)
        self.assert_batched(lambda a: trial.copy_rows(a, [1, 3]), x)
        self.assert_batched(lambda a, b: trial.blend(a, a, mask=b), x, y)
        self.assert_batched(lambda a: trial.head(a, 2), x)
        self.assert_batched(lambda a: trial.tile(a, [2, 1]), x)
        self.assert_batched(lambda a: trial.ramp(3, 2.0) * a, torch.randn(2, 3))
        self.assert_batched(trial.rms, x, in_dims=2)
        with self.assertRaisesRegex(RuntimeError, 'trial::extrema: vmap over a dimension of size 0'):
            torch.vmap(trial.extrema)(torch.empty(0, 2))

    def test_in_place_operators(self):
        x, y = torch.randn(3, 4), torch.randn(3, 4)
        for call in [lambda a, b: trial.axpy_(a, b), lambda a, b: trial.soft_clip_(a), lambda a, b: trial.axpy_(a, b[0])]:
            expected = torch.stack([call(a, b) for a, b in zip(x.clone(), y)])
            z = x.clone()
            torch.testing.assert_close(torch.vmap(call)(z, y), expected)
            torch.testing.assert_close(z, expected)
        z = x.clone()
        torch.vmap(lambda a: (trial.drop_negative_(a), a)[1], in_dims=1)(z)
        torch.testing.assert_close(z, x.clamp(min=0))
        with self.assertRaisesRegex(RuntimeError, 'trial::axpy_.Tensor cannot write to `self`, which is not batched'):
            torch.vmap(lambda b: trial.axpy_(torch.zeros(4), b))(y)

    def test_nested(self):
        x, y = torch.randn(2, 3, 4), torch.randn(3, 5, 4)
        for function in [trial.axpy, lambda a, b: trial.blend(a, b, alpha=2)]:
            inner = torch.vmap(function, in_dims=(None, 0))
            actual = torch.vmap(torch.vmap(inner, in_dims=(0, 0)), in_dims=(0, None))(x, y)
            expected = torch.stack([torch.stack([inner(a, b) for a, b in zip(rows, y)]) for rows in x])
            torch.testing.assert_close(actual, expected)

    def test_gradients(self):
        x = torch.randn(3, 4)
        each = torch.vmap(torch.func.grad(lambda a: trial.soft_clip(a, 2.0).sum()))(x)
        torch.testing.assert_close(each, 4 / (2 + x.abs()).square())
        y = torch.randn(4, 3)
        self.assert_batched(torch.func.grad(lambda a, b: trial.gated(a, 2.0, b).sum(), argnums=(0, 1)), x, y,
                            in_dims=(0, 1))
        x.requires_grad_()
        torch.vmap(lambda a: trial.soft_clip(a, 2.0))(x).sum().backward()
        torch.testing.assert_close(x.grad, each)
        jacobian = torch.func.jacrev(lambda a: trial.soft_clip(a, 2.0))(x[0].detach())
        torch.testing.assert_close(jacobian, torch.diag(each[0]))

    def test_randomness(self):
        x = torch.zeros(3, 50)
        with self.assertRaisesRegex(RuntimeError, "the random operator trial::jitter with randomness='error'"):
            torch.vmap(trial.jitter)(x)
        for call in [trial.jitter, lambda a: trial.jitter(torch.zeros(50))]:
            different = torch.vmap(call, randomness='different')(x)
            self.assertEqual(different.shape, (3, 50))
            self.assertFalse(torch.equal(different[0], different[1]))
        same = torch.vmap(lambda a: trial.jitter(torch.zeros(50)) + a, randomness='same')(x)
        self.assertTrue(torch.equal(same[0], same[1]))
        with self.assertRaisesRegex(RuntimeError, "with batched arguments needs randomness='different'"):
            torch.vmap(trial.jitter, randomness='same')(x)

    def test_compiled(self):
        x, y = torch.randn(3, 4), torch.randn(4)
        model = torch.vmap(lambda a, b: trial.axpy(a, trial.soft_clip(b)), in_dims=(0, None))
        torch.testing.assert_close(torch.compile(model, fullgraph=True)(x, y), model(x, y))


if __name__ == '__main__':
    unittest.main()
