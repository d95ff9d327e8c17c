"""Runs benchmarks whose peer is PyTorch's Python: bench/NAME/ours.cpp and the cases in bench/NAME.py, in turns."""
import argparse
import os
import pathlib
import subprocess
import sys
import time

from .tables import as_markdown, as_text

PYTHON = '/usr/bin/python3'  # the one that Debian's python3-torch is for
TORCH_VERSION = 'import torch; print(".".join(torch.__version__.split(".")[:2]))'


def measure_torch(cases):
    """Prints "MICROSECONDS NAME" for each (name, call) that `cases()` yields: the minimum of many calls."""
    import torch
    threads = int(os.environ['OMP_NUM_THREADS'])
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    # One thread: processor time, which excludes other load of the machine.
    clock = time.process_time if threads == 1 else time.perf_counter
    for name, call in cases():
        call()
        best, start, runs = 1e9, clock(), 0
        while runs < 3 or clock() - start < 0.1:
            before = clock()
            call()
            best, runs = min(best, clock() - before), runs + 1
        print(f'{best * 1e6:.2f} {name}', flush=True)


def lines_of(command, environment):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    times = {name: float(taken) for taken, name in (line.split(' ', 1) for line in lines)}
    # The clock of a virtual machine may stand still during a call.
    return {name: taken for name, taken in times.items() if taken > 0}


def table(threads, ours, theirs, version):
    rows = [[f'microseconds, threads: {threads}', 'ours', f'PyTorch {version}', 'ratio']]
    for name, taken in ours.items():
        peer = theirs.get(name)
        rows.append([name, f'{taken:,.1f}'] + ([f'{peer:,.1f}', f'{peer / taken:.1f}x'] if peer else ['', '']))
    return rows


def main(script, description, cases):
    """Runs both programs. `script` is the benchmark's path; with the argument `torch` it is the peer's program."""
    if sys.argv[1:] == ['torch']:
        measure_torch(cases)
        return
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', type=pathlib.Path, required=True, help='our program is in its folder')
    parser.add_argument('--python', default=PYTHON, help="the peer's interpreter, which can import torch")
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--markdown', type=pathlib.Path)
    options = parser.parse_args()
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), THREADS=str(options.threads))
    program = options.structured_gen.resolve().parent / f'bench_{pathlib.Path(script).stem}'
    version = subprocess.run([options.python, '-c', TORCH_VERSION], capture_output=True, text=True)
    has_torch = version.returncode == 0

    ours, theirs = {}, {}
    for number in range(options.rounds):
        print(f'round {number + 1} of {options.rounds}', file=sys.stderr, flush=True)
        runs = [(ours, [program])] + ([(theirs, [options.python, script, 'torch'])] if has_torch else [])
        for best, command in runs:
            for name, taken in lines_of(command, environment).items():
                best[name] = min(taken, best.get(name, taken))

    rows = table(options.threads, ours, theirs, version.stdout.strip())
    print(as_text(rows, 1))
    if options.markdown:
        options.markdown.write_text(as_markdown(rows, 1) + '\n')
    missing = set(ours) ^ set(theirs) if has_torch else set()
    if not ours or missing:
        sys.exit(f'expected both to measure the same, got only one for {sorted(missing)}')
