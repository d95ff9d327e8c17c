#!/usr/bin/env python3
"""Cost of operators that structured_add_torch_library emits for PyTorch, beside PyTorch's own and one written by hand.

    python3 bench/torch_target.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--rounds N]

Builds bench/torch_target/ in build/torch_target for the PyTorch of PYTHON (default: build/venv-torch/bin/python3, which
`./dev test --only=torch` makes). The three implementations of add run in one process; figures are medians of N runs.
Instructions come from callgrind, if it is installed. Then measures calls on fake tensors, the load of a library, and the
compilation of its registrations, in processor time.
"""
import argparse
import json
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys

from overhead import instructions_of, nanoseconds_of
from shared.tables import as_text

SOURCE = pathlib.Path(__file__).resolve().parent / 'torch_target'
# Upper bounds of ratios: instructions of the form, beside at::add and beside the operator by hand.
GOALS = {'functional': (1.03, 0.8), 'with gradients': (1.08, None), 'out=': (1.06, None), 'in-place': (1.06, None),
         '65,536 of Float': (1.1, None), '65,536 of Half': (1.1, None), '65,536 of BFloat16': (1.1, None)}

FAKE_CALLS = '''
import sys, time, torch
from torch._subclasses.fake_tensor import FakeTensorMode
for path in sys.argv[1:]: torch.ops.load_library(path)
for has_cache in True, False:
    with FakeTensorMode() as mode:
        mode.cache_enabled = has_cache
        a, b = torch.empty(3, 4), torch.empty(4)
        operators = torch.ops.aten.add.Tensor, torch.ops.emitted.add.default
        best = [1e9, 1e9]
        for _ in range(20):
            for i, add in enumerate(operators):
                start = time.process_time()
                for _ in range(50): add(a, b)
                best[i] = min(best[i], (time.process_time() - start) / 50)
        print(*[time * 1e6 for time in best])
'''
LOAD = '''
import sys, time, torch
start = time.process_time()
torch.ops.load_library(sys.argv[1])
print((time.process_time() - start) * 1e6)
'''


def build(python, structured_gen, folder, source=SOURCE):
    environment = dict(os.environ, VIRTUAL_ENV=str(python.parent.parent))
    for command in (['cmake', '-G', 'Ninja', '-S', source, '-B', folder, '-DCMAKE_BUILD_TYPE=Release',
                     f'-DStructured_DIR={structured_gen.parent.parent}', f'-DPython_EXECUTABLE={python}',
                     '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'], ['cmake', '--build', folder]):
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(done.stdout)


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_seconds(folder, ending):
    """Processor time of the compilation of the source whose path ends so."""
    entry = next(entry for entry in json.loads((folder / 'compile_commands.json').read_text())
                 if entry['file'].endswith(ending))
    command = [word for word in shlex.split(entry['command']) if not word.endswith('ccache')]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=entry['directory'], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def call_table(times, counts):
    forms = list(dict.fromkeys(case.split(' | ')[0] for case in times))
    rows = [['form', 'emitted: instr', 'ns', 'at::add: instr', 'ns', 'by hand: instr', 'ns', 'emitted / at::add', 'goal',
             'emitted / by hand', 'goal']]
    missed = []
    for form in forms:
        row, values = [form], {}
        for name in 'emitted', 'at::add', 'by hand':
            case = f'{form} | {name}'
            values[name] = counts.get(case) or times.get(case)
            row += [f'{counts[case]:,.0f}' if case in counts else '', f'{times[case]:,.0f}' if case in times else '']
        for peer, goal in zip(('at::add', 'by hand'), GOALS.get(form, (None, None))):
            ratio = values['emitted'] / values[peer] if values[peer] else None
            row += [f'{ratio:.2f}' if ratio else '', f'{goal:.2f}' if goal else '']
            if goal and ratio and ratio > goal:
                missed.append(f'{form}: expected at most {goal} of {peer}, got {ratio:.2f}')
        rows.append(row)
    return rows, missed


def parse_options(description, rounds):
    """The options of a benchmark of libraries for PyTorch, and the Python that has it; ends the process if there is none."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--python', type=pathlib.Path, default=pathlib.Path('build/venv-torch/bin/python3'))
    parser.add_argument('--rounds', type=int, default=rounds)
    options = parser.parse_args()
    python = options.python.absolute()
    if not python.exists():
        print(f'skipped: {options.python} is missing; `./dev test --only=torch` makes it')
        sys.exit()
    return options, python


def main():
    options, python = parse_options(__doc__, rounds=5)
    os.environ.setdefault('OMP_NUM_THREADS', '1')
    folder = pathlib.Path('build/torch_target').absolute()
    build(python, options.structured_gen.resolve(), folder)
    libraries = [str(folder / 'libemitted.so'), str(folder / 'libhandwritten.so')]
    command = [str(folder / 'calls'), *libraries, '--']

    rounds = [nanoseconds_of(command, '.*') for _ in range(options.rounds)]
    times = {case: statistics.median(one[case] for one in rounds) for case in rounds[0]}
    rows, missed = call_table(times, instructions_of(command, r'^[^6]'))
    print('torch', output_of(python, '-c', 'import torch; print(torch.__version__)').strip())
    print(as_text(rows, left_columns=1))

    aten, emitted, uncached_aten, uncached = map(float, output_of(python, '-c', FAKE_CALLS, *libraries).split())
    # PyTorch caches the results of its own operators alone.
    print(f'call on fake tensors: {emitted:.0f} µs, aten::add {aten:.0f} µs ({emitted / aten:.2f}; goal 2); without '
          f'PyTorch\'s cache {uncached:.0f} µs, {uncached_aten:.0f} µs ({uncached / uncached_aten:.2f})')
    load = min(float(output_of(python, '-c', LOAD, str(folder / 'libten.so'))) for _ in range(5)) / 10
    print(f'load: {load:.0f} µs for an operator with three variants (goal 60)')
    print(f'compilation of the registrations of 10 operators: {compile_seconds(folder, "ten.gen/library.cpp"):.1f} s '
          'of a core (goal 8)')
    print('\n'.join(missed))
    return 0


if __name__ == '__main__':
    sys.exit(main())
