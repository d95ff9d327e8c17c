"""test_layers.py LIBRARY: derivatives, functional variants and batching rules of operators for the stable ABI, which the Python package
registers."""
import importlib
import pathlib
import sys
import unittest

import torch
from torch.autograd import forward_ad, gradcheck, gradgradcheck
from torch.library import opcheck

trial = torch.ops.stable_trial


def numbers(*sizes, dtype=torch.double):
    return torch.randn(sizes, dtype=dtype).requires_grad_()


def expected_product(self, other, factor=1.0):
    return factor * self * other


class Layers(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_both_orders(self):
        a, b = numbers(3, 4), numbers(3, 4)
        for function, arguments in [
                (lambda a, b: trial.product(a, b, 2.5), (a, b)), (lambda a, b: trial.product(a, b), (a, b.detach())),
                (lambda a, b: trial.product(a.t(), b.t()), (a, b)), (trial.cubed, (a,)),
                (lambda a, b, w: trial.weighted([a, b], w), (a, b, numbers(3, 4))),
                (lambda a, b, w: trial.weighted([a, b], w)[0], (a, b, numbers(3, 4))),
                (lambda a, b, w: trial.weighted([a, b], w)[1], (a, b, numbers(3, 4))),
                (lambda a, b: trial.weighted([a, a, b], None), (a, b)), (lambda a: trial.weighted([a], None), (a,)),
                (lambda a, b: trial.product_(a * 2, b, 3), (a, b)),
                (lambda a, b: trial.product_(a * 2, trial.cubed(b)), (a, b))]:
            self.assertTrue(gradcheck(function, arguments))
            self.assertTrue(gradgradcheck(function, arguments))

    def test_a_call_without_gradients_is_not_recorded(self):
        a, b = numbers(3), numbers(3)
        self.assertFalse(trial.product(a.detach(), b.detach()).requires_grad)
        with torch.no_grad():
            self.assertFalse(trial.product(a, b).requires_grad)
        self.assertIn('ProductBackward', str(trial.product(a, b).grad_fn))
        with torch.inference_mode():
            self.assertFalse(trial.product(torch.ones(3), torch.ones(3)).requires_grad)

    def test_an_in_place_call_changes_the_version(self):
        a, b = torch.ones(3), torch.ones(3)
        before = a._version
        self.assertIs(trial.product_(a, b, 3), a)
        self.assertGreater(a._version, before)
        leaf = numbers(3)
        with self.assertRaisesRegex(RuntimeError, 'leaf Variable that requires grad'):
            trial.product_(leaf, leaf.detach())
        saved = leaf * 1
        result = trial.product(saved, saved)
        trial.product_(saved, leaf.detach())
        with self.assertRaisesRegex(RuntimeError, 'modified by an inplace operation'):
            result.sum().backward()
        saved = leaf * 1
        result = trial.cubed(saved)
        saved.mul_(2)
        with self.assertRaisesRegex(RuntimeError, '`self` was modified in place since the call'):
            result.sum().backward()

    def test_a_package_may_be_loaded_again(self):
        importlib.reload(sys.modules['stable_ops'])
        self.assertTrue(gradcheck(trial.product, (numbers(3), numbers(3))))

    def test_transforms(self):
        from torch.func import grad, jacrev, vjp, vmap
        a, b = numbers(3).detach(), numbers(3).detach()
        transforms = {
            'grad': lambda f: grad(lambda a: f(a, b).sum())(a),
            'grad of grad': lambda f: grad(lambda a: grad(lambda a: (f(a, a) ** 2).sum())(a).sum())(a),
            'vmap of grad': lambda f: vmap(grad(lambda a: f(a[None], a[None], 3.0).sum()))(a),
            'grad of vmap of grad': lambda f: grad(lambda a: vmap(grad(lambda a: (f(a[None], a[None]) ** 2).sum()))(a).sum())(a),
            'jacrev': lambda f: jacrev(f)(a, b), 'jacrev of jacrev': lambda f: jacrev(jacrev(lambda a: f(a, a) ** 2))(a),
            'vjp': lambda f: vjp(f, a, b)[1](torch.ones(3, dtype=torch.double)),
            'grad beside requires_grad': lambda f: torch.autograd.grad(
                grad(lambda a: (f(a, a) ** 2).sum())(leaf).sum(), leaf)[0]}
        leaf = a.clone().requires_grad_()
        for name, transform in transforms.items():
            with self.subTest(name):
                torch.testing.assert_close(transform(trial.product), transform(expected_product))

    def test_forward_mode(self):
        from torch.func import hessian, jacfwd, jacrev, jvp, vmap
        a, b = numbers(3), numbers(3)
        for function, arguments in [
                (lambda a, b: trial.product(a, b, 2.5), (a, b)), (lambda a, b: trial.product(a, b), (a, b.detach())),
                (trial.cubed, (a,)), (lambda a, b, w: trial.weighted([a, b], w), (a, b, numbers(3))),
                (lambda a, b: trial.product_(a * 2, b, 3), (a, b))]:
            self.assertTrue(gradcheck(function, arguments, check_forward_ad=True))
            self.assertTrue(gradgradcheck(function, arguments, check_fwd_over_rev=True))
        with forward_ad.dual_level():
            self.assertIsNone(forward_ad.unpack_dual(trial.product(a.detach(), b.detach())).tangent)
        a, b = a.detach(), b.detach()
        transforms = {
            'jvp': lambda f: jvp(f, (a, b), (b, a)), 'jvp of one': lambda f: jvp(lambda a: f(a, b), (a,), (b,)),
            'jacfwd': lambda f: jacfwd(f)(a, b), 'hessian': lambda f: hessian(lambda a: (f(a, b) ** 2).sum())(a),
            'jacfwd of jacfwd': lambda f: jacfwd(jacfwd(lambda a: f(a, a) ** 2))(a),
            'jacrev of jacfwd': lambda f: jacrev(jacfwd(lambda a: (f(a, a) ** 2).sum()))(a),
            'vmap of jvp': lambda f: vmap(lambda a, b: jvp(f, (a[None], b[None]), (b[None], a[None])))(a, b)}
        for name, transform in transforms.items():
            with self.subTest(name):
                torch.testing.assert_close(transform(trial.product), transform(expected_product))

    def test_batches(self):
        from torch.func import vmap
        a, b, k = torch.randn(5, 3), torch.randn(3, 5), torch.randn(3)
        torch.testing.assert_close(vmap(trial.product, (0, 1))(a, b), a * b.t())
        torch.testing.assert_close(vmap(trial.product, (0, None))(a, k), a * k)
        torch.testing.assert_close(vmap(vmap(lambda a, b: trial.product(a[None], b[None])[0]))(a, b.t()), a * b.t())
        first, last = vmap(lambda a, b: trial.weighted([a, b, a], b), (0, 1), (0, 1))(a, b)
        torch.testing.assert_close((first, last.t()), (a * b.t(), a * b.t()))
        c = a.clone()
        vmap(lambda a, b: trial.product_(a, b, 2.0), (0, 1))(c, b)
        torch.testing.assert_close(c, 2 * a * b.t())
        with self.assertRaisesRegex(RuntimeError, 'cannot write to its first argument, which has no batch dimension'):
            vmap(lambda b: trial.product_(k, b))(a)
        with self.assertRaisesRegex(RuntimeError, 'vmap over a dimension of size 0'):
            vmap(trial.product)(torch.empty(0, 3), torch.empty(0, 3))

    def test_compilers(self):
        compilations = []

        def count(graph, example):
            compilations.append(graph)
            return graph.forward

        from torch._dynamo.backends.common import aot_autograd
        function = torch.compile(lambda a, b: trial.product(trial.cubed(a), b, 2.0).sum(), fullgraph=True, dynamic=True,
                                 backend=aot_autograd(fw_compiler=count))
        for size in 3, 5, 7:
            a, b = numbers(size, 2), numbers(size, 2)
            found = torch.autograd.grad(function(a, b), (a, b))
            torch.testing.assert_close(found, torch.autograd.grad((2 * a ** 3 * b).sum(), (a, b)))
        self.assertEqual(len(compilations), 2)  # forward and backward
        torch._dynamo.reset()
        inductor = torch.compile(lambda a, b: trial.product(trial.cubed(a), b, 2.0).sum(), fullgraph=True)
        torch.testing.assert_close(torch.autograd.grad(inductor(a, b), a), torch.autograd.grad((2 * a ** 3 * b).sum(), a))

    def test_compilers_see_functional_variants(self):
        def function(a, b):
            x = trial.scale(a, 2.0)
            trial.scale_(x, 3.0)
            trial.scale(x, 0.5, out=b)
            low, high = torch.empty(3), torch.empty(3)
            trial.row_range(x, low=low, high=high)
            return x, low + high

        a, b = torch.randn(3, 4), torch.empty(3, 4)
        expected_b = torch.empty(3, 4)
        expected = function(a, expected_b)
        for backend in 'aot_eager', 'inductor':
            torch._dynamo.reset()
            b = torch.empty(3, 4)
            torch.testing.assert_close(torch.compile(function, backend=backend, fullgraph=True)(a, b), expected)
            torch.testing.assert_close(b, expected_b)

    def test_opcheck(self):
        a, b = numbers(3, 4), numbers(3, 4)
        opcheck(trial.product.default, (a, b, 2.0))
        opcheck(trial.product_.default, (numbers(3, 4).detach(), b.detach(), 2.0))
        opcheck(trial.cubed.default, (a,))
        opcheck(trial.weighted.default, ([a, b], numbers(3, 4)))


if __name__ == '__main__':
    package = pathlib.Path(sys.argv.pop(1)).resolve().parent
    sys.path.insert(0, str(package.parent))
    importlib.import_module(package.name)
    unittest.main()
