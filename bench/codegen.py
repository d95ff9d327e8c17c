#!/usr/bin/env python3
"""Times code generation on 500 synthetic structured operators (1,000 annotated functions in 20 sources).

    python3 bench/codegen.py --structured-gen build/release/bin/structured-gen --runtime runtime [--work DIR] [--runs N]

Each figure is the median of N runs pinned to one core. If Debian's python3-torch is installed, torchgen's time for all of
ATen is measured too, and ours for these functions, which `structured-gen import` writes as annotated C++.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCES = 20
OPERATORS_PER_SOURCE = 25
ROOT = pathlib.Path(__file__).resolve().parent.parent
ATEN = pathlib.Path('/usr/lib/python3/dist-packages/torchgen/packaged/ATen')

OPERATOR = '''
/// Binary operator number {n}, with a factor.
[[structured::meta("op{n}.Tensor", "op{n}_.Tensor", "op{n}.out")]]
void op{n}_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
                [[structured::kwonly]] const Scalar& alpha = 1) {{
  op.build_binary_op(op.maybe_get_output(), self, other);
}}
[[structured::impl("op{n}.out", "CPU")]]
void op{n}_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {{
  static_cast<void>(op), static_cast<void>(self), static_cast<void>(other), static_cast<void>(alpha);
  out.bump_version();
}}
'''


def write_sources(folder):
    sources = []
    for s in range(SOURCES):
        path = folder / f'kernels_{s:02}.cpp'
        operators = ''.join(OPERATOR.format(n=s * OPERATORS_PER_SOURCE + i) for i in range(OPERATORS_PER_SOURCE))
        path.write_text('#include <structured/structured.h>\nnamespace synthetic {\nusing namespace structured;\n' +
                        operators + '}\n')
        sources.append(path)
    return sources


class Bench:
    def __init__(self, options, work):
        self.tool, self.runs, self.work = options.structured_gen, options.runs, work
        self.flags = ['-std=c++20', f'-I{pathlib.Path(options.runtime).resolve()}', f'-I{ROOT / "schema"}']
        self.core = ['taskset', '-c', '0'] if shutil.which('taskset') else []

    def run(self, *arguments):
        subprocess.run([*self.core, self.tool, *map(str, arguments)], check=True, cwd=self.work)

    def median(self, action, before=lambda: None):
        times = []
        for _ in range(self.runs):
            before()
            start = time.perf_counter()
            action()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def precompile(self):
        self.run('precompile', '-o', 'runtime.pch', '--', *self.flags)

    def scan(self, *sources):
        self.run('scan', '--namespace=synthetic', '--pch', 'runtime.pch', '--source-root', '.', '--output-dir', 'fragments',
                 *sources, '--', *self.flags)

    def emit(self):
        fragments = sorted((self.work / 'fragments').rglob('*.fragment.json'))
        self.run('emit', '--namespace=synthetic', '--output-dir', 'emitted', *fragments)


def synthetic(bench):
    """Rows of (step, seconds, goal in seconds)."""
    sources = write_sources(bench.work)
    bench.precompile()
    precompiled_and_scanned = bench.median(lambda: (bench.precompile(), bench.scan(*sources)))
    scanned = bench.median(lambda: bench.scan(*sources))
    emitted = bench.median(bench.emit, before=lambda: shutil.rmtree(bench.work / 'emitted', ignore_errors=True))
    nothing_new = bench.median(bench.emit)
    changes = iter(range(10**6))

    def change():
        text = sources[0].read_text().split('\n[[structured::kernel("extra"')[0]
        sources[0].write_text(text + f'\n[[structured::kernel("extra", "CPU", "Meta")]]\nsynthetic_result extra{next(changes)}'
                              '(const structured::Tensor& self);\n')

    sources[0].write_text(sources[0].read_text() + '\nusing synthetic_result = structured::Tensor;\n')
    changed = bench.median(lambda: (bench.scan(sources[0]), bench.emit()), before=change)
    return [('precompile headers, scan 20 sources', precompiled_and_scanned, 0.6),
            ('scan 20 sources', scanned, 0.25),
            ('emit, first time', emitted, 0.3),
            ('emit, nothing new', nothing_new, None),
            ('one source changed: scan and emit', changed, 0.15)]


def torchgen_seconds(work):
    """Seconds of torchgen on all of ATen: the first and the second run. None if it is not installed."""
    if not ATEN.is_dir():
        return None
    command = ['/usr/bin/python3', '-m', 'torchgen.gen', '-s', str(ATEN), '-d', str(work / 'torchgen'),
               '--per-operator-headers']
    times = []
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument('--runtime', default=str(ROOT / 'runtime'))
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--runs', type=int, default=5)
    options = parser.parse_args()
    work = options.work or pathlib.Path(tempfile.mkdtemp(prefix='codegen'))
    work.mkdir(parents=True, exist_ok=True)
    print(f'{SOURCES * OPERATORS_PER_SOURCE} operators in {SOURCES} sources, one core, median of {options.runs} runs')
    for what, seconds, goal in synthetic(Bench(options, work)):
        print(f'  {what:40} {seconds * 1000:8.1f} ms' + (f'   (goal {goal * 1000:.0f} ms)' if goal else ''))

    theirs = torchgen_seconds(work)
    if theirs is None:
        print('torchgen: not installed (Debian: python3-torch)')
        return 0
    print(f'all of ATen\n  torchgen, first run {theirs[0]:14.2f} s\n  torchgen, second run {theirs[1]:13.2f} s', flush=True)
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE='1')
    ours = subprocess.run(['/usr/bin/python3', str(ROOT / 'test' / 'full' / 'import_yaml.py'), '--structured-gen',
                           options.structured_gen, '--runtime', options.runtime, '--work', str(work / 'aten'), '--yaml',
                           str(ATEN / 'native' / 'native_functions.yaml'), '--export'],
                          capture_output=True, text=True, env=environment)
    print('  ' + ours.stdout.replace('\n', '\n  ').rstrip())
    return ours.returncode


if __name__ == '__main__':
    sys.exit(main())
