"""Slow definitions of the operators in terms of PyTorch's, differentiable where the operators are, and boxes for samples."""
import math

import torch


def iou(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    shared = max(width, 0) * max(height, 0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared) if shared > 0 else 0


def nms(boxes, scores, iou_threshold):
    kept = []
    for i in scores.argsort(stable=True, descending=True).tolist():
        if all(iou(boxes[i].tolist(), boxes[j].tolist()) <= iou_threshold for j in kept):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.long)


def pixel(image, row, column):
    """Returns the channels of a pixel, which are zero outside the image."""
    if 0 <= row < image.shape[-2] and 0 <= column < image.shape[-1]:
        return image[..., row, column]
    return torch.zeros_like(image[..., 0, 0])


def bilinear(image, y, x):
    top, left = math.floor(float(y)), math.floor(float(x))
    down, right = y - top, x - left
    return ((1 - down) * (1 - right) * pixel(image, top, left) + (1 - down) * right * pixel(image, top, left + 1) +
            down * (1 - right) * pixel(image, top + 1, left) + down * right * pixel(image, top + 1, left + 1))


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=0, aligned=False):
    height, width = input.shape[2:]
    results = []
    for image, *corners in boxes.tolist():
        x1, y1, x2, y2 = [corner * spatial_scale - (0.5 if aligned else 0) for corner in corners]
        bin_height = (y2 - y1 if aligned else max(y2 - y1, 1)) / output_size[0]
        bin_width = (x2 - x1 if aligned else max(x2 - x1, 1)) / output_size[1]
        rows, columns = sampling_ratio or math.ceil(bin_height), sampling_ratio or math.ceil(bin_width)
        result = input.new_zeros(input.shape[1], *output_size)
        for row in range(output_size[0]):
            for column in range(output_size[1]):
                samples = [input.new_zeros(input.shape[1])]
                for i in range(rows):
                    for j in range(columns):
                        y = y1 + (row + (i + 0.5) / rows) * bin_height
                        x = x1 + (column + (j + 0.5) / columns) * bin_width
                        if -1 <= y <= height and -1 <= x <= width:
                            samples.append(bilinear(input[int(image)], min(max(y, 0), height - 1), min(max(x, 0), width - 1)))
                result[:, row, column] = torch.stack(samples).sum(0) / max(rows * columns, 1)
        results.append(result)
    return torch.stack(results) if results else input.new_zeros(0, input.shape[1], *output_size)


def deform_conv2d(input, weight, offset, mask=None, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1)):
    channels, (outputs, group_channels, kernel_rows, kernel_columns) = input.shape[1], weight.shape
    taps = kernel_rows * kernel_columns
    groups, offset_groups = channels // group_channels, offset.shape[1] // (2 * taps)
    result = input.new_zeros(input.shape[0], outputs, *offset.shape[2:])
    for n, row, column in torch.cartesian_prod(*map(torch.arange, (input.shape[0], *offset.shape[2:]))).tolist():
        columns = []
        for channel in range(channels):
            group = channel // (channels // offset_groups)
            for tap in range(taps):
                moved = offset[n, 2 * (group * taps + tap):, row, column]
                y = row * stride[0] - padding[0] + tap // kernel_columns * dilation[0] + moved[0]
                x = column * stride[1] - padding[1] + tap % kernel_columns * dilation[1] + moved[1]
                factor = 1 if mask is None else mask[n, group * taps + tap, row, column]
                columns.append(factor * bilinear(input[n, channel], y, x))
        columns = torch.stack(columns).view(groups, -1, 1)
        result[n, :, row, column] = (weight.view(groups, outputs // groups, -1) @ columns).flatten()
    return result if bias is None else result + bias[:, None, None]


def segment_sum(values, offsets):
    return torch.stack([values[begin:end].sum(0) for begin, end in zip(offsets[:-1], offsets[1:])])


def segment_max(values, offsets):
    maxima, indices = values.new_zeros(len(offsets) - 1, *values.shape[1:]), offsets.new_full((len(offsets) - 1, *values.shape[1:]), -1)
    for i, (begin, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist())):
        if begin < end:
            maxima[i], first = values[begin:end].max(0)
            indices[i] = first + begin
    return maxima, indices


def scatter_max(values, index, size, initial=None):
    maxima, indices = [], []
    for i in range(size):
        rows = torch.nonzero(index == i).flatten()
        if initial is not None:
            every = torch.cat([initial[i:i + 1], values[rows]])
            numbers = torch.cat([torch.tensor([-1]), rows])
        elif len(rows):
            every, numbers = values[rows], rows
        else:
            every, numbers = values.new_zeros(1, *values.shape[1:]), torch.tensor([-1])
        maximum, first = every.max(0)
        maxima.append(maximum)
        indices.append(numbers[first])
    return torch.stack(maxima), torch.stack(indices)


def knn(points, queries, point_offsets, query_offsets, k):
    distances, indices = [], []
    for cloud in range(len(point_offsets) - 1):
        first, last = point_offsets[cloud].item(), point_offsets[cloud + 1].item()
        for query in queries[query_offsets[cloud]:query_offsets[cloud + 1]]:
            found, order = (points[first:last] - query).square().sum(1).sort(stable=True)
            missing = max(k - len(order), 0)
            distances.append(torch.cat([found[:k], found.new_full((missing,), math.inf)]))
            indices.append(torch.cat([order[:k] + first, order.new_full((missing,), -1)]))
    return torch.stack(distances), torch.stack(indices)


def farthest_points(points, offsets, count):
    result = offsets.new_full((len(offsets) - 1, count), -1)
    for cloud, (begin, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist())):
        chosen = []
        while len(chosen) < min(count, end - begin):
            others = [i for i in range(begin, end) if i not in chosen]
            nearest = [min([(points[i] - points[j]).square().sum().item() for j in chosen], default=0) for i in others]
            chosen.append(others[nearest.index(max(nearest))])
        result[cloud, :len(chosen)] = torch.tensor(chosen)
    return result


def grouped_matmul(a, b):
    return [x @ y for x, y in zip(a, b)]


def box_loss(self, target, beta=1.0):
    return torch.nn.functional.smooth_l1_loss(*torch.broadcast_tensors(self, target), reduction='none', beta=beta)


def boxes(count, dtype=torch.double, size=6.0):
    """Returns boxes [count, 4] with positive areas, within `size`."""
    first, second = torch.rand(2, count, 2, dtype=dtype) * size * 0.7
    return torch.cat([torch.minimum(first, second), torch.maximum(first, second) + 0.3 * size * torch.rand(count, 2, dtype=dtype)], 1)


def rois(count, images, dtype=torch.double):
    """Returns boxes [count, 5] with the indices of images in the first column."""
    return torch.cat([torch.randint(images, (count, 1)).to(dtype), boxes(count, dtype)], 1)
