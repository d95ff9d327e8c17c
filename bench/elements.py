#!/usr/bin/env python3
"""How long it takes to move, sort and look up elements, beside PyTorch.

    python3 bench/elements.py --program build/release/bin/bench_elements [--threads N] [--rounds N]

bench/elements/ours.cpp and PyTorch in turns, the best of all rounds; without PyTorch, ours alone.
"""
import argparse
import os
import subprocess
import sys
import time

PYTHON = '/usr/bin/python3'  # the one that Debian's python3-torch is for


def cases():
    """What ours.cpp measures, by the same names."""
    import torch
    matrix, images, channels_last = torch.rand(1000, 1000), torch.rand(16, 64, 56, 56), torch.rand(16, 56, 56, 64)
    four = [matrix] * 4
    yield 'contiguous of a transpose', lambda: matrix.t().contiguous()
    yield 'contiguous of channels last', lambda: channels_last.permute(0, 3, 1, 2).contiguous()
    yield 'channels last of contiguous', lambda: images.permute(0, 2, 3, 1).contiguous()
    yield 'flip of columns', lambda: matrix.flip(1)
    yield 'roll', lambda: matrix.roll((3, 5), (0, 1))
    yield 'repeat 3x3', lambda: matrix.repeat(3, 3)
    yield 'repeat_interleave by 2', lambda: matrix.repeat_interleave(2, 1)
    yield 'tril', lambda: matrix.tril()
    yield 'pixel_shuffle by 2', lambda: torch.pixel_shuffle(images, 2)
    yield 'cat of columns', lambda: torch.cat(four, 1)
    yield 'stack of elements', lambda: torch.stack(four, -1)

    row = matrix.view(-1)
    doubles, integers, short_rows = row.double(), (row * 1e6).long(), matrix.view(-1, 16)[:4096]
    yield 'sort 1M', lambda: row.sort()
    yield 'sort 1M of Double', lambda: doubles.sort()
    yield 'sort 1M of Long', lambda: integers.sort()
    yield 'sort 1000x1000', lambda: matrix.sort()
    yield 'sort 1000x1000 along columns', lambda: matrix.sort(0)
    yield 'sort 4096x16', lambda: short_rows.sort()
    yield 'topk 10 of 1M', lambda: row.topk(10)
    yield 'topk 10 of 1000x1000', lambda: matrix.topk(10)
    yield 'kthvalue 500 of 1000x1000', lambda: matrix.kthvalue(500)
    yield 'median of 1M', lambda: row.median()
    yield 'mode of 1000x1000', lambda: matrix.mode()
    yield 'unique of 1M of Long', lambda: torch._unique2(integers, True, True, True)
    yield 'cummax of 1000x1000', lambda: matrix.cummax(1)
    ordered, some, small = row.sort()[0], integers[:1000], integers % 1000
    yield 'searchsorted 1M in 1M', lambda: torch.searchsorted(ordered, row)
    yield 'isin 1M in 1000 of Long', lambda: torch.isin(integers, some)
    yield 'histc of 1M', lambda: row.histc(100)
    yield 'bincount of 1M', lambda: small.bincount()
    yield 'aminmax of 1M', lambda: row.aminmax()
    yield 'arange 1M', lambda: torch.arange(0.0, 1e6)
    yield 'linspace 1M', lambda: torch.linspace(0, 1, 1000000)


def measure_torch():
    import torch
    torch.set_num_threads(int(os.environ['OMP_NUM_THREADS']))
    for name, call in cases():
        call()
        best, start, runs = 1e9, time.perf_counter(), 0
        while runs < 3 or time.perf_counter() - start < 0.1:
            before = time.perf_counter()
            call()
            best, runs = min(best, time.perf_counter() - before), runs + 1
        print(f'{best * 1e6:.2f} {name}', flush=True)


def lines_of(command, environment):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    return {name: float(taken) for taken, name in (line.split(' ', 1) for line in lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    has_torch = subprocess.run([PYTHON, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode == 0

    ours, theirs = {}, {}
    for _ in range(options.rounds):
        runs = [(ours, [options.program])] + ([(theirs, [PYTHON, __file__, 'torch'])] if has_torch else [])
        for best, command in runs:
            for name, taken in lines_of(command, environment).items():
                best[name] = min(taken, best.get(name, taken))

    print(f'{"microseconds, threads: " + str(options.threads):32s} {"ours":>10s} {"PyTorch":>10s}')
    for name, taken in ours.items():
        peer = theirs.get(name)
        print(f'{name:32s} {taken:10.1f} ' + (f'{peer:10.1f} {peer / taken:6.2f}x' if peer else ''))
    missing = set(ours) ^ set(theirs) if has_torch else set()
    if not ours or missing:
        sys.exit(f'expected both to measure the same, got only one for {sorted(missing)}')


if sys.argv[1:] == ['torch']:
    measure_torch()
else:
    main()
