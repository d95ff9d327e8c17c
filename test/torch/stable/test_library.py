"""test_library.py LIBRARY: tests of the operators in kernels/, in any PyTorch that has the library's stable ABI."""
import pathlib
import subprocess
import sys
import unittest

import torch
from torch.library import opcheck

LIBRARY = pathlib.Path(sys.argv.pop(1))
torch.ops.load_library(str(LIBRARY))
trial = torch.ops.stable_trial
VERSION = tuple(map(int, torch.__version__.split('.')[:2]))


class Values(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x = torch.randn(3, 4)

    def assert_equal(self, actual, expected):
        torch.testing.assert_close(actual, expected, check_stride=True)

    def test_variants(self):
        for x in self.x, self.x.t():
            self.assert_equal(trial.scale(x), x * 2)
            self.assert_equal(trial.scale(x, 0.5, torch.ones(1)), x * 0.5 + 1)
            y = x.clone()
            self.assertIs(trial.scale_(y, 3), y)
            self.assert_equal(y, x * 3)
            out = torch.empty_like(x)
            self.assertIs(trial.scale(x, 3, out=out), out)
            self.assert_equal(out, x * 3)

    def test_several_outputs(self):
        low, high = trial.row_range(self.x, keepdim=True)
        self.assert_equal(low, self.x.amin(1, keepdim=True))
        self.assert_equal(high, self.x.amax(1, keepdim=True))
        low, high = torch.empty(0), torch.empty(0)
        trial.row_range(self.x, low=low, high=high)
        self.assert_equal(high, self.x.amax(1))

    def test_strides_that_the_kernel_needs(self):
        expected = self.x.repeat(2, 3)
        self.assertEqual(trial.tile(self.x, [2, 3]).stride(), (1, 6))
        torch.testing.assert_close(trial.tile(self.x, [2, 3]), expected)
        out = torch.empty(6, 12)
        trial.tile(self.x, [2, 3], out=out)
        self.assert_equal(out, expected)
        out = torch.empty(0)
        trial.tile(self.x, [2, 3], out=out)
        self.assertEqual(out.stride(), (1, 6))
        torch.testing.assert_close(out, expected)

    def test_lists_and_text(self):
        a, b = torch.randn(3), torch.randn(2)
        self.assert_equal(trial.join([a, b]), torch.cat([a, b]))
        self.assertEqual(len(trial.copies(a, 3)), 3)
        self.assert_equal(trial.copies(a)[1], a)
        self.assertEqual((trial.measure(self.x, 'four'), trial.measure(self.x, '')), (8, -1))
        trial.clear_(a)
        self.assert_equal(a, torch.zeros(3))

    def test_composite(self):
        x = self.x.requires_grad_()
        trial.flip(x).sum().backward()
        self.assert_equal(x.grad, torch.ones(3, 4))
        self.assertEqual(trial.flip(x).data_ptr(), x.data_ptr())

    def test_wrong_shape_of_out_warns(self):
        # Before 2.15, warnings of the stable ABI do not become warnings of Python.
        code = ('import sys, torch\n'
                'torch.ops.load_library(sys.argv[1])\n'
                'print(torch.ops.stable_trial.join([torch.ones(2)], out=torch.empty(3)).shape)\n')
        done = subprocess.run([sys.executable, '-c', code, LIBRARY], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, 'torch.Size([2])\n')
        self.assertIn('An output with one or more elements was resized since it had shape [3]', done.stderr)

    def test_composed_types(self):
        x = self.x
        self.assertEqual(trial.count_all(x, None, [], None, []), (0, 'none'))
        self.assertEqual(trial.count_all(x, [x, x], [x, None], ['a', 'b'], [True, False]), (103, 'b'))
        self.assertIsNone(trial.copy_if(x, False)[1])
        self.assert_equal(trial.copy_if(x, True)[1], x)

    def test_errors(self):
        x = self.x
        with self.assertRaisesRegex(RuntimeError, 'tile: expected a matrix, got a tensor with 1 dimensions'):
            trial.tile(torch.ones(2), [1, 1])
        with self.assertRaisesRegex(RuntimeError, 'Expected out tensor to have dtype Float, but got Double'):
            trial.scale(x, out=torch.empty(0, dtype=torch.double))
        with self.assertRaisesRegex(RuntimeError, 'some elements of the input tensor and the written-to tensor'):
            trial.join([x[0]], out=x[0, :4])
        with self.assertRaisesRegex(RuntimeError, 'more than one element of the written-to tensor'):
            trial.scale_(torch.ones(1).expand(3))
        trial.scale(x, out=x)

    def test_meta_tensors(self):
        self.assertEqual(trial.tile(torch.empty(2, 3, device='meta'), [2, 2]).shape, (4, 6))
        self.assertEqual(trial.join([torch.empty(2, device='meta')] * 2).shape, (4,))


class Compilers(unittest.TestCase):
    def test_opcheck(self):
        x = torch.randn(3, 4)
        for op, arguments in [(trial.scale.default, (x, 3.0)), (trial.scale.default, (x.t(), 3.0, torch.ones(1))),
                              (trial.row_range.default, (x,)), (trial.tile.default, (x, [2, 1])),
                              (trial.join.default, ([x[0], x[1]],)), (trial.copies.default, (x,)),
                              (trial.flip.default, (x,))]:
            with self.subTest(op=str(op)):
                opcheck(op, arguments)

    @unittest.skipIf(VERSION < (2, 12), 'the stable ABI of this PyTorch does not tell tags')
    def test_tags(self):
        self.assertIn(torch.Tag.pt2_compliant_tag, trial.tile.default.tags)
        self.assertIn(torch.Tag.pointwise, trial.scale.default.tags)

    def test_compile(self):
        def model(x):
            low, high = trial.row_range(trial.scale(x, 3.0))
            return trial.tile(trial.flip(x), [2, 1]) * 2, trial.join([low, high])

        for dynamic in [False, True]:
            torch.compiler.reset()
            compiled = torch.compile(model, fullgraph=True, dynamic=dynamic)
            for rows in [4, 6]:
                x = torch.randn(rows, 3)
                torch.testing.assert_close(compiled(x), model(x))

    def test_export(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return trial.tile(trial.scale(x), [1, 2])

        x = torch.randn(4, 3)
        program = torch.export.export(Model(), (x,))
        self.assertIn('stable_trial.tile.default', program.graph_module.code)
        torch.testing.assert_close(program.module()(x), Model()(x))


class Loading(unittest.TestCase):
    def test_operator_that_is_defined_already_is_left_out(self):
        code = ('import sys, torch\n'
                'library = torch.library.Library("stable_trial", "FRAGMENT")\n'
                'library.define("tile(Tensor self) -> Tensor")\n'
                'torch.ops.load_library(sys.argv[1])\n'
                'print(torch.ops.stable_trial.tile.default._schema, torch.ops.stable_trial.join([torch.ones(1)]).item())\n')
        done = subprocess.run([sys.executable, '-c', code, LIBRARY], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, 'stable_trial::tile(Tensor self) -> Tensor 1.0\n')
        self.assertIn('structured: cannot register stable_trial::tile(Tensor self, int[2] counts) -> Tensor', done.stderr)

    def test_library_uses_the_stable_abi_alone(self):
        done = subprocess.run(['nm', '-D', '--undefined-only', '--demangle', LIBRARY], capture_output=True, text=True,
                              check=True)
        symbols = [line.split(maxsplit=1)[1] for line in done.stdout.splitlines()]
        self.assertTrue(any(symbol.startswith('aoti_torch_') for symbol in symbols))
        self.assertEqual([symbol for symbol in symbols if symbol.startswith(('at::', 'c10::', 'torch::'))], [])


if __name__ == '__main__':
    unittest.main()
