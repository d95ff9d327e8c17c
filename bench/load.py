#!/usr/bin/env python3
"""Measures how much longer a program that is linked with our libraries takes to start.

    python3 bench/load.py --structured-gen build/release/bin/structured-gen [--cxx g++] [--runs N]

Counts the initialisers that run when our libraries are loaded (besides the one from the compiler's start files) and the
relocations for each kernel, and measures the processor time of empty programs: linked with our kernels, with only the system
libraries that our libraries need, and with neither.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

GOAL_MILLISECONDS = 1.0
LIBRARIES = ['libstructured_runtime.so', 'libstructured_kernels.so']


def initialisers(library):
    """Number of functions that run when the library is loaded, without the one from the start files."""
    sections = subprocess.run(['readelf', '-W', '-S', library], check=True, capture_output=True, text=True).stdout
    found = re.search(r'\.init_array\s+\S+\s+\S+\s+\S+\s+([0-9a-f]+)', sections)
    return int(found[1], 16) // 8 - 1 if found else 0


def relocations(library):
    text = subprocess.run(['readelf', '-W', '-r', library], check=True, capture_output=True, text=True).stdout
    return len(re.findall(r'^[0-9a-f]{8,}', text, re.MULTILINE))


def kernels(library):
    """Number of kernels in dispatch tables: wrappers in the symbol table of an unstripped library."""
    text = subprocess.run(['nm', '-C', library], check=True, capture_output=True, text=True).stdout
    return len(set(re.findall(r'::emitted::(wrapper_\w+)\(', text)))


def start_milliseconds(programs, runs):
    """Median times; the programs run in turns."""
    times = {name: [] for name in programs}
    for _ in range(runs):
        for name, program in programs.items():
            process = os.posix_spawn(program, [program], os.environ)
            _, status, usage = os.wait4(process, 0)
            if status != 0:
                sys.exit(f'bench/load: expected a program that ends well, got status {status} from {program}')
            times[name].append((usage.ru_utime + usage.ru_stime) * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--cxx', default='g++')
    parser.add_argument('--runs', type=int, default=200)
    options = parser.parse_args()
    folder = options.structured_gen.resolve().parent.parent / 'lib'
    is_good = True
    for library in LIBRARIES:
        count = initialisers(folder / library)
        is_good = is_good and count == 0
        print(f'{library}: {count} initialisers of its own (goal 0), {relocations(folder / library)} relocations')
    print(f'{kernels(folder / LIBRARIES[1])} kernels in dispatch tables')

    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work) / 'empty.cpp'
        source.write_text('int main() {}\n')
        programs = {'empty': f'{work}/empty', 'system': f'{work}/system', 'linked': f'{work}/linked'}
        subprocess.run([options.cxx, '-O2', str(source), '-o', programs['empty']], check=True)
        subprocess.run([options.cxx, '-O2', str(source), '-o', programs['system'], '-Wl,--no-as-needed', '-lstdc++', '-lm',
                        '-lgcc_s', '-lgomp'], check=True)
        subprocess.run([options.cxx, '-O2', str(source), '-o', programs['linked'], '-Wl,--no-as-needed', f'-L{folder}',
                        '-lstructured_kernels', '-lstructured_runtime', f'-Wl,-rpath,{folder}'], check=True)
        start = start_milliseconds(programs, options.runs)
    more = start['linked'] - start['empty']
    print(f'an empty program: {start["empty"]:.2f} ms; linked with our kernels: {start["linked"]:.2f} ms, '
          f'{more:.2f} ms more (goal {GOAL_MILLISECONDS} ms); system libraries take '
          f'{start["system"] - start["empty"]:.2f} ms of it')
    return 0 if is_good and more <= GOAL_MILLISECONDS else 1


if __name__ == '__main__':
    sys.exit(main())
