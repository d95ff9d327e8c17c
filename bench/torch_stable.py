#!/usr/bin/env python3
"""Cost of scalar functions in libraries for PyTorch's stable ABI, beside the same functions with ATen and aten::add.

    python3 bench/torch_stable.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--rounds N]

Builds bench/torch_stable/ in build/torch_stable for the PyTorch of PYTHON (default: build/venv-torch/bin/python3, which
`./dev test --only=torch` makes). All calls are made from Python in one process, whose rounds take turns; figures are the best of N
rounds.
"""
import json
import os
import pathlib
import sys

from shared.tables import as_text
from torch_target import build, compile_seconds, output_of, parse_options

SOURCE = pathlib.Path(__file__).resolve().parent / 'torch_stable'
# Upper bounds of ratios: time of the stable library beside aten::add.
GOALS = {'call that records nothing': 1.0, 'function of the package': 1.15}

CALLS = '''
import json, sys, time, torch
sys.path.insert(0, sys.argv[1])
import stable_ops, ordinary_ops
rounds = int(sys.argv[2])
torch.set_num_threads(1)
aten, stable, ordinary = torch.ops.aten.add, torch.ops.stable.scalar_add, torch.ops.ordinary.scalar_add
a, b = torch.ones(1), torch.ones(1)
leaf, out = a.clone().requires_grad_(), torch.empty(1)
unrecorded = torch.ops.stable._unrecorded_scalar_add.default
cases = {
    'call that records nothing': [lambda: aten.Tensor(a, b), lambda: unrecorded(a, b), lambda: ordinary.default(a, b)],
    'function of the package': [lambda: aten.Tensor(a, b), lambda: stable_ops.scalar_add(a, b), lambda: ordinary_ops.scalar_add(a, b)],
    'torch.ops, which has layers': [lambda: aten.Tensor(a, b), lambda: stable.default(a, b), lambda: ordinary.default(a, b)],
    'out=': [lambda: aten.out(a, b, out=out), lambda: stable.out(a, b, out=out), lambda: ordinary.out(a, b, out=out)],
    'recorded': [lambda: aten.Tensor(leaf, b), lambda: stable.default(leaf, b), lambda: ordinary.default(leaf, b)],
}
def tensors(count, dtype):
    p, q = torch.randn(count).to(dtype), torch.randn(count).to(dtype)
    r = torch.empty_like(p)
    return [lambda: aten.out(p, q, out=r), lambda: stable.out(p, q, out=r), lambda: ordinary.out(p, q, out=r)]
for count, name in (1 << 20, '1M'), (1 << 24, '16M'):
    for dtype in torch.float, torch.half, torch.bfloat16:
        cases[f'{name} of {str(dtype)[6:]}'] = tensors(count, dtype)
best = {name: [1e9] * 3 for name in cases}
for _ in range(rounds):
    for name, functions in cases.items():
        number = 2000 if name[0] not in '1' else 2 if name.startswith('16M') else 20
        for i, function in enumerate(functions):
            start = time.perf_counter()
            for _ in range(number): function()
            best[name][i] = min(best[name][i], (time.perf_counter() - start) / number)
print(json.dumps(best))
'''


def main():
    options, python = parse_options(__doc__, rounds=15)
    os.environ.setdefault('OMP_NUM_THREADS', '1')
    folder = pathlib.Path('build/torch_stable').absolute()
    build(python, options.structured_gen.resolve(), folder, SOURCE)
    best = json.loads(output_of(python, '-W', 'ignore', '-c', CALLS, str(folder / 'python'), str(options.rounds)))
    rows = [['call', 'aten::add: µs', 'stable ABI: µs', 'ATen: µs', 'stable / aten::add', 'goal', 'stable / ATen']]
    for name, (aten, stable, ordinary) in best.items():
        goal = GOALS.get(name)
        rows.append([name, *(f'{seconds * 1e6:,.2f}' for seconds in (aten, stable, ordinary)), f'{stable / aten:.2f}',
                     f'{goal:.2f}' if goal else '', f'{stable / ordinary:.2f}'])
    print('torch', output_of(python, '-c', 'import torch; print(torch.__version__)').strip())
    print(as_text(rows, left_columns=1))
    for name in 'stable_ops', 'ordinary_ops':
        library = folder / 'python' / name / f'lib{name}.so'
        seconds = sum(compile_seconds(folder, f'{name}.{part}') for part in
                      (['gen/library.cpp', 'gen/src/operators.h.cpp'] if name == 'stable_ops' else
                       ['gen.batches/registrations.cpp', 'gen/src/operators.h.cpp']))
        print(f'{name}: {library.stat().st_size / 1000:,.0f} kB, compiled in {seconds:.1f} s of a core')
    return 0


if __name__ == '__main__':
    sys.exit(main())
