"""test_dynamic_sizes.py LIBRARY: programs of several operators, compiled or exported once for inputs of all sizes. The build emits
tests of single operators."""
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
from geometry_ops_tests.operator_tests import Make
from samples import samples

geometry = torch.ops.geometry
SIZES = range(7, 18)


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

    def check_one_compilation(self, function, arguments, **options):
        counter = CompileCounterWithBackend('aot_eager')
        compiled = torch.compile(function, fullgraph=True, backend=counter, **options)
        for size in SIZES:
            own = pytree.tree_map_only(torch.Tensor, torch.Tensor.detach, arguments(size))
            copies = pytree.tree_map_only(torch.Tensor, torch.clone, own)
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

    def test_inductor(self):
        compiled = torch.compile(lambda *x: geometry.roi_align(*x) * 2 + 1, fullgraph=True, dynamic=True)
        for size in [7, 9, 12]:
            arguments = next(arguments for name, arguments in samples(Make(size, torch.float)) if name == 'roi_align')
            torch.testing.assert_close(compiled(*arguments), geometry.roi_align(*arguments) * 2 + 1)

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
