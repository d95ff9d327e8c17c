"""test_dynamic_sizes.py LIBRARY: one program of a compiler for inputs of all sizes, for each operator in kernels/."""
import pathlib
import sys
import unittest

import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch.export import Dim
from torch.utils import _pytree as pytree

import reference

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).absolute().parent.parent))
import geometry_ops  # registers the operators

geometry = torch.ops.geometry
SIZES = range(7, 18)
WITHOUT_DERIVATIVES = geometry.scatter_max_, geometry.farthest_points


def sized(size):
    """Yields operators and arguments whose sizes depend on `size`, an integer from 7 on. No two dimensions that may differ
    have equal sizes, as a compiler would take these for one."""
    def random(*sizes):
        return torch.randn(*sizes, requires_grad=True)

    images = random(size, 3, size + 10, size + 20)
    yield 'roi_align', (images, reference.rois(size + 1, size, torch.float), [2, 2])
    positions = size + 8, size + 19
    yield 'deform_conv2d', (images, random(6, 3, 3, 2), random(size, 12, *positions), random(size, 6, *positions), random(6))
    yield 'deform_conv2d', (images, random(6, 1, 3, 2), random(size, 12, (size + 9) // 2 + 1, size + 19), None, None, [2, 1], [1, 0])
    offsets = torch.cat([torch.arange(size), torch.tensor([size + 10])])
    yield 'segment_sum', (random(size + 10, 3), offsets)
    yield 'segment_max', (random(size + 10, 3), offsets)
    index = torch.arange(size) % 3
    yield 'scatter_max', (random(size, 3), index, 5)
    yield 'scatter_max', (random(size, 3), index, size + 4)
    yield 'scatter_max', (random(size, 3), index, size + 4, random(size + 4, 3))
    yield 'scatter_max_', (random(size + 5, 3).detach(), random(size, 3).detach(), index)
    bounds = torch.tensor([0, 5, size + 10]), torch.tensor([0, 3, size + 20])
    yield 'knn', (random(size + 10, 3), random(size + 20, 3), *bounds, 4)
    yield 'farthest_points', (random(size + 10, 3).detach(), bounds[0], 4)
    yield 'grouped_matmul', ([random(size, size + 10), random(size + 20, 3)], [random(size + 10, size + 30), random(3, 2)])
    yield 'box_loss', (random(size, 4), random(4))


class Call(torch.nn.Module):
    def __init__(self, operator):
        super().__init__()
        self.operator = operator

    def forward(self, *arguments):
        return self.operator(*arguments)


class Detector(torch.nn.Module):
    """Pools features from the boxes that nms keeps, whose number depends on data."""

    def forward(self, images, boxes, scores):
        kept = geometry.nms(boxes, scores, 0.3)
        rois = torch.cat([boxes.new_zeros(kept.shape[0], 1), boxes[kept]], 1)
        return geometry.roi_align(images, rois, [2, 2]), kept

    @staticmethod
    def arguments(size):
        return torch.randn(1, 3, size + 10, size + 20), reference.boxes(size, torch.float), torch.rand(size)


class DynamicSizes(unittest.TestCase):
    """One program for all sizes."""

    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()

    def check_cases(self, check):
        """Calls `check(operator, arguments)` for each operator, where `arguments(size)` returns arguments."""
        for number, (name, _) in enumerate(sized(7)):
            def arguments(size, number=number):
                return list(sized(size))[number][1]

            with self.subTest(name=name, number=number):
                torch._dynamo.reset()
                check(getattr(geometry, name), arguments)

    def check_one_compilation(self, function, arguments, prepare=lambda arguments: None, **options):
        counter = CompileCounterWithBackend('aot_eager')
        compiled = torch.compile(function, fullgraph=True, backend=counter, **options)
        for size in SIZES:
            own = pytree.tree_map_only(torch.Tensor, torch.Tensor.detach, arguments(size))
            copies = pytree.tree_map_only(torch.Tensor, torch.clone, own)
            prepare(own)
            torch.testing.assert_close(compiled(*own), function(*copies))
            torch.testing.assert_close(own, copies)
        self.assertEqual(counter.frame_count, 1)

    def dynamic_shapes(self, arguments):
        """Returns `Dim.DYNAMIC` for each dimension and integer that depends on the size."""
        def shape(x, y):
            if isinstance(x, torch.Tensor):
                return {dim: Dim.DYNAMIC for dim in range(x.dim()) if x.shape[dim] != y.shape[dim]}
            return None if x == y else Dim.DYNAMIC

        return pytree.tree_map(shape, arguments(SIZES[0]), arguments(SIZES[-1]))

    def test_one_compilation_for_eleven_sizes(self):
        self.check_cases(lambda operator, arguments:
                         self.check_one_compilation(lambda *x: operator(*x), arguments, dynamic=True))

    def test_marked_dimensions(self):
        def check(operator, arguments):
            def mark(own):
                for x, y in zip(pytree.tree_leaves(own), pytree.tree_leaves(arguments(30))):
                    if isinstance(x, torch.Tensor):
                        for dim in range(x.dim()):
                            if x.shape[dim] != y.shape[dim]:
                                torch._dynamo.mark_dynamic(x, dim)

            # Integers cannot be marked.
            if not any(isinstance(x, int) and x != y for x, y in zip(arguments(SIZES[0]), arguments(SIZES[-1]))):
                self.check_one_compilation(lambda *x: operator(*x), arguments, mark)

        self.check_cases(check)

    def test_gradients(self):
        def gradients(function, arguments):
            leaves = [x for x in pytree.tree_leaves(arguments) if isinstance(x, torch.Tensor) and x.requires_grad]
            results = [x for x in pytree.tree_leaves(function(*arguments)) if x.requires_grad]
            return torch.autograd.grad(sum(x.square().sum() for x in results), leaves)

        def check(operator, arguments):
            counter = CompileCounterWithBackend('aot_eager')
            compiled = torch.compile(lambda *x: operator(*x), fullgraph=True, backend=counter, dynamic=True)
            for size in SIZES:
                own = arguments(size)
                torch.testing.assert_close(gradients(compiled, own), gradients(operator, own))
            self.assertEqual(counter.frame_count, 1)

        self.check_cases(lambda operator, arguments:
                         None if operator in WITHOUT_DERIVATIVES else check(operator, arguments))

    def test_inductor(self):
        compiled = torch.compile(lambda *x: geometry.roi_align(*x) * 2 + 1, fullgraph=True, dynamic=True)
        for size in [7, 9, 12]:
            _, arguments = next(sized(size))
            torch.testing.assert_close(compiled(*arguments), geometry.roi_align(*arguments) * 2 + 1)

    def test_export(self):
        def check(operator, arguments):
            program = torch.export.export(Call(operator), arguments(7), dynamic_shapes={'arguments': self.dynamic_shapes(arguments)})
            for size in SIZES:
                own = pytree.tree_map_only(torch.Tensor, torch.Tensor.detach, arguments(size))
                copies = pytree.tree_map_only(torch.Tensor, torch.clone, own)
                torch.testing.assert_close(program.module()(*own), operator(*copies))
                torch.testing.assert_close(own, copies)

        self.check_cases(check)

    def test_export_with_named_dimensions(self):
        class Pool(torch.nn.Module):
            def forward(self, images, boxes):
                return geometry.roi_align(images, boxes, [2, 2])

        batch, height, width, count = Dim('batch'), Dim('height'), Dim('width'), Dim('count')
        program = torch.export.export(Pool(), (torch.randn(3, 3, 8, 9), reference.rois(4, 3, torch.float)),
                                      dynamic_shapes=({0: batch, 2: height, 3: width}, {0: count}))
        for size in SIZES:
            arguments = torch.randn(size, 3, size + 1, size + 2), reference.rois(size + 3, size, torch.float)
            torch.testing.assert_close(program.module()(*arguments), Pool()(*arguments))

    def test_export_of_unbacked_sizes(self):
        program = torch.export.export(Detector(), Detector.arguments(7),
                                      dynamic_shapes=self.dynamic_shapes(Detector.arguments))
        for size in SIZES:
            arguments = Detector.arguments(size)
            torch.testing.assert_close(program.module()(*arguments), Detector()(*arguments))

    def test_compilation_of_unbacked_sizes(self):
        with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
            self.check_one_compilation(Detector(), Detector.arguments, dynamic=True)


if __name__ == '__main__':
    unittest.main()
