#!/usr/bin/env python3
"""Measures the cost of compiling our headers and emitted sources.

    python3 bench/compile.py --structured-gen build/release/bin/structured-gen [--cxx g++] [--runs N] [--work DIR]

Measures a caller of one operator that includes this operator's header, and everything emitted for 500 synthetic structured
operators with two backends, compiled on one core as structured_add_library does: wrappers source by source, tables and boxed
calls in batches of four sources. The caller is measured with PyTorch's header too if Debian's libtorch-dev is installed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import codegen

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOAL_CALLER = 0.35   # seconds
GOAL_EMITTED = 25    # seconds
GOAL_MEMORY = 700    # MB

CALLER = '''#include <structured/ops/add.h>
structured::Tensor twice(const structured::Tensor& a) { return structured::add(a, a); }
'''
PEER = '''#include <ATen/ops/add.h>
at::Tensor twice(const at::Tensor& a) { return at::add(a, a); }
'''
SECOND_BACKEND = '''
[[structured::impl("op{n}.out", "PrivateUse1")]]
void op{n}_other(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha,
                 const Tensor& out) {{
  op{n}_cpu(op, self, other, alpha, out);
}}
'''


def compile_once(command):
    """CPU seconds and peak memory in MB of a compiler and its child processes."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f'bench/compile: expected a compiler that is content, got status {status} from: {" ".join(command)}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def caller_seconds(options, text, flags, work):
    source = work / 'caller.cpp'
    source.write_text(text)
    command = [options.cxx, '-O2', '-c', str(source), '-o', str(work / 'caller.o'), *flags]
    return statistics.median(compile_once(command)[0] for _ in range(options.runs))


def emit_synthetic(options, work):
    codegen.OPERATOR += SECOND_BACKEND
    sources = codegen.write_sources(work)
    bench = codegen.Bench(options, work)
    bench.precompile()
    bench.scan(*sources)
    bench.emit()
    return sorted((work / 'emitted').rglob('*.cpp'))


def batches(sources, prefix):
    """Writes sources that include four of the given ones each."""
    result = []
    for first in range(0, len(sources), 4):
        batch = prefix.with_name(f'{prefix.name}_{first // 4}.cpp')
        batch.write_text(''.join(f'#include "{source}"\n' for source in sources[first:first + 4]))
        result.append(batch)
    return result


def emitted(options, work):
    """(kind, sources, CPU seconds, peak MB) for each kind of emitted source."""
    kinds = {'wrappers': [], 'tables': [], 'boxed calls': []}
    for source in emit_synthetic(options, work):
        kind = 'boxed calls' if '.boxed.' in source.name else 'tables' if '.tables.' in source.name else 'wrappers'
        kinds[kind].append(source)
    for kind in ('tables', 'boxed calls'):
        kinds[kind] = batches(kinds[kind], work / kind.replace(' ', '_'))
    flags = ['-std=c++20', '-O2', '-fPIC', '-fvisibility=hidden', f'-I{options.runtime}', f'-I{ROOT / "schema"}',
             f'-I{work / "emitted/include"}', f'-I{work}', '-Wno-attributes']
    for kind, sources in kinds.items():
        results = [compile_once([options.cxx, *flags, '-c', str(source), '-o', str(work / 'emitted.o')])
                   for source in sources]
        yield kind, len(sources), sum(time for time, _ in results), max(memory for _, memory in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument('--runtime', default=str(ROOT / 'runtime'))
    parser.add_argument('--cxx', default='g++')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--work', type=pathlib.Path)
    options = parser.parse_args()
    work = (options.work or pathlib.Path(tempfile.mkdtemp(prefix='compile'))).resolve()
    work.mkdir(parents=True, exist_ok=True)

    emitted_include = pathlib.Path(options.structured_gen).parent.parent / 'kernels/structured_kernels.gen/include'
    ours = caller_seconds(options, CALLER, ['-std=c++20', f'-I{options.runtime}', f'-I{ROOT / "schema"}', f'-I{emitted_include}'],
                          work)
    print(f'a caller of one operator, {options.cxx} -O2: {ours:.2f} s (goal {GOAL_CALLER} s)', flush=True)
    if pathlib.Path('/usr/include/ATen/ops/add.h').exists():
        theirs = caller_seconds(options, PEER, ['-std=c++17'], work)
        print(f'a caller in PyTorch: {theirs:.2f} s, {theirs / ours:.1f} times as long', flush=True)
    else:
        print('a caller in PyTorch: not measured (install Debian\'s libtorch-dev)')

    seconds, memory = 0, 0
    for kind, count, time, peak in emitted(options, work):
        print(f'emitted {kind:12} {count:4} sources {time:8.1f} s {peak:8.0f} MB', flush=True)
        seconds, memory = seconds + time, max(memory, peak)
    print(f'all sources emitted for 500 operators with two backends: {seconds:.1f} s (goal {GOAL_EMITTED} s), at most '
          f'{memory:.0f} MB (goal {GOAL_MEMORY} MB)')
    return 0 if ours <= GOAL_CALLER and seconds <= GOAL_EMITTED and memory <= GOAL_MEMORY else 1


if __name__ == '__main__':
    sys.exit(main())
