"""test_geometry.py LIBRARY: tests of the operators in kernels/ against reference.py, and with PyTorch's own tests of operators. The
build emits tests of all operators, by opcheck, gradcheck, compilers and exporters, with the arguments in samples.py."""
import pathlib
import sys
import unittest

import torch
from torch.testing._internal.optests import dontGenerateOpCheckTests, generate_opcheck_tests
from torch.utils import _pytree as pytree

import reference

LIBRARY = pathlib.Path(sys.argv.pop(1)).absolute()
sys.path.insert(0, str(LIBRARY.parent.parent))
import geometry_ops
from geometry_ops_tests.operator_tests import Make
from samples import samples

geometry = torch.ops.geometry

DTYPES = torch.float, torch.double


class Values(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def compare(self, name, *arguments):
        actual, expected = getattr(geometry, name)(*arguments), getattr(reference, name)(*arguments)
        torch.testing.assert_close(actual, expected)

    def compare_samples(self, *names):
        for dtype in DTYPES:
            for name, arguments in samples(Make(7, dtype)):
                if name in names:
                    with self.subTest(name=name, dtype=dtype):
                        self.compare(name, *arguments)

    def test_nms(self):
        self.compare_samples('nms')
        boxes, scores = reference.boxes(30), torch.rand(30).double()
        for threshold in [0.0, 0.5, 1.0]:
            self.compare('nms', boxes, scores, threshold)
        self.compare('nms', boxes, torch.ones(30).double(), 0.2)
        self.assertEqual(geometry.nms(torch.empty(0, 4), torch.empty(0), 0.5).shape, (0,))

    def test_roi_align(self):
        self.compare_samples('roi_align')
        images = torch.randn(2, 3, 6, 5, dtype=torch.double).to(memory_format=torch.channels_last)
        outside = torch.tensor([[1, -4, -3, 9, 2], [0, 2, 3, 2, 3], [0, 20, 20, 30, 30]], dtype=torch.double)
        for ratio, aligned in [(0, True), (0, False), (3, False)]:
            self.compare('roi_align', images, outside, [3, 2], 0.5, ratio, aligned)
        self.assertEqual(geometry.roi_align(images, outside[:0], [3, 2]).shape, (0, 3, 3, 2))

    def test_deform_conv2d(self):
        self.compare_samples('deform_conv2d')
        images, weight = torch.randn(2, 4, 7, 6), torch.randn(6, 2, 3, 3)
        torch.testing.assert_close(geometry.deform_conv2d(images, weight, torch.zeros(2, 36, 5, 4)),
                                   torch.nn.functional.conv2d(images, weight, groups=2))

    def test_segments(self):
        self.compare_samples('segment_sum', 'segment_max')
        self.assertEqual(geometry.segment_sum(torch.ones(0, 3), torch.tensor([0])).shape, (0, 3))

    @dontGenerateOpCheckTests('they compare results, and NaN equals nothing')
    def test_nan(self):
        values = torch.tensor([[1.0, torch.nan], [3.0, 2.0], [3.0, torch.nan]])
        highest, rows = geometry.segment_max(values, torch.tensor([0, 3]))
        torch.testing.assert_close(highest, torch.tensor([[3.0, torch.nan]]), equal_nan=True)
        self.assertEqual(rows.tolist(), [[1, 0]])

    def test_scatter_max(self):
        self.compare_samples('scatter_max')
        self.compare('scatter_max', torch.ones(0, 3), torch.zeros(0, dtype=torch.long), 2)
        self.compare('scatter_max', torch.randn(3, 4).t(), torch.tensor([1, 1, 0, 1]), 2, torch.zeros(2, 3))

    def test_scatter_max_in_place(self):
        for columns in [slice(None), slice(0, 4, 2)]:
            maxima, argmax = torch.randn(5, 4), torch.full((5, 4), 9)
            values, index = torch.randn(7, 4)[:, columns], torch.tensor([0, 0, 4, 1, 4, 0, 1])
            expected, rows = reference.scatter_max(values, index, 5, maxima[:, columns].clone())
            expected_rows = torch.where(rows < 0, argmax[:, columns], rows)
            version = maxima._version
            self.assertIsNone(geometry.scatter_max_(maxima[:, columns], values, index, argmax[:, columns]))
            torch.testing.assert_close(maxima[:, columns], expected)
            torch.testing.assert_close(argmax[:, columns], expected_rows)
            self.assertGreater(maxima._version, version)
            geometry.scatter_max_(maxima[:, columns], values, index)
            torch.testing.assert_close(maxima[:, columns], expected)

    def test_neighbours(self):
        self.compare_samples('knn', 'farthest_points')
        points, offsets = torch.randn(20, 2), torch.tensor([0, 12, 12, 20])
        self.compare('farthest_points', points, offsets, 8)
        self.compare('farthest_points', torch.zeros(5, 3), torch.tensor([0, 5]), 4)
        self.compare('knn', points, points.flip(1), offsets, offsets, 10)
        self.compare('knn', torch.zeros(5, 3), torch.zeros(1, 3), torch.tensor([0, 5]), torch.tensor([0, 1]), 3)

    def test_grouped_matmul(self):
        self.compare_samples('grouped_matmul')

    def test_box_loss(self):
        self.compare_samples('box_loss')


# Each test of `Values` again, with PyTorch's tests of each call of an operator.
class GeneratedOpchecks(Values):
    pass


generate_opcheck_tests(GeneratedOpchecks, ['geometry'], str(pathlib.Path(__file__).parent / 'failures_dict.json'))


class Package(unittest.TestCase):
    def test_functions_of_the_package(self):
        boxes = torch.tensor([[0.0, 0, 2, 2], [0, 0, 2, 1.9], [3, 3, 4, 4]])
        self.assertEqual(geometry_ops.nms(boxes, torch.tensor([0.2, 0.9, 0.5]), iou_threshold=0.5).tolist(), [1, 2])
        self.assertIn('intersection over union', (LIBRARY.parent / '__init__.pyi').read_text())


class Errors(unittest.TestCase):
    def test_messages(self):
        x, boxes, index = torch.ones(2, 3, 4, 5), torch.ones(2, 5), torch.tensor([0, 3])
        for message, name, *arguments in [
                (r'nms: expected `boxes` with sizes \[N, 4\], got \[2, 5\]', 'nms', boxes, x[0, 0, 0], 0.5),
                (r'nms: expected `scores` with sizes \[2\], as many as boxes, got \[5\]', 'nms', boxes[:, :4], x[0, 0, 0], 0.5),
                (r'nms: expected `iou_threshold` between 0 and 1, got 2', 'nms', boxes[:, :4], boxes[:, 0], 2.0),
                (r'roi_align: expected `input` with 4 dimensions, got sizes \[4, 5\]', 'roi_align', x[0, 0], boxes, [2, 2]),
                (r'roi_align: expected `boxes` of dtype Float, that of `input`, got Double', 'roi_align', x, boxes.double(), [2, 2]),
                (r'roi_align: expected a positive `output_size`, got \[0, 2\]', 'roi_align', x, boxes, [0, 2]),
                (r'roi_align: expected indices of 2 images in the first column of `boxes`, got 5', 'roi_align', x, 5 * boxes, [2, 2]),
                (r'deform_conv2d: expected `weight` for equal groups of 3 channels, got sizes \[4, 2, 3, 3\]', 'deform_conv2d',
                 x, torch.ones(4, 2, 3, 3), x),
                (r'deform_conv2d: expected a kernel that fits into `input`, got \[4, 3, 5, 3\] and \[2, 3, 4, 5\]', 'deform_conv2d',
                 x, torch.ones(4, 3, 5, 3), x),
                (r'deform_conv2d: expected `offset` with sizes \[2, 2 \* G \* 9, 2, 3\], where G divides 3, got \[2, 3, 4, 5\]',
                 'deform_conv2d', x, torch.ones(4, 3, 3, 3), x),
                (r'deform_conv2d: expected `bias` with sizes \[4\], got \[5\]', 'deform_conv2d', x, torch.ones(4, 3, 3, 3),
                 torch.ones(2, 18, 2, 3), None, x[0, 0, 0]),
                (r'segment_sum: expected `offsets` of dtype Long, got Int', 'segment_sum', boxes, index.int()),
                (r'segment_sum: expected `offsets` from 0 to 2, the number of rows, got 0 and 3', 'segment_sum', boxes, index),
                (r'segment_max: expected `offsets` that do not decrease, got 3 before 2', 'segment_max', boxes, torch.tensor([0, 3, 2])),
                (r'scatter_max: expected `index` with sizes \[5\], one for each row of `values`, got \[2\]', 'scatter_max',
                 boxes.t(), index, 4),
                (r'scatter_max: expected values of `index` from 0 to 2, got 3', 'scatter_max', boxes, index, 3),
                (r'scatter_max: expected `initial` with 4 rows of dtype Float, got 2 of dtype Float', 'scatter_max',
                 boxes, index, 4, boxes),
                (r'scatter_max_: expected `argmax` of dtype Long, got Float', 'scatter_max_', boxes, boxes, index, boxes),
                (r'knn: expected `queries` with sizes \[M, 5\], got \[5, 2\]', 'knn', boxes, boxes.t(), index, index, 1),
                (r'farthest_points: expected a positive `count`, got 0', 'farthest_points', boxes, index, 0),
                (r'grouped_matmul: expected matrices in `a\[1\]` and `b\[1\]` that can be multiplied, got sizes \[2, 5\] and \[2, 5\]',
                 'grouped_matmul', [boxes, boxes], [boxes.t(), boxes])]:
            with self.subTest(name=name), self.assertRaisesRegex(RuntimeError, message):
                getattr(geometry, name)(*arguments)


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_third_derivatives_of_deformable_convolution_are_refused(self):
        arguments = next(arguments for name, arguments in samples(Make(7, torch.double)) if name == 'deform_conv2d')
        arguments[2].requires_grad_()
        first, = torch.autograd.grad(geometry.deform_conv2d(*arguments).square().sum(), arguments[2], create_graph=True)
        second, = torch.autograd.grad(first.square().sum(), arguments[2], create_graph=True)
        with self.assertRaisesRegex(RuntimeError, 'geometry::_deform_columns_double_backward'):
            second.sum().backward()

    def test_segments_without_rows(self):
        values = torch.ones(0, 3, requires_grad=True)
        geometry.segment_max(values, torch.tensor([0, 0]))[0].sum().backward()
        self.assertEqual(values.grad.shape, (0, 3))


class Transforms(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_vmap(self):
        boxes, offsets = reference.rois(3, 2, torch.float), torch.tensor([0, 2, 5])
        images, rows = torch.randn(4, 2, 3, 6, 7), torch.randn(4, 5, 3)
        for call, dims, arguments in [
                (lambda x: geometry.roi_align(x, boxes, [2, 2]), 0, (images,)),
                (lambda x, y: geometry.deform_conv2d(x, y, torch.zeros(2, 8, 5, 6)), 0, (images, torch.randn(4, 2, 3, 2, 2))),
                (lambda x: geometry.segment_sum(x, offsets), 0, (rows,)),
                (lambda x: geometry.segment_sum(x, offsets), 2, (rows.permute(1, 2, 0),)),
                (lambda x: geometry.segment_max(x, offsets), 0, (rows,)),
                (lambda x: geometry.scatter_max(x, torch.tensor([1, 1, 0, 2, 1]), 3), 1, (rows.transpose(0, 1),)),
                (lambda x, y: geometry.knn(x, y, offsets, offsets, 2), (0, None), (rows, rows[0])),
                (lambda x: geometry.farthest_points(x, offsets, 2), 0, (rows,)),
                (lambda x, y: geometry.grouped_matmul([x, y], [y, x]), 0, (rows, rows.transpose(1, 2))),
                (lambda x, y: geometry.box_loss(x, y), (0, None), (rows, rows[1]))]:
            dims = dims if isinstance(dims, tuple) else (dims,) * len(arguments)
            each = [call(*[x if dim is None else x.select(dim, i) for x, dim in zip(arguments, dims)]) for i in range(4)]
            torch.testing.assert_close(torch.vmap(call, dims)(*arguments), pytree.tree_map(lambda *x: torch.stack(x), *each))

    def test_vmap_of_gradients(self):
        offsets, rows = torch.tensor([0, 2, 5]), torch.randn(4, 5, 3)
        gradients = torch.vmap(torch.func.grad(lambda x: geometry.segment_sum(x, offsets).square().sum()))(rows)
        expected = torch.vmap(torch.func.grad(lambda x: torch.stack([x[:2].sum(0), x[2:].sum(0)]).square().sum()))(rows)
        torch.testing.assert_close(gradients, expected)

    def test_autocast(self):
        images, boxes, offsets = torch.randn(2, 3, 6, 7), reference.rois(3, 2, torch.float), torch.tensor([0, 1, 2])
        rows, low = torch.randn(2, 3), torch.randn(2, 3).bfloat16()
        with torch.autocast('cpu', torch.bfloat16):
            self.assertEqual(geometry.roi_align(images.bfloat16(), boxes, [2, 2]).dtype, torch.float)
            self.assertEqual(geometry.deform_conv2d(images.bfloat16(), torch.randn(2, 3, 2, 2), torch.zeros(2, 8, 5, 6).bfloat16()).dtype,
                             torch.float)
            self.assertEqual(geometry.segment_sum(low, offsets).dtype, torch.float)
            self.assertEqual(geometry.segment_max(low, offsets)[0].dtype, torch.float)
            self.assertEqual(geometry.scatter_max(low, offsets[:2], 3, torch.randn(3, 3))[0].dtype, torch.float)
            self.assertEqual(geometry.knn(low, rows, offsets, offsets, 1)[0].dtype, torch.float)
            self.assertEqual(geometry.farthest_points(low, offsets, 1).dtype, torch.long)
            self.assertEqual(geometry.grouped_matmul([rows, low], [rows.t(), rows.t()])[1].dtype, torch.bfloat16)
            self.assertEqual(geometry.box_loss(low, rows).dtype, torch.float)
            gradients = torch.func.grad(lambda x: geometry.roi_align(x, boxes, [2, 2]).sum())(images.bfloat16())
        self.assertEqual(gradients.dtype, torch.bfloat16)

    def test_torchscript(self):
        @torch.jit.script
        def detect(images: torch.Tensor, boxes: torch.Tensor, scores: torch.Tensor):
            kept = torch.ops.geometry.nms(boxes, scores, 0.4)
            rois = torch.cat([torch.zeros(len(kept), 1), boxes[kept]], 1)
            pooled = torch.ops.geometry.roi_align(images, rois, [2, 2], aligned=True)
            return torch.ops.geometry.segment_max(pooled, torch.tensor([0, len(kept)]))[0]

        arguments = torch.randn(1, 3, 8, 8), reference.boxes(9, torch.float), torch.rand(9)
        kept = geometry.nms(*arguments[1:], 0.4)
        rois = torch.cat([torch.zeros(len(kept), 1), arguments[1][kept]], 1)
        torch.testing.assert_close(detect(*arguments), geometry.roi_align(arguments[0], rois, [2, 2], aligned=True).amax(0, keepdim=True))


if __name__ == '__main__':
    unittest.main()
