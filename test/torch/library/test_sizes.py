"""Tests of meta functions that are translated to Python, for symbolic sizes. The argument is the library.

The translated functions are compared with those in C++, on sizes that are numbers; compilers and exporters then call them with
symbols."""
import importlib
import itertools
import pathlib
import sys
import unittest
import warnings

import torch

HAS_TRANSLATIONS = hasattr(torch.library, "register_fake")  # PyTorch 2.4
ops = torch.ops.trial
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool,
          torch.complex64]


def layouts(sizes, dtype):
    """Meta tensors of these sizes: contiguous, transposed, with every other element, and expanded."""
    contiguous = torch.empty(sizes, dtype=dtype, device="meta")
    yield contiguous
    if len(sizes) > 1:
        yield torch.empty(sizes[::-1], dtype=dtype, device="meta").permute(*range(len(sizes))[::-1])
    if len(sizes) == 4:
        yield contiguous.to(memory_format=torch.channels_last)
    if sizes:
        yield torch.empty([2 * size for size in sizes], dtype=dtype, device="meta")[tuple(slice(None, None, 2) for _ in sizes)]


def result_of(call):
    """Sizes, strides and dtypes of the results, or the kind of the error and its first line."""
    try:
        results = call()
    except Exception as error:  # pylint: disable=broad-except
        return type(error).__name__, str(error).split("\n")[0].split(" with arguments")[0].replace("_symbolic_", "")
    results = results if isinstance(results, (list, tuple)) else [results]
    return [(tuple(each.shape), each.stride(), each.dtype) for each in results]


def symbolic(name):
    """The operator that computes symbolic sizes, which a call with symbols would define."""
    if f"trial::_symbolic_{name}" not in torch._C._dispatch_get_all_op_names():
        ops._define_symbolic(f"trial::_symbolic_{name}")
    return getattr(ops, f"_symbolic_{name}")


def calls():
    """Operators with arguments: (name, arguments)."""
    images = [(3, 5, 6), (2, 3, 8, 8), (1, 1, 1, 1), (4, 4), (2, 0, 5, 5)]
    for sizes, dtype in itertools.product(images, DTYPES):
        for image in layouts(sizes, dtype):
            for window, step, padding in [([2, 2], [], [0, 0]), ([3, 1], [1, 2], [1, 1]), ([0, 1], [1, 1], [0, 0])]:
                yield "windows", (image, window, step, padding)
    for sizes, dtype in itertools.product([(), (4,), (2, 3), (2, 3, 4)], DTYPES):
        for tensor in layouts(sizes, dtype):
            for dims, keepdim, result in [([], False, None), ([0], True, None), ([-1], False, torch.double), ([0, 1], False, None),
                                          ([0, 0], False, None), ([3], True, None)]:
                yield "total", (tensor, dims, keepdim, result)
            for dim, block, rest in [(0, 2, "drop"), (-1, 3, "pad"), (0, 2, "forbid"), (0, 0, "drop"), (1, 1, "no")]:
                yield "blocks", (tensor, dim, block, rest)
            for kind, scale in [(0, 1), (2, 0.5), (3, 1), (1, -1)]:
                yield "norms", (tensor, kind, scale)
            if sizes:
                yield "in_rows", (tensor, 7, None)
                yield "in_rows", (tensor, -1, [2])
                yield "in_rows", (tensor, 0, [2, 3])
    for a, b in itertools.product(DTYPES, DTYPES):
        yield "join", ([torch.empty(2, 3, dtype=a, device="meta"), torch.empty(4, 3, dtype=b, device="meta")], 0)
        yield "join", ([torch.empty(0, dtype=a, device="meta"), torch.empty(4, 3, dtype=b, device="meta")], -1)
        yield "join", ([torch.empty(2, 3, dtype=a, device="meta"), torch.empty(4, 2, dtype=b, device="meta")], 0)
        yield "pairs", (torch.empty(2, 3, 4, dtype=a, device="meta"), torch.empty(5, dtype=b, device="meta"))
        yield "pairs", (torch.empty(2, dtype=a, device="meta"), torch.empty(5, 1, dtype=b, device="meta"))
        rows, weight = torch.empty(2, 3, dtype=a, device="meta"), torch.empty(3, 4, dtype=b, device="meta")
        for bias in (None, torch.empty(4, device="meta"), torch.empty(3, device="meta")):
            yield "affine", (rows, weight, bias)


@unittest.skipUnless(HAS_TRANSLATIONS, "torch.library.register_fake is not in this PyTorch")
class Translations(unittest.TestCase):
    def test_are_equal_to_the_functions_in_cpp(self):
        count = errors = 0
        for name, arguments in calls():
            operator = getattr(ops, name).default
            names = [each.name for each in operator._schema.arguments if each.kwarg_only]
            inputs = arguments[:len(arguments) - len(names)]
            keywords = dict(zip(names, arguments[len(inputs):]))
            expected = result_of(lambda: operator(*inputs, **keywords))
            found = result_of(lambda: symbolic(name)(*arguments, []))
            self.assertEqual(found, expected, (name, arguments))
            count += 1
            errors += isinstance(expected, tuple)
        self.assertGreater(count, 900)
        self.assertGreater(errors, 100)
        self.assertGreater(count - errors, 900)

    def test_take_the_dtype_of_outputs(self):
        out = torch.empty(0, dtype=torch.half, device="meta")
        self.assertEqual(symbolic("total")(torch.empty(2, 3, dtype=torch.int, device="meta"), [0], False, None, [out])[0].dtype,
                         torch.half)


def compiled_once(test, make, call):
    """Calls one compiled function with eleven sizes."""
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(call, backend=counter, fullgraph=True, dynamic=True)
    for size in (5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15):
        arguments = make(size)
        torch.testing.assert_close(compiled(*arguments), call(*arguments))
    test.assertEqual(counter.frame_count, 1)


@unittest.skipUnless(HAS_TRANSLATIONS, "torch.library.register_fake is not in this PyTorch")
class DynamicSizes(unittest.TestCase):
    def setUp(self):
        import torch._dynamo.testing
        torch._dynamo.config.capture_dynamic_output_shape_ops = True  # the default of later versions

    def test_one_compilation_serves_eleven_sizes(self):
        for make, call in [
            (lambda n: (torch.randn(2, 3, n, 2 * n + 1),), lambda x: ops.windows(x, [2, 3], [1, 2], 1) + 1),
            (lambda n: (torch.randn(n, 2 * n, 40),), lambda x: ops.total(x, [0, -1]) + 1),
            (lambda n: (torch.randn(n, 2 * n, 40),), lambda x: ops.total(x, [0], True, dtype=torch.double) + 1),
            (lambda n: (torch.randn(n, 40), torch.randn(2 * n, 40)), lambda x, y: ops.join([x, y]) + 1),
            (lambda n: (torch.randn(n, 40), torch.randn(40, 2 * n), torch.randn(2 * n)), lambda x, y, z: ops.affine(x, y, z)),
            (lambda n: (torch.randn(n, 40),), lambda x: ops.blocks(x, 0, 2, "pad") + 1),
            (lambda n: (torch.randn(n, 40).t(),), lambda x: ops.norms(x, 2) + 1),
            (lambda n: (torch.randn(n, 40),), lambda x: ops.norms_(x + 1, 2) + 1),
            (lambda n: (torch.randn(n, 40),), lambda x: ops.norms.out(x, 2, out=torch.empty_like(x)) + 1),
            (lambda n: (torch.randn(n, 40, 3), torch.randn(2 * n)), lambda x, y: ops.pairs(x, y) + 1),
            (lambda n: (torch.randn(40, 3), 3 * n), lambda x, n: ops.in_rows(x, n) + 1),
            (lambda n: (torch.randn(40, 3), 3 * n), lambda x, n: ops.in_rows(x, n - 1, [n, x.size(0)]) + 1),
            (lambda n: ((torch.arange(n) % 3).float(),), lambda x: ops.positions(x) + 1),
        ]:
            with self.subTest(call.__code__.co_names):
                compiled_once(self, make, call)

    def test_an_error_names_the_operator_as_in_cpp(self):
        compiled = torch.compile(lambda x: ops.windows(x, [9, 9]), backend="aot_eager", fullgraph=True, dynamic=True)
        with self.assertRaisesRegex(Exception, "windows: expected `self` to be no smaller than a window"):
            compiled(torch.randn(1, 2, 5, 6))

    def test_an_export_keeps_dimensions(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                return ops.windows(x, [2, 2]) * 2

        auto = torch.export.Dim.AUTO if hasattr(torch.export.Dim, "AUTO") else None
        if auto is None:
            self.skipTest("torch.export.Dim.AUTO is not in this PyTorch")
        program = torch.export.export(Model(), (torch.randn(1, 3, 8, 9),), dynamic_shapes={"x": {2: auto, 3: auto}})
        for sizes in ((1, 3, 8, 9), (1, 3, 4, 21), (1, 3, 31, 30)):
            x = torch.randn(sizes)
            self.assertEqual(program.module()(x).shape, ops.windows(x, [2, 2]).shape)

    def test_an_export_keeps_sizes_that_depend_on_data(self):
        class Model(torch.nn.Module):
            def forward(self, x, y):
                rows = y.index_select(0, ops.positions(x)[:, 0])
                return ops.affine(rows, torch.ones(4, 2))[0]

        rows = torch.export.Dim("rows", min=2)
        program = torch.export.export(Model(), (torch.tensor([1.0, 0, 2]), torch.randn(3, 4)),
                                      dynamic_shapes={"x": {0: rows}, "y": {0: rows}})
        self.assertEqual(program.module()(torch.tensor([1.0, 1, 2, 0]), torch.randn(4, 4)).shape, (3, 2))
        self.assertEqual(program.module()(torch.zeros(5), torch.randn(5, 4)).shape, (0, 2))

    def test_a_function_without_translation_fixes_sizes(self):
        if tuple(map(int, torch.__version__.split(".")[:2])) < (2, 9):
            self.skipTest("earlier versions print warnings of C++ to standard error")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            compiled = torch.compile(lambda x: ops.hashed(x), backend="aot_eager", fullgraph=True, dynamic=True)
            self.assertEqual(compiled(torch.randn(5)).shape, ops.hashed(torch.randn(5)).shape)
        self.assertIn("trial::hashed: the meta function computes sizes from numbers", " ".join(str(each.message) for each in seen))

    def test_opcheck(self):
        for operator, arguments in [
            (ops.windows.default, (torch.randn(2, 3, 5, 6), [2, 2])), (ops.total.default, (torch.randn(3, 4), [0])),
            (ops.join.default, ([torch.randn(2, 3), torch.randn(4, 3)],)),
            (ops.affine.default, (torch.randn(2, 3), torch.randn(3, 4))), (ops.blocks.default, (torch.randn(5, 3), 0, 2)),
            (ops.norms.default, (torch.randn(5, 3),)), (ops.norms_.default, (torch.randn(5, 3),)),
            (ops.pairs.default, (torch.randn(5, 3), torch.randn(2))), (ops.positions.default, (torch.tensor([1.0, 0, 1]),)),
        ]:
            with self.subTest(str(operator)):
                torch.library.opcheck(operator, arguments)


if __name__ == "__main__":
    package = pathlib.Path(sys.argv.pop(1)).resolve().parent
    sys.path.insert(0, str(package.parent))
    importlib.import_module(package.name)
    unittest.main()
