#!/usr/bin/env python3
"""What torch.compile gains from operators that it sees into: `relu(op(2 * x + 1) + x)` of 16M float, one thread.

    python3 bench/fusion.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--rounds N]

Builds bench/fusion/ in build/fusion for the PyTorch of PYTHON (default: build/venv-torch/bin/python3, which
`./dev test --only=torch` makes). The chain is compiled with the operator, with the same operator marked `opaque`, and with
PyTorch's own operators; all run in turns in one process, and times are medians of N rounds. Then measures what an eager call of one
element costs more than a call of the opaque operator, in a C++ program, at best of 60 rounds; instructions come from callgrind, if
it is installed.
"""
import pathlib
import re
import statistics
import subprocess

from overhead import instructions_of, nanoseconds_of
from torch_target import build, parse_options

SOURCE = pathlib.Path(__file__).resolve().parent / 'fusion'
EAGER_ROUNDS = 60

MEASURE = '''
import statistics, sys, time
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
'''


def eager_calls(command, rounds):
    """Prints instructions and nanoseconds of a call of one element."""
    times = [nanoseconds_of(command, '.*') for _ in range(rounds)]
    # Each in a process of its own: what one case leaves to the allocator changes the count of the next one by hundreds.
    instructions = {}
    for name in times[0]:
        instructions |= instructions_of(command, f'^{re.escape(name)}$')
    print('\n| eager call | opaque: instructions, ns | seen: instructions, ns | more: instructions, ns |')
    print('| --- | --: | --: | --: |')
    for form in dict.fromkeys(name.split(' | ')[0] for name in times[0]):
        names = [f'{form} | {operator}' for operator in ('opaque', 'seen')]
        counts = [instructions.get(name, float('nan')) for name in names]
        # The least: a virtual machine has phases of half its speed, which are longer than a round.
        least = [min(each[name] for each in times) for name in names]
        columns = [f'{count:.0f}, {time:.0f}' for count, time in zip(counts, least)]
        print('|', form, '|', *(f'{column} |' for column in columns), f'{counts[1] - counts[0]:.0f}, {least[1] - least[0]:.0f} |')


def main():
    options, python = parse_options(__doc__, rounds=9)
    folder = pathlib.Path('build/fusion').absolute()
    build(python, options.structured_gen.absolute(), folder, SOURCE)
    output = subprocess.run([python, '-c', MEASURE, folder / 'libfusion.so', str(options.rounds)], check=True, capture_output=True,
                            text=True).stdout
    print('| chain | opaque: ms | kernels | seen: ms | kernels | PyTorch: ms | kernels | opaque/seen |')
    print('| --- | --: | --: | --: | --: | --: | --: | --: |')
    for line in output.splitlines():
        print('|', line.replace('|', ' | '), '|')
    eager_calls([str(folder / 'calls'), str(folder / 'libfusion.so'), '--'], EAGER_ROUNDS)


if __name__ == '__main__':
    main()
