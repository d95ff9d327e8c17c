#!/usr/bin/env python3
"""Times layers of networks, ours and PyTorch's in turns.

    python3 bench/layers.py --structured-gen build/release/bin/structured-gen [--threads N] [--rounds N] [--markdown FILE]

Runs bench/layers/ours.cpp and PyTorch in turns and prints the best of all rounds; without PyTorch, runs only ours.
"""
from shared import beside_python


def cases():
    """The cases of ours.cpp, with equal names."""
    import torch
    import torch.nn.functional as F
    r = torch.rand

    few, rows, words, image = r(128, 10), r(512, 512), r(32, 50257), r(16, 128, 56, 56)
    yield 'softmax 128x10', lambda: torch.softmax(few, 1)
    yield 'softmax 512x512', lambda: torch.softmax(rows, 1)
    yield 'log_softmax 32x50257', lambda: torch.log_softmax(words, 1)
    yield 'softmax of channels', lambda: torch.softmax(image, 1)
    tokens, weight = r(512, 768), r(768)
    yield 'layer_norm 512x768', lambda: F.layer_norm(tokens, (768,), weight, weight)

    square, bias, batch, large, vector, points = r(512, 512), r(512), r(64, 64, 64), r(2048, 2048), r(2048), r(1000, 128)
    yield 'mm 512', lambda: torch.mm(square, square)
    yield 'addmm 512', lambda: torch.addmm(bias, square, square)
    yield 'bmm 64 of 64x64', lambda: torch.bmm(batch, batch)
    yield 'mv 2048', lambda: torch.mv(large, vector)
    yield 'cdist 1000x128', lambda: torch.cdist(points, points)

    images, c = r(16, 64, 56, 56), r(64)
    for name, x in ('', images), (', channels last', images.contiguous(memory_format=torch.channels_last)):
        yield f'batch_norm{name}', lambda x=x: F.batch_norm(x, c, c, c, c)
        yield f'batch_norm in training{name}', lambda x=x: F.batch_norm(x, None, None, c, c, True)
        yield f'max_pool2d 3x3{name}', lambda x=x: F.max_pool2d(x, 3, 2, 1)
        yield f'avg_pool2d 3x3{name}', lambda x=x: F.avg_pool2d(x, 3, 2, 1)
    yield 'group_norm', lambda: F.group_norm(images, 8, c, c)
    last = images.contiguous(memory_format=torch.channels_last)
    yield 'group_norm, channels last', lambda: F.group_norm(last, 8, c, c)

    for name, x, w, stride, padding, groups in (
            ('7x7 stride 2, 3 to 64 on 224', (1, 3, 224, 224), (64, 3, 7, 7), 2, 3, 1),
            ('3x3, 64 on 56', (1, 64, 56, 56), (64, 64, 3, 3), 1, 1, 1),
            ('3x3 stride 2, 64 to 128 on 56', (1, 64, 56, 56), (128, 64, 3, 3), 2, 1, 1),
            ('3x3, 256 on 14', (1, 256, 14, 14), (256, 256, 3, 3), 1, 1, 1),
            ('3x3, 512 on 7', (1, 512, 7, 7), (512, 512, 3, 3), 1, 1, 1),
            ('1x1, 256 to 1024 on 14', (1, 256, 14, 14), (1024, 256, 1, 1), 1, 0, 1),
            ('3x3, each of 128 on 56', (1, 128, 56, 56), (128, 1, 3, 3), 1, 1, 128),
            ('3x3, 32 groups of 4 on 28', (1, 128, 28, 28), (128, 4, 3, 3), 1, 1, 32)):
        yield f'conv2d {name}', lambda x=r(x), w=r(w), s=stride, p=padding, g=groups: F.conv2d(x, w, None, s, p, 1, g)
    layouts = ('', torch.contiguous_format), (', channels last', torch.channels_last)
    back, pool_back = torch.ops.aten.convolution_backward, torch.ops.aten.max_pool2d_with_indices_backward
    for suffix, layout in layouts:
        for name, width, outputs, stride, groups in (('3x3, 64 on 56', 64, 64, 1, 1),
                                                     ('3x3 stride 2, 64 to 128 on 56', 64, 128, 2, 1),
                                                     ('3x3, each of 128 on 56', 128, 128, 1, 128)):
            x = r(1, width, 56, 56).contiguous(memory_format=layout)
            w = r(outputs, width // groups, 3, 3).contiguous(memory_format=layout)
            options = [stride] * 2, [1, 1], [1, 1]
            if suffix:
                yield f'conv2d {name}{suffix}', lambda x=x, w=w, o=options, g=groups: F.conv2d(x, w, None, *o, g)
            y = F.conv2d(x, w, None, *options, groups)
            for of, mask in ('input', [True, False, False]), ('weight', [False, True, False]):
                yield (f'gradient of the {of} of conv2d {name}{suffix}',
                       lambda y=y, x=x, w=w, o=options, g=groups, m=mask: back(y, x, w, None, *o, False, [0, 0], g, m))
        x = images.contiguous(memory_format=layout)
        y, places = F.max_pool2d(x, 3, 2, 1, return_indices=True)
        yield (f'gradient of max_pool2d 3x3{suffix}', lambda y=y, x=x, places=places:
               pool_back(y, x, [3, 3], [2, 2], [1, 1], [1, 1], False, places))
    half, up, volume, cube = r(1, 128, 28, 28), r(128, 64, 2, 2), r(1, 16, 16, 32, 32), r(32, 16, 3, 3, 3)
    yield 'conv_transpose2d 2x2 stride 2, 128 to 64 on 28', lambda: F.conv_transpose2d(half, up, stride=2)
    yield 'conv3d 3x3x3, 16 to 32 on 16x32x32', lambda: F.conv3d(volume, cube, padding=1)

    yield from backward_passes()
    yield training_step()


def backward_passes():
    """Gradients of recorded calls."""
    import torch
    import torch.nn.functional as F

    def leaf(*sizes):
        return torch.rand(*sizes).requires_grad_()

    def case(name, forward, *inputs):
        with torch.enable_grad():
            y = forward()
        g = torch.rand(y.shape)
        return name, lambda: torch.autograd.grad(y, inputs, g, retain_graph=True)

    rows, words, tokens, weight = leaf(512, 512), leaf(32, 50257), leaf(512, 768), leaf(768)
    yield case('gradient of softmax 512x512', lambda: torch.softmax(rows, 1), rows)
    yield case('gradient of log_softmax 32x50257', lambda: torch.log_softmax(words, 1), words)
    yield case('gradients of layer_norm 512x768', lambda: F.layer_norm(tokens, (768,), weight, weight), tokens, weight)
    other, batch, points, fixed = leaf(512, 512), leaf(64, 64, 64), leaf(1000, 128), torch.rand(1000, 128)
    yield case('gradients of mm 512', lambda: torch.mm(rows, other), rows, other)
    yield case('gradient of bmm 64 of 64x64', lambda: torch.bmm(batch, batch), batch)
    yield case('gradient of cdist 1000x128', lambda: torch.cdist(points, fixed), points)
    c, images = leaf(64), torch.rand(16, 64, 56, 56)
    for suffix, layout in ('', torch.contiguous_format), (', channels last', torch.channels_last):
        x = images.contiguous(memory_format=layout).detach().requires_grad_()
        yield case(f'gradients of batch_norm in training{suffix}', lambda: F.batch_norm(x, None, None, c, c, True), x, c)
        yield case(f'gradient of avg_pool2d 3x3{suffix}', lambda: F.avg_pool2d(x, 3, 2, 1), x)
        yield case(f'gradients of group_norm{suffix}', lambda: F.group_norm(x, 8, c, c), x, c)


def training_step():
    """A step of the network in examples/digits."""
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    network = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1),
                            nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    images, labels = torch.rand(32, 1, 8, 8), torch.zeros(32, dtype=torch.long)

    def step():
        with torch.enable_grad():
            optimizer.zero_grad()
            F.nll_loss(torch.log_softmax(network(images), 1), labels).backward()
            optimizer.step()

    return 'training step of examples/digits', step


if __name__ == '__main__':
    beside_python.main(__file__, __doc__, cases)
