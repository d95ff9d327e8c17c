#!/usr/bin/env python3
"""Measures the overhead of calls beyond their arithmetic, ours and PyTorch's in turns: nanoseconds and instructions.

    python3 bench/overhead.py --structured-gen build/release/bin/structured-gen [--rounds N] [--filter REGEX]
                              [--newest FOLDER] [--peer NAME=PROGRAM] [--svg FILE] [--markdown FILE] [--goals]

The programs are bench_overhead and, if Debian's libtorch-dev is installed, bench_overhead_torch. They run in turns, N times
each; figures are medians. Instructions come from callgrind, if it is installed; it supports AVX2 but not AVX-512, so
that both programs run AVX2 code under it. The newest PyTorch wheel (--newest, see shared/newest_torch.py) or another
peer gets its own column.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from shared import newest_torch
from shared.tables import as_markdown, as_text

# Upper bounds: instructions, nanoseconds.
GOALS = {
    'add': (450, 18), 'add_out': (275, 10), 'add_': (265, 10), 'cpu::add': (425, 17), 'cpu::add_out': (245, 9.5),
    'boxed add': (680, 50), 'add on meta': (320, 14), 'meta::add': (300, 13), 'add number': (450, 18),
    'add int32 + float32': (700, 32), 'sum over a dimension': (500, 18), 'cat of two': (520, 21), 'mm 2x2': (590, 22),
    'dot': (455, 30),
    'clone': (300, 13), 'upsample_nearest1d': (500, 20), 'add transposed': (900, 35), 'add broadcast': (850, 33),
    'empty': (230, 10), 'view': (190, 18), 'select': (200, 18), 'transpose': (210, 18), 'prepared add_out': (70, 3),
}
CALLS = 100  # whose instructions are counted


def nanoseconds_of(command, pattern):
    """Nanoseconds per call, by case, of a program with the main function of overhead/cases.h."""
    output = subprocess.run([*command, pattern], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.rsplit(' ', 1) for line in output.splitlines())}


def instructions_of(command, pattern):
    """Instructions per call, by case; empty without callgrind."""
    if shutil.which('valgrind') is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['valgrind', '--quiet', '--tool=callgrind', '--instr-atstart=no',
                        f'--callgrind-out-file={folder}/out', *command, f'--instructions={CALLS}', pattern],
                       check=True, capture_output=True)
        counts = {}
        for path in pathlib.Path(folder).iterdir():
            text = path.read_text()
            name = re.search(r'^desc: Trigger: Client Request: (.*)$', text, re.MULTILINE)
            total = re.search(r'^(?:summary|totals): (\d+)', text, re.MULTILINE)
            if name and total:
                counts[name[1]] = int(total[1]) / CALLS
        return counts


def measure(programs, pattern, rounds):
    """{program: {case: (instructions or None, nanoseconds)}}. The programs run in turns."""
    times = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            times[name].append(nanoseconds_of([program], pattern))
    result = {}
    for name, program in programs.items():
        counts = instructions_of([program], pattern)
        result[name] = {case: (counts.get(case), statistics.median(round_[case] for round_ in times[name]))
                        for case in times[name][0]}
    return result


def number(value, digits=0):
    return '' if value is None else f'{value:,.{digits}f}'


def table(results):
    """Rows of text cells, the header first."""
    peers = [name for name in results if name != 'ours']
    rows = [['case', 'goal: instr; ns', 'ours: instr', 'ns'] +
            [title for peer in peers for title in (f'{peer}: instr', 'ns', 'ns, ratio')]]
    for case, (count, time) in results['ours'].items():
        goal = GOALS.get(case)
        row = [case, f'{goal[0]}; {goal[1]:g}' if goal else '', number(count), number(time, 1)]
        for peer in peers:
            theirs = results[peer].get(case)
            row += [number(theirs[0]), number(theirs[1]), f'{theirs[1] / time:.1f}x'] if theirs else ['', '', '']
        rows.append(row)
    return rows


def as_svg(results):
    """Plots nanoseconds per call on a logarithmic scale, with a bar for each program."""
    cases = list(results['ours'])
    names = list(results)
    colours = ['#2b6cb0', '#c9c9c9', '#e0b060']
    bar, gap, left, width = 9, 8, 170, 620
    row = bar * len(names) + gap
    lowest, highest = 1.0, max(value[1] for result in results.values() for value in result.values()) * 1.3
    decades = [10 ** i for i in range(0, 5) if 10 ** i < highest]

    def x(value):
        import math
        return left + (width - left) * math.log(max(value, lowest) / lowest) / math.log(highest / lowest)

    height = len(cases) * row + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 60}" height="{height}" '
           'font-family="sans-serif" font-size="11">', f'<rect width="{width + 60}" height="{height}" fill="white"/>']
    for i, name in enumerate(names):
        out.append(f'<rect x="{left + i * 120}" y="8" width="10" height="10" fill="{colours[i % 3]}"/>'
                   f'<text x="{left + 14 + i * 120}" y="17">{name}</text>')
    for decade in decades:
        out.append(f'<line x1="{x(decade):.1f}" x2="{x(decade):.1f}" y1="26" y2="{height - 26}" stroke="#ddd"/>'
                   f'<text x="{x(decade):.1f}" y="{height - 10}" text-anchor="middle">{decade} ns</text>')
    for i, case in enumerate(cases):
        top = 30 + i * row
        out.append(f'<text x="{left - 6}" y="{top + row / 2:.0f}" text-anchor="end">{case}</text>')
        for j, name in enumerate(names):
            if case in results[name]:
                time = results[name][case][1]
                out.append(f'<rect x="{left}" y="{top + j * bar}" width="{x(time) - left:.1f}" height="{bar - 1}" '
                           f'fill="{colours[j % 3]}"/><text x="{x(time) + 3:.1f}" y="{top + j * bar + 8}" '
                           f'font-size="9">{time:.1f}</text>')
    return '\n'.join(out + ['</svg>', ''])


def missed_goals(results):
    """Cases above their goal in instructions, which are the same in every run."""
    return [f'{case}: expected at most {goal[0]} instructions, got {results["ours"][case][0]:.0f}'
            for case, goal in GOALS.items()
            if case in results['ours'] and (results['ours'][case][0] or 0) > goal[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path, help='the benchmark programs are in its folder')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--filter', default='.*')
    parser.add_argument('--peer', action='append', default=[], metavar='NAME=PROGRAM')
    parser.add_argument('--newest', metavar='FOLDER', help='also measure the newest PyTorch, kept in this folder')
    parser.add_argument('--svg', type=pathlib.Path)
    parser.add_argument('--markdown', type=pathlib.Path)
    parser.add_argument('--goals', action='store_true', help='exit with 1 if a case takes more instructions than its goal')
    options = parser.parse_args()

    folder = options.structured_gen.resolve().parent
    programs = {'ours': str(folder / 'bench_overhead')}
    if (folder / 'bench_overhead_torch').exists():
        programs['PyTorch 1.13'] = str(folder / 'bench_overhead_torch')
    else:
        print('bench_overhead_torch: not built (Debian: libtorch-dev)')
    if options.newest:
        title, program = newest_torch.program(options.newest, 'overhead')
        programs[title] = program
    programs.update(peer.split('=', 1) for peer in options.peer)
    os.environ.setdefault('OMP_NUM_THREADS', '1')

    results = measure(programs, options.filter, options.rounds)
    rows = table(results)
    print(as_text(rows))
    if options.markdown:
        options.markdown.write_text(as_markdown(rows) + '\n')
    if options.svg:
        options.svg.write_text(as_svg(results))
    missed = missed_goals(results)
    for line in missed:
        print(line)
    return 1 if options.goals and missed else 0


if __name__ == '__main__':
    sys.exit(main())
