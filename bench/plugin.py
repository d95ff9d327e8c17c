#!/usr/bin/env python3
"""Compiles our kernels with and without the Clang plugin, and compares time and object files.

    python3 bench/plugin.py --structured-gen build/release/bin/structured-gen [--runs N] [--only REGEX] [--instructions]

Flags come from the build that contains structured-gen; the compiler is clang++-19. Each figure is the minimal processor time
(user and system) of N runs in turns. The plugin checks against the library's signatures.json, as with
structured_add_library(... PLUGIN). With --instructions, valgrind counts instructions instead, in one run: this takes minutes
for each source and does not depend on other work of the machine.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT_FLAGS = re.compile(r'-(?:[DIUOg]|std=|isystem|f(?:PIC|openmp|visibility))')


def kernel_commands(build):
    """Pairs of a kernel source and its flags from compile_commands.json."""
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        source = pathlib.Path(entry['file'])
        if not source.is_relative_to(ROOT / 'kernels') or source.suffix != '.cpp':
            continue
        words = shlex.split(entry['command'])
        flags = []
        for word, after in zip(words, words[1:]):
            if KEPT_FLAGS.match(word):
                flags += [word, after] if word in ('-isystem', '-I', '-D') else [word]
        yield source, flags


def cpu_seconds(command):
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit('failed: ' + shlex.join(command))
    return usage.ru_utime + usage.ru_stime


def instructions(command):
    run = subprocess.run(['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', *command],
                         capture_output=True, text=True)
    count = re.search(r'I\s+refs:\s+([\d,]+)', run.stderr)
    if run.returncode != 0 or not count:
        sys.exit(run.stderr)
    return int(count[1].replace(',', ''))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--clangxx', default='clang++-19')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--only', default='', help='sources whose path below kernels/ matches')
    parser.add_argument('--instructions', action='store_true')
    options = parser.parse_args()
    build = options.structured_gen.resolve().parent.parent
    plugin = [f'-fplugin={build}/lib/StructuredPlugin.so',
              f'-fplugin-arg-structured-signatures={build}/kernels/structured_kernels.gen/include/structured/signatures.json']
    measure, unit, scale, runs = (instructions, 'G', 1e9, 1) if options.instructions else (cpu_seconds, 's', 1, options.runs)
    sums = [0, 0]
    different = 0
    print('kernels/' + ' ' * 22 + 'without      with    more   object')
    with tempfile.TemporaryDirectory(prefix='plugin') as work:
        for source, flags in sorted(kernel_commands(build)):
            name = str(source.relative_to(ROOT / 'kernels'))
            if not re.search(options.only, name):
                continue
            objects = [pathlib.Path(work, 'without.o'), pathlib.Path(work, 'with.o')]
            commands = [[options.clangxx, *flags, *extra, '-Wno-unknown-attributes', '-c', str(source), '-o', str(object)]
                        for extra, object in zip(([], plugin), objects)]
            rounds = [[measure(command) for command in commands] for _ in range(runs)]
            least = [min(times) / scale for times in zip(*rounds)]
            sums = [a + b for a, b in zip(sums, least)]
            same = objects[0].read_bytes() == objects[1].read_bytes()
            different += not same
            print(f'  {name:22} {least[0]:8.3f} {unit} {least[1]:7.3f} {unit} {100 * (least[1] / least[0] - 1):+5.1f} %  '
                  f'{"same bytes" if same else "DIFFERENT"}', flush=True)
    if not sums[0]:
        sys.exit('no kernels: no compile_commands.json of ours beside structured-gen, or nothing matches')
    print(f'  {"together":22} {sums[0]:8.3f} {unit} {sums[1]:7.3f} {unit} {100 * (sums[1] / sums[0] - 1):+5.1f} %')
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
