#!/usr/bin/env python3
"""Runs the example and PyTorch on the same parameters and images, and compares their scores and their speed:
compare_with_torch.py PROGRAM [OPTION...]. Exits with 77, which ctest counts as skipped, if there is no PyTorch."""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print('skipped: Python has no module torch; `./dev setup --full` installs Debian\'s packages')
    sys.exit(77)


def read_tensors(path):
    """By name, as main.cpp writes them."""
    tensors = {}
    with path.open('rb') as file:
        while line := file.readline().decode():
            name, *sizes = line.split()
            sizes = [int(size) for size in sizes]
            elements = bytearray(file.read(4 * math.prod(sizes)))
            tensors[name] = torch.frombuffer(elements, dtype=torch.float32).view(sizes)
    return tensors


def forward(tensors, images):
    def convolution(x, name, norm, stride):
        weight = tensors[f'{name}.weight']
        x = F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
        mean, var, factor, summand = (tensors[f'{norm}.{part}']
                                      for part in ('running_mean', 'running_var', 'weight', 'bias'))
        return F.batch_norm(x, mean, var, factor, summand)

    x = F.max_pool2d(F.relu(convolution(images, 'conv1', 'bn1', 2)), 3, 2, 1)
    for layer in range(1, 5):
        for number in range(2):
            block = f'layer{layer}.{number}'
            stride = 2 if layer > 1 and number == 0 else 1
            y = F.relu(convolution(x, f'{block}.conv1', f'{block}.bn1', stride))
            y = convolution(y, f'{block}.conv2', f'{block}.bn2', 1)
            if stride != 1:
                x = convolution(x, f'{block}.downsample.0', f'{block}.downsample.1', stride)
            x = F.relu(x + y)
    return F.linear(F.adaptive_avg_pool2d(x, 1).flatten(1), tensors['fc.weight'], tensors['fc.bias'])


program, *options = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'tensors'
    output = subprocess.run([program, f'--dump={path}', *(options or ['--batch=2', '--size=96', '--passes=3'])],
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    tensors = read_tensors(path)

threads = int(re.search(r'on (\d+) threads', output)[1])
torch.set_num_threads(threads)
images = tensors['images']
best = 0
with torch.no_grad():
    for _ in range(3):
        start = time.perf_counter()
        expected = forward(tensors, images)
        best = max(best, len(images) / (time.perf_counter() - start))
print(output.splitlines()[-1])
print(f'PyTorch {torch.__version__}: {best:.1f} images/s')

scores = tensors['scores']
distance = ((scores - expected).abs().max() / expected.abs().max()).item()
print(f'largest difference: {distance:.1e} of the largest score')
assert scores.shape == expected.shape and distance < 1e-5, 'expected the same scores'
assert torch.equal(scores.argmax(1), expected.argmax(1)), 'expected the same classes'
