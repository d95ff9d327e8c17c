"""test_pointwise.py LIBRARY: operators that one scalar function defines, with the stable ABI. The library ordinary_ops has the same
functions with ATen; only the version of PyTorch that it was built for loads it."""
import itertools
import pathlib
import sys
import unittest

import torch
import torch._inductor.metrics
from torch.autograd import gradcheck, gradgradcheck
from torch.fx.experimental.proxy_tensor import make_fx
from torch.library import opcheck

library = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(library.parent.parent))
import stable_ops  # noqa: E402

try:
    import ordinary_ops
except ImportError as error:
    ordinary_ops = None
    print('skipped: comparisons with the ordinary target:', error)

stable, ordinary = torch.ops.stable_trial, torch.ops.ordinary
DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.half, torch.bfloat16, torch.float,
          torch.double, torch.complex64, torch.complex128]
LAYOUTS = {
    'contiguous': lambda make: make(3, 4),
    'transposed': lambda make: make(4, 3).t(),
    'sliced': lambda make: make(6, 9)[::2, 1:9:2],
    'expanded': lambda make: make(3, 1).expand(3, 4),
    'row': lambda make: make(4),
    'scalar': lambda make: make(),
    'empty': lambda make: make(0, 4)[:, :1],
    'permuted': lambda make: make(2, 4, 5, 3).permute(0, 3, 1, 2)[:, :, :, 0],
}


def numbers(*sizes, dtype=torch.double):
    return torch.randn(sizes, dtype=dtype).requires_grad_()


def make_for(dtype):
    return lambda *sizes: (torch.randn(sizes) * 3).to(dtype) if not dtype.is_complex else torch.randn(sizes, dtype=dtype)


CALLS = {
    'axpy': [lambda ops, a, b: ops.axpy(a, b), lambda ops, a, b: ops.axpy(a, b, alpha=2)],
    'halve': [lambda ops, a, b: ops.halve(a)],
    'soft_sign': [lambda ops, a, b: ops.soft_sign(a)],
    'gated': [lambda ops, a, b: ops.gated(a, 2, b)],
    'mix': [lambda ops, a, b: ops.mix(a, b, a), lambda ops, a, b: ops.mix(a, b, b, 1)],
    'int_power': [lambda ops, a, b: ops.int_power(a, 3, True)],
    'leaky': [lambda ops, a, b: ops.leaky(a, 2)],
    'is_near': [lambda ops, a, b: ops.is_near(a, b), lambda ops, a, b: ops.is_near(a, b, 1)],
    'choose': [lambda ops, a, b: ops.choose(a, b, a == b)],
    'axpy_': [lambda ops, a, b: ops.axpy_(a.clone(), b, alpha=2)],
    'soft_sign_': [lambda ops, a, b: ops.soft_sign_(a.clone())],
    'is_near_': [lambda ops, a, b: ops.is_near_(a.clone(), b)],
    'axpy.out': [lambda ops, a, b: ops.axpy(a, b, out=torch.zeros(0, dtype=a.dtype)),
                 lambda ops, a, b: ops.axpy(a, b, out=torch.zeros(0, dtype=torch.double))],
    'is_near.out': [lambda ops, a, b: ops.is_near(a, b, out=torch.zeros(0, dtype=torch.bool))],
}


def outcome(function, ops, a, b):
    try:
        return function(ops, a, b)
    except (RuntimeError, NotImplementedError) as error:
        return error


@unittest.skipIf(ordinary_ops is None, 'ordinary_ops is for another version of PyTorch')
class SameAsTheOrdinaryTarget(unittest.TestCase):
    def test_dtypes_and_layouts(self):
        torch.manual_seed(0)
        compared = 0
        for (name, calls), dtype, layout in itertools.product(CALLS.items(), DTYPES, LAYOUTS):
            make = make_for(dtype)
            a = LAYOUTS[layout](make)
            for other, other_dtype in [(layout, dtype), ('contiguous', torch.float), ('scalar', torch.double), ('scalar', torch.int32)]:
                b = LAYOUTS[other](make_for(other_dtype))
                for function in calls:
                    with self.subTest(name=name, dtype=dtype, layout=layout, other=other, other_dtype=other_dtype):
                        expected, actual = outcome(function, ordinary, a, b), outcome(function, stable, a, b)
                        if isinstance(expected, Exception):
                            self.assertIsInstance(actual, Exception)
                            continue
                        self.assertFalse(isinstance(actual, Exception), actual)
                        self.assertEqual((actual.dtype, actual.shape), (expected.dtype, expected.shape))
                        self.assertTrue(torch.allclose(actual, expected, rtol=0, atol=0, equal_nan=True))
                        if actual.numel() > 0:
                            self.assertEqual(actual.stride(), expected.stride())
                        compared += 1
        self.assertGreater(compared, 900)
        print(compared, 'calls equal those of the ordinary target')

    def test_large_tensors_of_all_dtypes(self):
        """As many elements as several threads compute, and rows that end within a vector."""
        for dtype in DTYPES:
            a, b = make_for(dtype)(300, 517), make_for(dtype)(517)
            for function in (CALLS['axpy'][1], CALLS['gated'][0], CALLS['is_near'][1], CALLS['leaky'][0]):
                expected, actual = outcome(function, ordinary, a.t(), b[:, None]), outcome(function, stable, a.t(), b[:, None])
                self.assertEqual(isinstance(expected, Exception), isinstance(actual, Exception))
                if not isinstance(expected, Exception):
                    torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)


class Calls(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_errors(self):
        a = torch.ones(3, 4)
        for message, call in [
                ('size of tensor a .4. must match the size of tensor b .3. at non-singleton dimension 1',
                 lambda: stable.axpy(a, torch.ones(3))),
                ('"halve" not implemented for .ComplexFloat', lambda: stable.halve(a.to(torch.complex64))),
                ("can't be cast to the desired output type Long", lambda: stable.axpy_(torch.ones(3, dtype=torch.long), a[:, 0])),
                ("can't be cast to the desired output type Int", lambda: stable.axpy(a, a, out=torch.zeros(3, 4, dtype=torch.int))),
                ('argument alpha must be a whole number, got 0.5', lambda: stable.axpy(a.long(), a.long(), alpha=0.5)),
                ('value 300 cannot be converted to an integer of 8 bits', lambda: stable.axpy(a.to(torch.int8), a.to(torch.int8), alpha=300)),
                ('expected `mask` to be a boolean tensor, got Float', lambda: stable.choose(a, a, a)),
                ('refers to a single memory location', lambda: stable.axpy_(torch.ones(4, 4).expand(4, 4)[0].expand(4, 4), a[0])),
                ('refer to a single memory location', lambda: stable.axpy_(square := torch.ones(4, 4), square.t())),
                ('Bad in-place call', lambda: stable.axpy_(torch.ones(4), a))]:
            with self.subTest(message=message), self.assertRaisesRegex(RuntimeError, message):
                call()

    def test_out(self):
        a = torch.randn(3, 4)
        out = torch.empty(0)
        self.assertIs(stable.soft_sign(a, out=out), out)
        torch.testing.assert_close(out, a / (1 + a.abs()))
        wide = torch.zeros(3, 8)[:, ::2]
        stable.soft_sign(a, out=wide)
        torch.testing.assert_close(wide, a / (1 + a.abs()))
        double = torch.empty(3, 4, dtype=torch.double)
        stable.soft_sign(a, out=double)
        torch.testing.assert_close(double, (a / (1 + a.abs())).double())
        stable.is_near(a, a, out=double)
        self.assertEqual(double.sum(), 12)
        before = a._version
        stable.axpy_(a, a)
        self.assertGreater(a._version, before)

    def test_default_dtype(self):
        self.assertEqual(stable.soft_sign(torch.arange(3)).dtype, torch.float)
        try:
            torch.set_default_dtype(torch.double)
            self.assertEqual(stable.soft_sign(torch.arange(3)).dtype, torch.double)
        finally:
            torch.set_default_dtype(torch.float)


class Layers(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        torch._inductor.metrics.reset()

    def test_both_orders(self):
        a, b, c = numbers(3, 4), numbers(3, 4), numbers(4)
        z, w = numbers(3, dtype=torch.complex128), numbers(3, dtype=torch.complex128)
        for function, arguments in [
                (lambda a, b: stable.axpy(a, b, alpha=2.5), (a, c)), (stable.soft_sign, (a,)), (lambda a: stable.halve(a.t()), (a,)),
                (lambda a, b: stable.gated(a, 1.5, b), (a, b)), (stable.mix, (a, b, c)), (lambda a: stable.leaky(a, 0.25), (a,)),
                (lambda a: stable.int_power(a, 3), (a,)),
                (lambda a, b: stable.axpy_(a * 2, b), (a, c)), (lambda a: stable.soft_sign_(a * 2), (a,)),
                (lambda a, b: stable.gated(a, 1.5, b), (z, w)), (lambda a, b: stable.axpy(a, b, alpha=2), (z, w))]:
            self.assertTrue(gradcheck(function, arguments))
            self.assertTrue(gradgradcheck(function, arguments))

    def test_third_derivatives_throw(self):
        a = numbers(3)
        self.assertFalse(stable.is_near(a, a).requires_grad)
        second, = torch.autograd.grad(torch.autograd.grad(stable.soft_sign(a).sum(), a, create_graph=True)[0].sum(), a,
                                      create_graph=True)
        with self.assertRaisesRegex(NotImplementedError, '_soft_sign_backward_self_by_self has no derivative for self'):
            second.sum().backward()

    def test_forward_mode(self):
        from torch.func import hessian, jacfwd, jacrev, jvp
        a = numbers(3).detach()
        z = numbers(3, dtype=torch.complex128).detach()
        for function in (lambda a: stable.gated(a, 1.5, a), lambda a: stable.mix(a, a * a, a), stable.soft_sign):
            torch.testing.assert_close(jacfwd(function)(a), jacrev(function)(a))
            torch.testing.assert_close(hessian(lambda a: function(a).sum())(a), jacrev(jacrev(lambda a: function(a).sum()))(a))
        _, tangent = jvp(lambda a: stable.gated(a, 1.5, a), (z,), (z,))
        _, expected = jvp(lambda a: a * a / (1 + torch.exp(-1.5 * a)), (z,), (z,))
        torch.testing.assert_close(tangent, expected)

    def test_package_functions_avoid_layers_but_the_recorder(self):
        def called(function, *arguments):
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                function(*arguments)
            return {event.key for event in profile.key_averages() if event.key.startswith('stable_trial::')}

        a = torch.ones(3)
        leaf = numbers(3)
        self.assertEqual(called(stable_ops.soft_sign, a), {'stable_trial::_unrecorded_soft_sign'})
        self.assertEqual(called(stable_ops.soft_sign, leaf), {'stable_trial::_unrecorded_soft_sign'})
        self.assertIn('SoftSignBackward', str(stable_ops.soft_sign(leaf).grad_fn))
        with torch.no_grad():
            self.assertEqual(called(stable_ops.soft_sign, leaf), {'stable_trial::_unrecorded_soft_sign'})
            self.assertFalse(stable_ops.soft_sign(leaf).requires_grad)
        self.assertEqual(called(lambda: stable_ops.soft_sign(a, out=torch.empty(3))), {'stable_trial::soft_sign'})
        self.assertIn('stable_trial::soft_sign', called(torch.func.vmap(stable_ops.soft_sign), a))
        self.assertIs(stable_ops.soft_sign.default, stable.soft_sign.default)
        self.assertEqual(stable_ops.soft_sign.overloads(), stable.soft_sign.overloads())
        with torch.autocast('cpu', torch.bfloat16):
            self.assertEqual(stable_ops.soft_sign(a).dtype, torch.bfloat16)
        _, tangent = torch.func.jvp(stable_ops.soft_sign, (a,), (a,))
        torch.testing.assert_close(tangent, a / 4)

    def test_autocast(self):
        x = torch.randn(3, 4)
        with torch.autocast('cpu', torch.bfloat16):
            self.assertEqual(stable.soft_sign(x).dtype, torch.bfloat16)
            self.assertEqual(stable.leaky(x.bfloat16()).dtype, torch.float)
            self.assertEqual(stable.mix(x.bfloat16(), x.bfloat16(), x.bfloat16()).dtype, torch.bfloat16)
            self.assertEqual(stable.mix(x.bfloat16(), x, x.bfloat16()).dtype, torch.float)
            self.assertEqual(stable.soft_sign(x.double()).dtype, torch.double)
            self.assertEqual(stable.soft_sign_(x.clone()).dtype, torch.float)
            with torch.autocast('cpu', enabled=False):
                self.assertEqual(stable.soft_sign(x).dtype, torch.float)
        x.requires_grad_()
        with torch.autocast('cpu', torch.bfloat16):
            result = stable.soft_sign(x)
        self.assertEqual(torch.autograd.grad(result.sum(), x)[0].dtype, torch.float)

    def test_batches(self):
        from torch.func import vmap
        a, b, c = torch.randn(5, 3), torch.randn(3, 5), torch.randn(5, dtype=torch.double)
        torch.testing.assert_close(vmap(stable.axpy, (0, 1))(a, b), a + b.t())
        torch.testing.assert_close(vmap(stable.axpy, (0, None))(a, b[:, 0]), a + b[:, 0])
        torch.testing.assert_close(vmap(stable.axpy)(a, c.float()), a + c.float()[:, None])
        self.assertEqual(vmap(stable.axpy)(a, c).dtype, torch.float)
        torch.testing.assert_close(vmap(vmap(stable.soft_sign))(a), a / (1 + a.abs()))
        self.assertEqual(vmap(stable.soft_sign)(torch.ones(0, 3)).shape, (0, 3))
        torch.testing.assert_close(vmap(lambda a, b: stable.axpy_(a, b))(a.clone(), a), 2 * a)

    def test_opcheck(self):
        a, b = numbers(3, 4, dtype=torch.float), numbers(4, dtype=torch.float)
        for op, args, kwargs in [(stable.axpy.Tensor, (a, b), {'alpha': 2.0}), (stable.soft_sign.default, (a,), {}),
                                 (stable.gated.default, (a, 2.0, b), {}), (stable.is_near.default, (a, b, 0.5), {}),
                                 (stable.axpy_.Tensor, (a.detach().clone(), b.detach()), {}),
                                 (stable.soft_sign.out, (a.detach(),), {'out': torch.empty(3, 4)})]:
            opcheck(op, args, kwargs)

    def test_compilers_fuse(self):
        def chain(x):
            return torch.relu(stable.soft_sign(2 * x + 1) + x)

        x = torch.randn(60, 50)
        torch.testing.assert_close(torch.compile(chain, fullgraph=True)(x), chain(x))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)
        torch._inductor.metrics.reset()
        x.requires_grad_()
        expected, = torch.autograd.grad(chain(x).sum(), x)
        actual, = torch.autograd.grad(torch.compile(chain, fullgraph=True)(x).sum(), x)
        torch.testing.assert_close(actual, expected)
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 2)

    def test_one_compilation_for_all_sizes(self):
        compiled = torch.compile(lambda x: stable.soft_sign(stable.hidden(x)), fullgraph=True, dynamic=True)
        with torch._dynamo.config.patch(error_on_recompile=True):
            for rows in (3, 7, 30):
                x = torch.randn(rows, 5)
                torch.testing.assert_close(compiled(x), 2 * x / (1 + 2 * x.abs()))

    def test_traced_calls_equal_kernels(self):
        for one, other in itertools.product(
                [torch.tensor([1, 2]), torch.tensor([0.5, 1.5]), torch.tensor([1.5], dtype=torch.double), torch.tensor(2.5),
                 torch.tensor(3), torch.tensor([1.5], dtype=torch.half), torch.tensor([1.25], dtype=torch.bfloat16)],
                [torch.tensor([3, 5]), torch.tensor([0.25]), torch.tensor(0.75, dtype=torch.double), torch.tensor(True)]):
            for calls in CALLS.values():
                for function in calls:
                    expected = outcome(function, stable, one, other)
                    if isinstance(expected, Exception):
                        continue
                    with self.subTest(one=one, other=other):
                        actual = make_fx(lambda a, b: function(stable, a, b))(one, other)(one, other)
                        torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)

    def test_traces_have_operators_of_pytorch(self):
        def names_of(function):
            graph = make_fx(function)(torch.randn(3)).graph
            return [str(node.target) for node in graph.nodes if node.op == 'call_function']

        self.assertEqual([name for name in names_of(stable.soft_sign) if not name.startswith('aten.')], [])
        self.assertIn('stable_trial.hidden.default', names_of(stable.hidden))

    def test_export(self):
        class Chain(torch.nn.Module):
            def forward(self, x):
                return stable.soft_sign(x) + 1

        rows = torch.export.Dim('rows', min=2)
        program = torch.export.export(Chain(), (torch.randn(3, 4),), dynamic_shapes=({0: rows},))
        x = torch.randn(7, 4)
        torch.testing.assert_close(program.module()(x), Chain()(x))
        decomposed = program.run_decompositions()
        names = [str(node.target) for node in decomposed.graph.nodes if node.op == 'call_function']
        self.assertEqual([name for name in names if not name.startswith(('aten.', 'getattr'))], [])


if __name__ == '__main__':
    unittest.main()
