"""Arguments for the tests of all operators, which the build emits (docs/pytorch.md). Sizes depend on `make.n`, from 6 on."""
import torch

import reference


def offsets(*numbers):
    return torch.tensor([0, *numbers])


def samples(make):
    n, dtype = make.n, make.dtype
    yield 'nms', (reference.boxes(3 * n, dtype), torch.rand(3 * n, dtype=dtype), 0.3)

    # No two dimensions that may differ have equal sizes, as a compiler would take these for one.
    images, rois = make(n, 1, n + 1, n + 2), reference.rois(n + 3, n, dtype)
    yield 'roi_align', (images, rois, [2, 3])
    yield 'roi_align', (images, rois, [2, 2], 0.75, 2, True)
    yield '_roi_align_backward', (make(3, 2, 2, 3), reference.rois(3, 2, dtype), [2, 2, 6, 7], [2, 3], 1.0, 2, False)

    images, weight = make(2, 2, n, n + 1), make(4, 1, 3, 2)
    yield 'deform_conv2d', (images, weight, make(2, 24, n - 2, n))
    yield 'deform_conv2d', (images, weight, make(2, 24, n - 2, n), make(2, 12, n - 2, n), make(4))
    yield 'deform_conv2d', (make(2, 2, 6, 7), make(3, 2, 3, 2), make(2, 12, 3, 2), None, make(3), [2, 3], [1, 0], [1, 2])
    columns = make(1, 2, 4, 5), make(1, 8, 3, 4), make(1, 4, 3, 4)
    geometry = [2, 2], [1, 1], [0, 0], [1, 1]
    yield '_deform_columns', (*columns, *geometry)
    yield '_deform_columns_backward', (make(1, 8, 12), *columns, *geometry)
    yield '_deform_columns_double_backward', (*(torch.rand_like(each) for each in columns), make(1, 8, 12), *columns, *geometry)

    yield 'segment_sum', (make(n + 2, 3), offsets(3, 3, n, n + 2))
    yield 'segment_sum', (make(n + 2), offsets(3, 3, n, n + 2))
    yield 'segment_max', (make(n + 2, 3), offsets(3, 3, n, n + 2))
    index = torch.arange(n) % 3
    yield 'scatter_max', (make(n, 3), index, 5)
    yield 'scatter_max', (make(n, 3), index, n + 4, make(n + 4, 3))
    yield 'scatter_max_', (make(5, 3), make(n, 3), index, torch.zeros(5, 3, dtype=torch.long))
    yield 'scatter_max_', (make(n + 5, 3), make(n, 3), index)
    yield 'knn', (make(n + 2, 3), make(2 * n, 3), offsets(3, 3, n + 2), offsets(2, n, 2 * n), 2)
    yield 'farthest_points', (make(n + 2, 3), offsets(3, 3, n + 2), 2)
    yield 'grouped_matmul', ([make(2, n), make(n + 1, 1)], [make(n, 5), make(1, 2)])
    yield 'box_loss', (make(n, 4), make(4), 0.5)
