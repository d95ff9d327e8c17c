#!/usr/bin/env python3
"""What torch.compile gains from operators that it sees into: `relu(op(2 * x + 1) + x)` of 16M float, one thread.

    python3 bench/fusion.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--rounds N]

Builds bench/fusion/ in build/fusion for the PyTorch of PYTHON (default: build/venv-torch/bin/python3, which
`./dev test --only=torch` makes). The chain is compiled with the operator, with the same operator marked `opaque`, and with
PyTorch's own operators; all run in turns in one process, and times are medians of N rounds. Then prints what an eager call of one
element costs more than a call of the opaque operator.
"""
import argparse
import pathlib
import subprocess
import sys

from torch_target import build

SOURCE = pathlib.Path(__file__).resolve().parent / 'fusion'

MEASURE = '''
import statistics, sys, time, timeit
import torch, torch._inductor.metrics as metrics
torch.set_num_threads(1)
torch.ops.load_library(sys.argv[1])
rounds = int(sys.argv[2])
own = torch.ops.fusion
operators = {'soft_clip': [own.opaque_soft_clip, own.soft_clip, lambda x: x / (1 + x.abs())],
             'swish': [own.opaque_swish, own.swish, lambda x: x / (1 + torch.exp(-x))]}
x = torch.randn(1 << 24)
gradient = torch.ones_like(x)

def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start

def row(name, calls):
    kernels = []
    for call in calls:
        torch._dynamo.reset()
        metrics.reset()
        call()
        kernels.append(metrics.generated_kernel_count)
    times = [[seconds(call) for call in calls] for _ in range(rounds)]
    medians = [statistics.median(column) * 1e3 for column in zip(*times)]
    print(name, *[f'{median:.1f}|{count}' for median, count in zip(medians, kernels)], f'{medians[0] / medians[1]:.2f}', sep='|')

for name, forms in operators.items():
    chains = [torch.compile(lambda x, form=form: torch.relu(form(2 * x + 1) + x), fullgraph=True) for form in forms]
    row(f'{name}, forward', [lambda chain=chain: chain(x) for chain in chains])
    leaf = x.clone().requires_grad_()
    row(f'{name}, forward and backward',
        [lambda chain=chain: torch.autograd.grad(chain(leaf), leaf, gradient) for chain in chains])
one = torch.ones(1)
pairs = [(own.soft_clip.default, own._opaque_soft_clip.default)] * rounds
times = [[min(timeit.repeat(lambda: form(one), number=20000, repeat=3)) / 20000 * 1e9 for form in pair] for pair in pairs]
print(f'eager call of one element: {statistics.median(a - b for a, b in times):.0f} ns more than that of the opaque operator, '
      f'which takes {statistics.median(b for _, b in times):.0f} ns from Python')
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', type=pathlib.Path, required=True)
    parser.add_argument('--python', type=pathlib.Path, default=pathlib.Path('build/venv-torch/bin/python3'))
    parser.add_argument('--rounds', type=int, default=9)
    arguments = parser.parse_args()
    python = arguments.python.absolute()
    if not python.exists():
        sys.exit(f'{python} does not exist; `./dev test --only=torch` makes it')
    folder = pathlib.Path('build/fusion').absolute()
    build(python, arguments.structured_gen.absolute(), folder, SOURCE)
    output = subprocess.run([python, '-c', MEASURE, folder / 'libfusion.so', str(arguments.rounds)], check=True, capture_output=True,
                            text=True).stdout
    *rows, overhead = output.splitlines()
    print('| chain | opaque: ms | kernels | seen: ms | kernels | PyTorch: ms | kernels | opaque/seen |')
    print('| --- | --: | --: | --: | --: | --: | --: | --: |')
    for line in rows:
        print('|', line.replace('|', ' | '), '|')
    print(overhead)


if __name__ == '__main__':
    main()
