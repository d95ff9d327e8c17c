#!/usr/bin/env python3
"""Measures the throughput of operators on large tensors, ours and PyTorch's in turns.

    python3 bench/throughput.py --structured-gen build/release/bin/structured-gen [--rounds N] [--threads N,N] [--filter REGEX]
                                [--newest FOLDER] [--peer NAME=PROGRAM] [--svg FILE] [--markdown FILE]

The programs are bench_throughput, bench_throughput_torch if Debian's libtorch-dev is installed, and, with --newest, one
for the newest PyTorch wheel (see shared/newest_torch.py). For each number of threads they run in turns; figures are
medians over the rounds, of processor time for one thread and of real time for several. PyTorch runs with AVX-512 if the
machine has it, and without autograd.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys

from shared import newest_torch
from shared.tables import as_markdown, as_text

MATRIX = 4 * 4096 ** 2  # bytes
GIGA = {
    'plain loop': 12, 'memcpy': 8, 'add': 12, 'add_out': 12, 'add_out int32 + float32': 12, 'copy_': 8,  # an element
    'add_out transposed': 3 * MATRIX, 'add_out row': 2 * MATRIX, 'add_out column': 2 * MATRIX,
    'sum': MATRIX, 'sum dim 0': MATRIX, 'sum dim 1': MATRIX, 'softmax dim 1': 2 * MATRIX,
    'index_select dim 0': 2 * MATRIX, 'index_select dim 1': 2 * MATRIX, 'cat dim 0': 2 * MATRIX, 'cat dim 1': 2 * MATRIX,
    'relu': 8 << 20, 'exp': 8 << 20, 'gelu': 8 << 20, 'sigmoid': 8 << 20, 'tanh': 8 << 20,
    'layer_norm 4096x1024': 8 * 4096 * 1024, 'upsample_nearest1d': 12 * 16 * 64 * 4096,
    'mm 1024': 2 * 1024 ** 3, 'conv2d 3x3, 64 on 56': 2 * 64 * 64 * 9 * 56 * 56,  # operations
}
# Goals: a minimal ratio to PyTorch's speed, or a maximal time in milliseconds.
RATIOS = {'softmax dim 1': 1.5, 'exp/1M': 1.5, 'sigmoid/1M': 1.5, 'gelu/1M': 1.5, 'tanh/1M': 5, 'layer_norm 4096x1024': 1.5,
          'upsample_nearest1d': 1.5, 'index_select dim 1': 1.5, 'add_out int32 + float32/16777216': 5}
MILLISECONDS = {'add_out transposed': 11, 'sum dim 0': 1.6, 'add/16777216': 4.9}


def work(case):
    """Bytes read and written by a case, or its operations."""
    name, _, size = case.partition('/')
    return GIGA[name] * (int(size) if size.isdigit() else 1)


def nanoseconds(program, pattern, threads):
    environment = dict(os.environ, THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    output = subprocess.run([program, pattern], check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.rsplit(' ', 1) for line in output.splitlines())}


def measure(programs, pattern, rounds, threads):
    """{program: {case: nanoseconds}}. The programs run in turns."""
    times = {name: [] for name in programs}
    for number in range(rounds):
        print(f'{threads} threads, round {number + 1} of {rounds}', file=sys.stderr, flush=True)
        for name, program in programs.items():
            times[name].append(nanoseconds(program, pattern, threads))
    return {name: {case: statistics.median(round_[case] for round_ in found) for case in found[0]}
            for name, found in times.items()}


def goal(case):
    if case in MILLISECONDS:
        return f'{MILLISECONDS[case]:g} ms'
    if case.startswith(('plain loop', 'memcpy')):
        return ''
    return f'{RATIOS.get(case, 0.95):g}x'


def table(results):
    """Rows of text cells, the header first; `results` by number of threads."""
    header = ['case', 'goal']
    for threads, programs in results.items():
        header += [f'ours, {threads} thr.: ms', 'GB/s or GFLOP/s']
        header += [title for peer in programs if peer != 'ours' for title in (f'{peer}: ms', 'ratio')]
    rows = [header]
    for case in next(iter(results.values()))['ours']:
        row = [case, goal(case)]
        for programs in results.values():
            ours = programs['ours'][case]
            row += [f'{ours * 1e-6:,.4f}', f'{work(case) / ours:,.1f}']
            for peer, times in programs.items():
                if peer != 'ours':
                    row += [f'{times[case] * 1e-6:,.4f}', f'{times[case] / ours:.2f}x'] if case in times else ['', '']
        rows.append(row)
    return rows


def as_svg(programs):
    """Plots gigabytes per second over the number of elements, for cases with several sizes."""
    names = ['add', 'add_out', 'add_out int32 + float32', 'copy_']
    sizes = sorted({int(case.partition('/')[2]) for case in programs['ours'] if case.partition('/')[2].isdigit()})
    width, height, left, top = 230, 170, 45, 40
    highest = max(work(f'{name}/{size}') / times[f'{name}/{size}'] for times in programs.values() for name in names
                  for size in sizes if f'{name}/{size}' in times) * 1.1
    colours = ['#2b6cb0', '#999999', '#e0a040']
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(names) * (width + 20) + left}" height="{height + 90}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{len(names) * (width + 20) + left}" height="{height + 90}" fill="white"/>']
    for i, name in enumerate(programs):
        out.append(f'<rect x="{left + i * 130}" y="6" width="10" height="10" fill="{colours[i % 3]}"/>'
                   f'<text x="{left + 14 + i * 130}" y="15">{name}</text>')
    for number, name in enumerate(names):
        x0 = left + number * (width + 20)

        def place(size, value):
            x = x0 + width * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])
            return f'{x:.1f},{top + height - height * value / highest:.1f}'
        out.append(f'<text x="{x0}" y="{top - 6}" font-weight="bold">{name}</text>'
                   f'<rect x="{x0}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#ccc"/>')
        for size in sizes:
            x = place(size, 0).split(',')[0]
            out.append(f'<text x="{x}" y="{top + height + 14}" text-anchor="middle">{size >> 10}K</text>')
        for i, times in enumerate(programs.values()):
            points = [place(size, work(f'{name}/{size}') / times[f'{name}/{size}']) for size in sizes]
            out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colours[i % 3]}" stroke-width="2"/>')
    for step in range(0, int(highest), max(1, int(highest / 5))):
        y = top + height - height * step / highest
        out.append(f'<text x="{left - 6}" y="{y:.1f}" text-anchor="end">{step}</text>')
    out.append(f'<text x="{left}" y="{top + height + 34}">GB/s over elements, one thread</text>')
    return '\n'.join(out + ['</svg>', ''])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path, help='the benchmark programs are in its folder')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--filter', default='.*')
    parser.add_argument('--peer', action='append', default=[], metavar='NAME=PROGRAM')
    parser.add_argument('--newest', metavar='FOLDER', help='also measure the newest PyTorch, kept in this folder')
    parser.add_argument('--svg', type=pathlib.Path)
    parser.add_argument('--markdown', type=pathlib.Path)
    options = parser.parse_args()

    folder = options.structured_gen.resolve().parent
    programs = {'ours': str(folder / 'bench_throughput')}
    if (folder / 'bench_throughput_torch').exists():
        programs['PyTorch 1.13'] = str(folder / 'bench_throughput_torch')
    else:
        print('bench_throughput_torch: not built (Debian: libtorch-dev)')
    if options.newest:
        title, program = newest_torch.program(options.newest, 'throughput')
        programs[title] = program
    programs.update(peer.split('=', 1) for peer in options.peer)

    results = {}
    for threads in map(int, options.threads.split(',')):
        results[threads] = measure(programs, options.filter, options.rounds, threads)
        print(as_text(table({threads: results[threads]})), flush=True)
    rows = table(results)
    if options.markdown:
        options.markdown.write_text(as_markdown(rows) + '\n')
    if options.svg:
        options.svg.write_text(as_svg(next(iter(results.values()))))


if __name__ == '__main__':
    main()
