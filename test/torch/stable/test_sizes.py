"""test_sizes.py LIBRARY: symbolic sizes in a library for the stable ABI, whose Python package has its meta functions."""
import importlib
import pathlib
import sys
import unittest

import torch
import torch._dynamo.testing
from torch.export import Dim

PACKAGE = pathlib.Path(sys.argv.pop(1)).absolute().parent
sys.path.insert(0, str(PACKAGE.parent))
importlib.import_module(PACKAGE.name)
ops = torch.ops.stable_trial


class Sizes(unittest.TestCase):
    def test_the_package_replaces_the_kernels_for_meta(self):
        x = torch.empty(3, 4, device="meta")
        low, high = ops.row_range(x, True)
        self.assertEqual((low.shape, high.shape), ((3, 1), (3, 1)))
        self.assertEqual(ops.tile(x, [2, 3]).stride(), (1, 6))
        with self.assertRaisesRegex(RuntimeError, "row_range: expected rows with elements"):
            ops.row_range(torch.empty(3, 0, device="meta"))

    def test_variants_have_their_rules(self):
        x, out = torch.empty(3, 4, device="meta"), torch.empty(0, device="meta")
        self.assertIs(ops.scale_(x), x)
        self.assertIs(ops.scale.out(x, out=out), out)
        self.assertEqual(out.shape, (3, 4))
        with self.assertRaisesRegex(RuntimeError, "Expected out tensor to have dtype"):
            ops.scale.out(x, out=torch.empty(0, dtype=torch.half, device="meta"))

    def test_one_compilation_serves_eleven_sizes(self):
        for make, call in [
            (lambda n: (torch.randn(n, 40),), lambda x: ops.scale(x) + 1),
            (lambda n: (torch.randn(2 * n, 3 * n + 40),), lambda x: ops.row_range(x, keepdim=True)),
            (lambda n: (torch.randn(2 * n, 3 * n + 40),), lambda x: ops.tile(x, [2, 3]) + 1),
            (lambda n: (torch.randn(2 * n), torch.randn(3 * n + 40)), lambda x, y: ops.join([x, y]) + 1),
        ]:
            with self.subTest(call.__code__.co_names):
                torch._dynamo.reset()
                counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
                compiled = torch.compile(call, backend=counter, fullgraph=True, dynamic=True)
                for size in range(5, 16):
                    arguments = make(size)
                    torch.testing.assert_close(compiled(*arguments), call(*arguments))
                self.assertEqual(counter.frame_count, 1)

    def test_an_export_keeps_dimensions(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return ops.tile(x, [2, 1]) * 2

        program = torch.export.export(Model(), (torch.randn(8, 9),), dynamic_shapes={"x": {0: Dim("rows"), 1: Dim("columns")}})
        for rows, columns in ((8, 9), (5, 2)):
            self.assertEqual(program.module()(torch.randn(rows, columns)).shape, (2 * rows, columns))

    def test_opcheck(self):
        for operator, arguments in [(ops.scale.default, (torch.randn(3, 4),)), (ops.row_range.default, (torch.randn(3, 4),)), (ops.tile.default, (torch.randn(3, 4), [2, 3])),
                                    (ops.join.default, ([torch.randn(3), torch.randn(5)],))]:
            with self.subTest(str(operator)):
                torch.library.opcheck(operator, arguments)


if __name__ == "__main__":
    unittest.main()
