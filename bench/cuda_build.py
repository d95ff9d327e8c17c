#!/usr/bin/env python3
"""Measures what the CUDA backend costs without a GPU: compiling its kernels, and starting a program that is linked with it.

    python3 bench/cuda_build.py --structured-gen build/release/bin/structured-gen [--architecture 90] [--runs N]

Needs nvcc. Compiles the emitted sources of all scalar functions, and then the kernels that are written in .cu files, for one
architecture, and prints the processor time that nvcc and its child processes spend in user mode. The goal of 160 s comes from
a machine that needs 9.3 s for a source that only includes <cub/cub.cuh>, so such a source is compiled, too, before and
after, and the goal is 160 / 9.3 times its time. Starts empty programs: one
linked with nothing, one with our kernels for the CPU, one with the CUDA backend as well, which opens its kernels where there
is a device, and one that is linked with those, too. The libraries are those that `./dev test --only=cuda_code` builds. On a
machine with a driver, the start includes the driver's.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from load import start_milliseconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOAL_SECONDS = 160  # for scalar functions and one architecture, on a machine that compiles <cub/cub.cuh> in:
HEADER_SECONDS = 9.3
GOAL_MILLISECONDS = 1.0


def fail(message):
    sys.exit(f'bench/cuda_build: error: {message}')


def nvcc():
    """Path of nvcc, or None."""
    found = shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'
    return found if os.access(found, os.X_OK) else None


def compile_commands(options, work):
    """Commands of the backend's kernels, whose sources have been emitted."""
    configure = ['cmake', '-G', 'Ninja', '-S', ROOT, '-B', work, '-DCMAKE_BUILD_TYPE=Release', '-DSTRUCTURED_BUILD_TOOL=OFF',
                 f'-DSTRUCTURED_GEN_EXECUTABLE={options.structured_gen.resolve()}', '-DSTRUCTURED_BUILD_CUDA=ON',
                 f'-DCMAKE_CUDA_COMPILER={nvcc()}', f'-DCMAKE_CUDA_ARCHITECTURES={options.architecture}-real',
                 '-DSTRUCTURED_BUILD_TESTS=OFF', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON']
    for command in [configure, ['cmake', '--build', work, '--target', 'structured_kernels_cuda_emit']]:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            fail(f'`{" ".join(map(str, command))}` failed:\n{done.stdout}')
    commands = json.loads((work / 'compile_commands.json').read_text())
    return [entry for entry in commands
            if entry['file'].endswith('.cu') and '/structured_kernels_cuda.dir/' in entry['command']]


def user_seconds(entry):
    """User time of a compiler and its child processes."""
    output = re.search(r' -o (\S+)', entry['command'])[1]
    os.makedirs(os.path.dirname(os.path.join(entry['directory'], output)), exist_ok=True)
    process = subprocess.Popen(entry['command'], shell=True, cwd=entry['directory'])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        fail(f'nvcc failed for {entry["file"]}')
    return usage.ru_utime


def header_seconds(options, pool, work):
    """User time of nvcc for <cub/cub.cuh>, while as many compilations run as later: they slow down each other."""
    source = pathlib.Path(work) / 'header.cu'
    source.write_text('#include <cub/cub.cuh>\n')
    commands = [f'{nvcc()} -std=c++20 -O3 -arch=sm_{options.architecture} -c {source} -o {work}/header_{job}.o'
                for job in range(options.jobs)]
    times = list(pool.map(user_seconds, [{'command': command, 'directory': work, 'file': source} for command in commands]))
    return sum(times) / len(times)


def measure_compilation(options):
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        entries = compile_commands(options, pathlib.Path(work))
        header = header_seconds(options, pool, work)
        kinds = {'scalar functions': [], 'kernels in .cu files': []}
        for entry in entries:
            kinds['scalar functions' if entry['file'].endswith('.h.cu') else 'kernels in .cu files'].append(entry)
        is_good = True
        for kind, chosen in kinds.items():
            if not chosen:
                fail(f'expected sources with {kind}, found none')
            times = sorted(zip(pool.map(user_seconds, chosen), chosen), key=lambda pair: -pair[0])
            total = sum(seconds for seconds, _ in times)
            slowest = ', '.join(f'{pathlib.Path(entry["file"]).name} {seconds:.1f} s' for seconds, entry in times[:3])
            goal = ''
            if kind == 'scalar functions':
                header = (header + header_seconds(options, pool, work)) / 2
                times_header = total / header
                is_good = times_header <= GOAL_SECONDS / HEADER_SECONDS
                goal = (f', {times_header:.1f} times the {header:.1f} s of <cub/cub.cuh> '
                        f'(goal {GOAL_SECONDS / HEADER_SECONDS:.1f} times, {GOAL_SECONDS} s where it takes {HEADER_SECONDS} s)')
            print(f'{kind}: {len(chosen)} sources, {total:.0f} s{goal}; slowest: {slowest}', flush=True)
        return is_good


def measure_start(options):
    folder = options.structured_gen.resolve().parent.parent / 'lib'
    cpu = ['structured_kernels', 'structured_runtime']
    backend = ['structured_cuda', 'structured_kernels_cuda']
    for name in backend:
        library = folder / f'lib{name}.so'
        if not library.exists() or 'emulator' in subprocess.run(['readelf', '-d', library], capture_output=True,
                                                                text=True).stdout:
            print(f'start: skipped, because {library} is missing or for the emulator; `./dev test --only=cuda_code` builds it')
            return True
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work) / 'empty.cpp'
        source.write_text('int main() {}\n')
        programs = {}
        for name, libraries in {'empty': [], 'cpu': cpu, 'cuda': cpu + backend[:1], 'kernels': cpu + backend}.items():
            programs[name] = f'{work}/{name}'
            subprocess.run([options.cxx, '-O2', source, '-o', programs[name], '-Wl,--no-as-needed', f'-L{folder}',
                            *[f'-l{library}' for library in libraries], f'-Wl,-rpath,{folder}'], check=True)
        start = start_milliseconds(programs, options.runs)
    more = start['cuda'] - start['cpu']
    print(f'an empty program starts in {start["empty"]:.2f} ms, linked with our kernels for the CPU in {start["cpu"]:.2f} ms, '
          f'with the CUDA backend in {start["cuda"]:.2f} ms: {more:.2f} ms more (goal {GOAL_MILLISECONDS} ms); linked with its '
          f'kernels, too, in {start["kernels"]:.2f} ms')
    return more <= GOAL_MILLISECONDS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--architecture', default='90', help='compute capability without a dot (default: 90)')
    parser.add_argument('--cxx', default='g++')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--runs', type=int, default=200)
    options = parser.parse_args()
    if nvcc() is None:
        print('skipped: nvcc is neither in PATH nor in /usr/local/cuda/bin')
        return 0
    is_good = [measure_start(options), measure_compilation(options)]
    return 0 if all(is_good) else 1


if __name__ == '__main__':
    sys.exit(main())
