#!/usr/bin/env python3
"""How long layers of networks take, beside PyTorch.

    python3 bench/layers.py --structured-gen build/release/bin/structured-gen [--threads N] [--rounds N]

bench/layers/ours.cpp and PyTorch in turns, the best of all rounds; without PyTorch, ours alone.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

PYTHON = '/usr/bin/python3'  # the one that Debian's python3-torch is for


def cases():
    """What ours.cpp measures, by the same names."""
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
    half, up, volume, cube = r(1, 128, 28, 28), r(128, 64, 2, 2), r(1, 16, 16, 32, 32), r(32, 16, 3, 3, 3)
    yield 'conv_transpose2d 2x2 stride 2, 128 to 64 on 28', lambda: F.conv_transpose2d(half, up, stride=2)
    yield 'conv3d 3x3x3, 16 to 32 on 16x32x32', lambda: F.conv3d(volume, cube, padding=1)


def measure_torch():
    import torch
    torch.set_num_threads(int(os.environ['OMP_NUM_THREADS']))
    torch.set_grad_enabled(False)
    for name, call in cases():
        call()
        best, start, runs = 1e9, time.perf_counter(), 0
        while runs < 3 or time.perf_counter() - start < 0.2:
            before = time.perf_counter()
            call()
            best, runs = min(best, time.perf_counter() - before), runs + 1
        print(f'{best * 1e6:.2f} {name}', flush=True)


def lines_of(command, environment):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    found = {}
    for line in done.stdout.splitlines() if done.returncode == 0 else []:
        time_taken, name = line.split(' ', 1)
        found[name] = float(time_taken)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', type=pathlib.Path, required=True)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    program = options.structured_gen.resolve().parent / 'bench_layers'
    has_torch = subprocess.run([PYTHON, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode == 0

    ours, theirs = {}, {}
    for number in range(options.rounds):
        print(f'round {number + 1} of {options.rounds}', file=sys.stderr, flush=True)
        runs = [(ours, [program])] + ([(theirs, [PYTHON, __file__, 'torch'])] if has_torch else [])
        for best, command in runs:
            for name, found in lines_of(command, environment).items():
                best[name] = min(found, best.get(name, found))

    print(f'{"microseconds, threads: " + str(options.threads):48s} {"ours":>10s} {"PyTorch":>10s}')
    for name, found in ours.items():
        peer = theirs.get(name)
        print(f'{name:48s} {found:10.1f} ' + (f'{peer:10.1f} {peer / found:6.2f}x' if peer else ''))
    missing = set(ours) ^ set(theirs) if has_torch else set()
    if not ours or missing:
        sys.exit(f'expected both to measure the same, got only one for {sorted(missing)}')


if sys.argv[1:] == ['torch']:
    measure_torch()
else:
    main()
