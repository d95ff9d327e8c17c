#!/usr/bin/env python3
"""Checks that clang compiles the tool as g++ does, whose builds these are.

    clang_groups.py BUILD CLANG [-jN]

Several sources of the tool are compiled at once, and clang warns of more than g++: of a local name in one source that hides a
global one of another. `./dev demo` and the fuzz targets are built with clang. Reads the commands of the groups from BUILD and
lets clang check them without making code. Prints what clang says of each group that has errors.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys


def groups(build):
    """Arguments of g++ and the working folder by the source of a group in the tool."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        if '/Unity/' in entry['file'] and pathlib.Path(entry['file']).is_relative_to(build / 'tool'):
            found[entry['file']] = shlex.split(entry['command']), entry['directory']
    return found


def errors_of(clang, source, words, folder):
    """Returns the messages of clang for a group, or nothing without errors."""
    # Clang 19 finds deprecated calls in libstdc++ 12 itself.
    flags = [word for word in words if word.startswith(('-D', '-I', '-W', '-f', '-std=')) and word not in ('-Wno-restrict', '-Wno-init-list-lifetime')]
    systems = [flag for at, word in enumerate(words) if word == '-isystem' for flag in words[at:at + 2]]
    done = subprocess.run([clang, *flags, *systems, '-Wno-deprecated-declarations', '-fsyntax-only', source], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('clang')
    parser.add_argument('-j', type=int, default=2, dest='jobs')
    options = parser.parse_args()
    found = groups(options.build.resolve())
    if not found:
        sys.exit(f'clang_groups: error: expected groups of sources in {options.build}/compile_commands.json, found none')
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        errors = list(pool.map(lambda item: errors_of(options.clang, item[0], *item[1]), found.items()))
    print(''.join(errors), end='')
    failed = sum(bool(text) for text in errors)
    print(f'clang_groups: {len(errors) - failed} groups of sources passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
