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


def expected(x, value=1.0):
    return torch.cat([x, torch.full((x.shape[0], 1), value, dtype=x.dtype)], dim=1)


class AddColumn(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x = torch.randn(4, 5)

    def test_values(self):
        torch.testing.assert_close(my_ops.add_column(self.x), expected(self.x))
        torch.testing.assert_close(my_ops.add_column(self.x, 2.0), expected(self.x, 2.0))
        out = torch.empty(0)
        my_ops.add_column(self.x, out=out)
        torch.testing.assert_close(out, expected(self.x))

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, 'expected a matrix, got a tensor with 1 dimensions'):
            my_ops.add_column(self.x[0])

    def test_opcheck(self):
        torch.library.opcheck(torch.ops.my_ops.add_column.default, (self.x.requires_grad_(), 2.0))

    def test_gradients(self):
        x = self.x.double().requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(my_ops.add_column, x))
        self.assertTrue(torch.autograd.gradgradcheck(my_ops.add_column, x))

    def test_compile(self):
        def model(x):
            return my_ops.add_column(x * 2, 3.0) + 1

        torch.testing.assert_close(torch.compile(model, fullgraph=True, backend=BACKEND)(self.x), model(self.x))


if __name__ == '__main__':
    unittest.main()
