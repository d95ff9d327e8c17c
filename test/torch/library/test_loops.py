"""test_loops.py LIBRARY: what compilers see of impls that apply one lambda to each element, compared with their kernels."""
import importlib.util
import pathlib
import sys
import unittest

import torch

if not hasattr(torch, 'compile'):
    print('skipped: this PyTorch has no compilers')
    sys.exit(0)

import torch._inductor.metrics
from torch.utils._python_dispatch import TorchDispatchMode

torch.ops.load_library(str(pathlib.Path(sys.argv.pop(1))))
trial = torch.ops.trial

REAL = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float, torch.double]
SHORT = [torch.half, torch.bfloat16]
# Inductor multiplied by the reciprocal of a number: https://github.com/pytorch/pytorch/issues/157959
DIVIDES_BY_RECIPROCALS = tuple(map(int, torch.__version__.split('.')[:2])) < (2, 10)
# Dtypes in which compilers see the operator, and calls of it with tensors of one dtype.
OPERATORS = {
    'damped': ([*SHORT, torch.float, torch.double], lambda damped, x: [damped(x), damped(x, 2), damped(x, -0.25)]),
    'third': ([*SHORT, *REAL], lambda third, x: [third(x)]),
    'joined': (REAL, lambda joined, x: [joined(x, x.flip(0)), joined(x[:, None], x, alpha=2)]),
    # Sums of the margin do not overflow, which C++ leaves undefined.
    'exceeds': (REAL, lambda exceeds, x: [exceeds(x, x.flip(0)), exceeds(x[:, None], x[:6], 3)]),
    'floored': ([*SHORT, *REAL, torch.bool], lambda floored, x: [floored(x, x.flip(0), x[:1]), floored(x, x[2], x[1])]),
}


class Follow(TorchDispatchMode):
    """Makes operators show what they compute, which ATen's kernels then compute."""

    def __init__(self):
        super().__init__()
        self.calls = set()

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.calls.add(str(function))
        return function(*arguments, **(keywords or {}))


def elements(dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True, True])
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -7.25, limits.max, limits.min, limits.tiny, float('inf'), -float('inf'), float('nan')]
        return torch.cat([torch.tensor(special, dtype=torch.double), torch.randn(50, dtype=torch.double)]).to(dtype)
    limits = torch.iinfo(dtype)
    return torch.tensor([0, 1, 2, 3, 7, 100, limits.max, limits.min], dtype=dtype)


def bits(tensor):
    if not tensor.is_floating_point():
        return tensor
    integers = {2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return torch.where(tensor.isnan(), torch.full((), float('nan'), dtype=tensor.dtype), tensor).view(integers)


class Values(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()

    def assert_same(self, actual, expected):
        self.assertEqual([each.dtype for each in actual], [each.dtype for each in expected])
        for one, other in zip(actual, expected):
            self.assertTrue(torch.equal(bits(one), bits(other)))

    def test_each_dtype(self):
        """All these functions are arithmetic, so that every bit is determined."""
        for name, (dtypes, calls) in OPERATORS.items():
            for dtype in dtypes:
                with self.subTest(name=name, dtype=dtype):
                    x = elements(dtype)
                    with Follow() as follow:
                        actual = calls(getattr(trial, name), x)
                    self.assertEqual([call for call in follow.calls if call.startswith('trial')], [])
                    self.assert_same(actual, calls(getattr(trial, f'_opaque_{name}'), x))

    def test_compiled(self):
        for name, (dtypes, calls) in OPERATORS.items():
            for dtype in dtypes:
                with self.subTest(name=name, dtype=dtype):
                    torch._dynamo.reset()
                    x = elements(dtype)
                    actual = torch.compile(lambda x: calls(getattr(trial, name), x), fullgraph=True)(x)
                    expected = calls(getattr(trial, f'_opaque_{name}'), x)
                    if name == 'third' and DIVIDES_BY_RECIPROCALS:
                        torch.testing.assert_close(actual, expected, equal_nan=True)
                    else:
                        self.assert_same(actual, expected)

    def test_opaque_dtypes(self):
        """In half precision, `joined` rounds twice."""
        x = elements(torch.half)
        with Follow() as follow:
            actual = trial.joined(x, x, alpha=3)
        self.assertIn('trial._opaque_joined.Tensor', follow.calls)
        self.assert_same([actual], [trial._opaque_joined(x, x, alpha=3)])

    def test_promotion(self):
        tensors = [torch.tensor([1, 2]), torch.tensor([0.5, 1.5]), torch.tensor([1.5], dtype=torch.double), torch.tensor(3),
                   torch.tensor(2.5, dtype=torch.double)]
        for one in tensors:
            for other in tensors:
                for call in (lambda prefix: getattr(trial, f'{prefix}joined')(one, other),
                             lambda prefix: getattr(trial, f'{prefix}joined')(one, other, alpha=2),
                             lambda prefix: getattr(trial, f'{prefix}exceeds')(one, other, 1),
                             lambda prefix: getattr(trial, f'{prefix}damped')(one, 2),
                             lambda prefix: getattr(trial, f'{prefix}floored')(one, other, one)):
                    with self.subTest(one=one, other=other):
                        with Follow():
                            actual = call('')
                        self.assert_same([actual], [call('_opaque_')])

    def test_numbers(self):
        """A number of a higher category than the elements reaches the kernel, which converts it."""
        x = torch.tensor([1, 2])
        with Follow() as follow:
            actual = trial.joined(x, x, alpha=1.75)
        self.assertIn('trial._opaque_joined.Tensor', follow.calls)
        self.assert_same([actual], [trial._opaque_joined(x, x, alpha=1.75)])

    def test_other_dtypes(self):
        """The kernel reports dtypes for which it has no case."""
        for value in (True, 1j):
            with Follow(), self.assertRaisesRegex((RuntimeError, NotImplementedError), 'not implemented'):
                trial.joined(torch.tensor(value), torch.tensor(value))


class Fusion(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        torch._inductor.metrics.reset()
        self.x = torch.randn(60, 50)

    @staticmethod
    def chain(x):
        return torch.relu(trial.damped(2 * x + 1) + x)

    def test_forward(self):
        actual = torch.compile(self.chain, fullgraph=True)(self.x)
        torch.testing.assert_close(actual, self.chain(self.x))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)

    def test_training(self):
        x = self.x.requires_grad_()
        expected, = torch.autograd.grad(self.chain(x).sum(), x)
        actual, = torch.autograd.grad(torch.compile(self.chain, fullgraph=True)(x).sum(), x)
        torch.testing.assert_close(actual, expected)
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 2)

    def test_variants(self):
        def overwrite(x):
            y = trial.joined_(x.clone(), x, alpha=2)
            trial.damped(y, 3, out=y)
            return trial.third_(trial.damped_(y))

        actual = torch.compile(overwrite, fullgraph=True)(self.x)
        torch.testing.assert_close(actual, overwrite(self.x))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)

    def test_converted_outputs(self):
        """The operator decides whether an output may have another dtype."""
        def into(operator, dtype):
            def call(x):
                return operator(x, out=torch.empty(60, 50, dtype=dtype))

            return torch.compile(call, fullgraph=True)(self.x), call(self.x)

        actual, expected = into(trial.damped, torch.double)
        torch.testing.assert_close(actual, expected)
        with self.assertRaisesRegex(Exception, 'dtype'):
            into(trial.third, torch.double)

    def test_dynamic_sizes(self):
        compiled = torch.compile(self.chain, fullgraph=True, dynamic=True)
        with torch._dynamo.config.patch(error_on_recompile=True):
            for rows in (3, 7, 30):
                x = torch.randn(rows, 5)
                torch.testing.assert_close(compiled(x), self.chain(x))


class Chain(torch.nn.Module):
    def forward(self, x, y):
        return Fusion.chain(x), trial.joined(x, y, alpha=2), trial.exceeds(x, y), trial.floored(x, y, x)


class Programs(unittest.TestCase):
    def setUp(self):
        self.arguments = torch.randn(3, 4), torch.randn(3, 4)

    def test_export(self):
        program = torch.export.export(Chain(), self.arguments)
        names = [str(node.target) for node in program.graph.nodes if node.op == 'call_function']
        self.assertIn('trial.damped.default', names)
        decomposed = program.run_decompositions()
        names = [str(node.target) for node in decomposed.graph.nodes if node.op == 'call_function']
        self.assertEqual([name for name in names if not name.startswith('aten.')], [])
        for actual, expected in zip(decomposed.module()(*self.arguments), Chain()(*self.arguments)):
            torch.testing.assert_close(actual, expected)

    @unittest.skipUnless(importlib.util.find_spec('onnxruntime'), 'no onnxruntime')
    def test_onnx(self):
        import onnxruntime
        program = torch.onnx.export(Chain(), self.arguments, dynamo=True, verbose=False)
        session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
        inputs = {each.name: value.numpy() for each, value in zip(session.get_inputs(), self.arguments)}
        for actual, expected in zip(session.run(None, inputs), Chain()(*self.arguments)):
            torch.testing.assert_close(torch.from_numpy(actual), expected)

    def test_opcheck(self):
        x = torch.randn(3, requires_grad=True)
        for operator, arguments in [(trial.damped.default, (x,)), (trial.damped_.default, (torch.randn(3),)),
                                    (trial.joined.Tensor, (self.arguments)), (trial.exceeds.default, self.arguments),
                                    (trial._opaque_damped.default, (x,))]:
            with self.subTest(operator=operator):
                torch.library.opcheck(operator, arguments)


if __name__ == '__main__':
    unittest.main()
