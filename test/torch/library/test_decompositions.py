"""test_decompositions.py LIBRARY: what compilers see of scalar functions, in each PyTorch that has compilers."""
import importlib.util
import pathlib
import sys
import unittest

import torch

if not hasattr(torch, 'compile'):
    print('skipped: this PyTorch has no compilers')
    sys.exit(0)

import torch._inductor.metrics
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.library import opcheck

torch.ops.load_library(str(pathlib.Path(sys.argv.pop(1))))
trial = torch.ops.trial


def names_of(graph):
    return [str(node.target) for node in graph.nodes if node.op == 'call_function']


def soft_sign(x):
    return x / (1 + x.abs())


class Chain(torch.nn.Module):
    def forward(self, x):
        return torch.relu(trial.soft_sign(2 * x + 1) + x)


class Fusion(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        torch._inductor.metrics.reset()
        self.x = torch.randn(60, 50)

    def test_forward(self):
        actual = torch.compile(Chain(), fullgraph=True)(self.x)
        self.assertTrue(torch.equal(actual, Chain()(self.x)))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)

    def test_training(self):
        x = self.x.requires_grad_()
        expected, = torch.autograd.grad(Chain()(x).sum(), x)
        actual, = torch.autograd.grad(torch.compile(Chain(), fullgraph=True)(x).sum(), x)
        torch.testing.assert_close(actual, expected)
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 2)

    def test_variants(self):
        def overwrite(x):
            y = x.clone()
            trial.axpy_(y, x, alpha=2)
            trial.soft_sign(y, out=y)
            return trial.soft_sign_(y + x)

        actual = torch.compile(overwrite, fullgraph=True)(self.x)
        torch.testing.assert_close(actual, overwrite(self.x))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)

    def test_variants_with_gradients(self):
        def overwrite(x):
            return trial.soft_sign_(trial.axpy_(2 * x, x, alpha=2))

        x = self.x.requires_grad_()
        expected, = torch.autograd.grad(overwrite(x).sum(), x)
        actual, = torch.autograd.grad(torch.compile(overwrite, fullgraph=True)(x).sum(), x)
        torch.testing.assert_close(actual, expected)

    def test_written_derivative(self):
        """The derivative of `leaky` at 0 is the author's."""
        x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
        actual, = torch.autograd.grad(torch.compile(trial.leaky, fullgraph=True)(x).sum(), x)
        self.assertEqual(actual.tolist(), [0.5, 0.5, 1.0])

    def test_promotion(self):
        for one in [torch.tensor([1, 2]), torch.tensor([0.5, 1.5]), torch.tensor([1.5], dtype=torch.double), torch.tensor(2.5),
                    torch.tensor(3), torch.tensor([1.5], dtype=torch.half)]:
            for other in [torch.tensor([3, 5]), torch.tensor([0.25]), torch.tensor(0.75, dtype=torch.double), torch.tensor(True)]:
                for function, arguments, keywords in [
                        (trial.axpy, (one, other), {}), (trial.axpy, (one, other), {'alpha': 2}), (trial.axpy, (one, 3), {}),
                        (trial.axpy, (one, 1.5), {}), (trial.is_near, (one, other), {}), (trial.gated, (one, 2, other), {}),
                        (trial.mix, (one, other, other), {'most': 1}), (trial.choose, (one, other, one > 1), {})]:
                    with self.subTest(function=function, one=one, other=other, keywords=keywords):
                        def call(*arguments):
                            return function(*arguments, **keywords)

                        try:
                            expected = call(*arguments)
                        except (RuntimeError, NotImplementedError) as error:
                            with self.assertRaises(type(error)):
                                make_fx(call)(*arguments)
                            continue
                        actual = make_fx(call)(*arguments)(*arguments)
                        torch.testing.assert_close(actual, expected)

    def test_dynamic_sizes(self):
        compiled = torch.compile(Chain(), fullgraph=True, dynamic=True)
        with torch._dynamo.config.patch(error_on_recompile=True):
            for rows in (3, 7, 30):
                x = torch.randn(rows, 5)
                torch.testing.assert_close(compiled(x), Chain()(x))

    def test_inference_mode(self):
        with torch.inference_mode():
            actual = torch.compile(Chain(), fullgraph=True)(self.x)
        self.assertTrue(torch.equal(actual, Chain()(self.x)))
        self.assertEqual(torch._inductor.metrics.generated_kernel_count, 1)


class Programs(unittest.TestCase):
    def test_export(self):
        program = torch.export.export(Chain(), (torch.randn(3, 4),))
        self.assertIn('trial.soft_sign.default', names_of(program.graph))
        decomposed = program.run_decompositions()
        self.assertEqual([name for name in names_of(decomposed.graph) if not name.startswith('aten.')], [])
        x = torch.randn(3, 4)
        torch.testing.assert_close(decomposed.module()(x), Chain()(x))

    def test_opcheck(self):
        x = torch.randn(3, requires_grad=True)
        for operator, arguments, keywords in [
                (trial.soft_sign.default, (x,), {}), (trial.soft_sign_.default, (torch.randn(3),), {}),
                (trial.soft_sign.out, (torch.randn(3),), {'out': torch.empty(3)}), (trial.axpy.Tensor, (x, x), {'alpha': 2}),
                (trial._opaque_soft_sign.default, (x,), {}), (trial._soft_sign_backward_self.default, (x, x), {})]:
            with self.subTest(operator=operator):
                opcheck(operator, arguments, keywords)


class Several(torch.nn.Module):
    def forward(self, x, y):
        near = trial.is_near(x, y, tolerance=1)
        return Chain()(x), trial.mix(x, y, y, most=1), near, trial.leaky(x), trial.gated(x, 2, y), trial.axpy(x, 0.5, alpha=2)


@unittest.skipUnless(importlib.util.find_spec('onnxruntime'), 'no onnxruntime')
class Onnx(unittest.TestCase):
    def test_export(self):
        import onnxruntime
        rows = {0: torch.export.Dim('rows')}
        example = torch.randn(3, 4), torch.randn(3, 4)
        program = torch.onnx.export(Several(), example, dynamo=True, verbose=False, dynamic_shapes=(rows, rows))
        session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
        for count in (3, 8):
            arguments = torch.randn(count, 4), torch.randn(count, 4)
            inputs = {each.name: value.numpy() for each, value in zip(session.get_inputs(), arguments)}
            for actual, expected in zip(session.run(None, inputs), Several()(*arguments)):
                torch.testing.assert_close(torch.from_numpy(actual), expected)


class Transforms(unittest.TestCase):
    def test_forward_mode(self):
        x, tangent = torch.randn(4), torch.randn(4)
        expected = tangent / (1 + x.abs()).square()
        torch.testing.assert_close(torch.func.jvp(trial.soft_sign, (x,), (tangent,))[1], expected)
        with forward_ad.dual_level():
            result = trial.soft_sign_(forward_ad.make_dual(x.clone(), tangent))
            torch.testing.assert_close(forward_ad.unpack_dual(result).tangent, expected)

    def test_nested(self):
        x = torch.randn(4)
        for first, second in [(torch.func.jacfwd, torch.func.jacrev), (torch.func.jacrev, torch.func.jacfwd),
                              (torch.func.jacrev, torch.func.jacrev)]:
            def total(function):
                return first(second(lambda x: function(x).sum()))(x)

            torch.testing.assert_close(total(trial.soft_sign), total(soft_sign))
        batch = torch.randn(3, 4)
        gradients = torch.func.vmap(torch.func.grad(lambda x: trial.soft_sign(x).sum()))(batch)
        torch.testing.assert_close(gradients, 1 / (1 + batch.abs()).square())

    def test_vmap_under_compile(self):
        batch = torch.randn(3, 4)

        def mapped(batch):
            return torch.vmap(lambda x: trial.axpy(trial.soft_sign(x), x[0]))(batch)

        torch.testing.assert_close(torch.compile(mapped, fullgraph=True)(batch), mapped(batch))


class Subclass(torch.Tensor):
    """Lists the operators that it sees."""
    seen = []

    @staticmethod
    def __new__(cls, plain):
        result = torch.Tensor._make_wrapper_subclass(cls, plain.shape, dtype=plain.dtype)
        result.plain = plain
        return result

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        cls.seen.append(str(function))
        plain = [each.plain if isinstance(each, Subclass) else each for each in arguments]
        return cls(function(*plain, **(keywords or {})))


class Eager(unittest.TestCase):
    def test_kernels_serve_calls_that_nobody_follows(self):
        with torch.profiler.profile() as profile:
            trial.soft_sign(torch.ones(3))
        names = {event.name for event in profile.events()}
        self.assertEqual(names - {'aten::ones', 'aten::fill_'}, {'trial::soft_sign', 'aten::empty'})

    def test_subclasses_see_what_is_computed(self):
        x = torch.randn(3)
        torch.testing.assert_close(trial.soft_sign(Subclass(x)).plain, soft_sign(x))
        self.assertIn('aten.div.Tensor', Subclass.seen)

    def test_errors_name_the_operator(self):
        with self.assertRaisesRegex(RuntimeError, "result type Float can't be cast to the desired output type Long"):
            make_fx(lambda x, y: trial.axpy_(x, y))(torch.tensor([1]), torch.tensor([1.5]))
        with self.assertRaisesRegex(RuntimeError, 'vmap: trial::axpy_'):
            torch.vmap(lambda y: trial.axpy_(torch.zeros(2), y))(torch.randn(3, 2))


if __name__ == '__main__':
    unittest.main()
