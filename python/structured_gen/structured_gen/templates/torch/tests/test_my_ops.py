"""Tests of the operators of my_ops, by PyTorch's own checks."""
import pathlib
import sysconfig
import unittest

import torch

import my_ops

# The compiler's default backend compiles C++ that includes Python.h, which Debian's python3-dev has. Without it, operators are
# traced and called in the same way.
HAS_PYTHON_H = pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists()
BACKEND = 'inductor' if HAS_PYTHON_H else 'aot_eager'


def expected(x, limit=1.0):
    return limit * x / (limit + x.abs())


class SoftClip(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x = torch.randn(4, 5)

    def test_values(self):
        torch.testing.assert_close(my_ops.soft_clip(self.x), expected(self.x))
        torch.testing.assert_close(my_ops.soft_clip(self.x, limit=2.0), expected(self.x, 2.0))
        out = torch.empty(0)
        my_ops.soft_clip(self.x, out=out)
        torch.testing.assert_close(out, expected(self.x))
        y = self.x.clone()
        my_ops.soft_clip_(y)
        torch.testing.assert_close(y, expected(self.x))

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, 'expected a positive limit, got -1'):
            my_ops.soft_clip(self.x, -1)

    def test_opcheck(self):
        torch.library.opcheck(torch.ops.my_ops.soft_clip.default, (self.x.requires_grad_(), 2.0))
        torch.library.opcheck(torch.ops.my_ops.soft_clip_.default, (self.x.detach().clone(),))
        torch.library.opcheck(torch.ops.my_ops.soft_clip.out, (self.x.detach(),), {'out': torch.empty(4, 5)})

    def test_gradients(self):
        x = self.x.double().requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(my_ops.soft_clip, x))
        self.assertTrue(torch.autograd.gradgradcheck(my_ops.soft_clip, x))

    def test_compile(self):
        def model(x):
            return my_ops.soft_clip(x * 2, limit=3.0) + 1

        compiled = torch.compile(model, fullgraph=True, dynamic=True, backend=BACKEND)
        for rows in (4, 7):
            x = torch.randn(rows, 5)
            torch.testing.assert_close(compiled(x), model(x))


if __name__ == '__main__':
    unittest.main()
