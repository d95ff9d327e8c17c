#!/usr/bin/env python3
"""Removes one check of the runtime after the other, and demands that the tests that are named for it fail.

    python3 removed_checks.py BUILD WORK [--only REGEX] [-jN]

A check that no test misses could be lost for speed's sake, and nobody would know. BUILD is a finished build by Ninja.
Nothing in it is changed, nor are the sources: what contains the check is compiled from a copy, and linked with the rest
of the build. The list of checks is checks.py. An entry is an error, too, where its text is no longer in the source
exactly once, or where its tests fail already, or are no tests at all.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import checks

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Mistake(Exception):
    """The entry does not describe what is there."""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


class Build:
    def __init__(self, folder):
        self.folder = folder
        commands = json.loads((folder / 'compile_commands.json').read_text())
        self.commands = {pathlib.Path(entry['file']): entry for entry in commands}

    def source(self, name):
        """`@` stands for the build folder, where emitted sources are."""
        return self.folder / name[1:] if name.startswith('@') else ROOT / name

    def compile(self, source, work, changed, text):
        """The object of `source`, where the file `changed` has `text`, and the object that it stands for."""
        entry = self.commands.get(source)
        if entry is None:
            raise Mistake(f'expected a source of the build, got `{source}`')
        words = shlex.split(entry['command'])
        if os.path.basename(words[0]) == 'ccache':
            words = words[1:]
        output = work / (source.name + '.o')
        place = words.index('-o') + 1
        original, words[place] = words[place], str(output)
        if '-MF' in words:
            words[words.index('-MF') + 1] = str(output) + '.d'
        if changed == source:
            copy = work / source.name
            copy.write_text(text)
            words[words.index('-c') + 1] = str(copy)
            words += ['-iquote', str(source.parent)]
        else:
            overlay = work / 'include' / changed.relative_to(ROOT / 'runtime')
            overlay.parent.mkdir(parents=True, exist_ok=True)
            overlay.write_text(text)
            words.insert(1, f'-I{work / "include"}')
        result = run(words + ['-w'], cwd=entry['directory'])
        if result.returncode != 0:
            raise Mistake('does not compile:\n' + result.stderr[-2000:])
        return original, str(output)

    def link(self, target, objects, work):
        """The library or program `target` with other objects, and where it is."""
        commands = run(['ninja', '-C', str(self.folder), '-t', 'commands', target]).stdout
        # A library's own name is a link to the file, which has its version.
        found = re.findall(rf'^.* -o ({re.escape(target)}\S*) .*$', commands, re.MULTILINE)
        output = found[-1]
        command = next(line for line in commands.splitlines() if f' -o {output} ' in line)
        name = os.path.basename(output)
        soname = re.search(r'-Wl,-soname,(\S+)', command)
        place = work / (soname[1] if soname else name)
        command = command.replace(f' -o {output} ', f' -o {place} ')
        for original, replacement in objects:
            if f' {original} ' not in command:
                raise Mistake(f'`{original}` is no part of `{target}`')
            command = command.replace(f' {original} ', f' {replacement} ')
        result = run(command, cwd=self.folder, shell=True)
        if result.returncode != 0:
            raise Mistake('cannot be linked:\n' + (result.stdout + result.stderr)[-2000:])
        return place


def target_of(output):
    """What an object is linked into: the name that its folder has."""
    name = re.search(r'CMakeFiles/([^/]+)\.dir/', output)[1]
    return f'lib/lib{name}.so' if name in ('structured_runtime', 'structured_kernels') else f'bin/{name}'


def run_tests(program, pattern, libraries=None):
    """Whether they pass, and how many there are."""
    environment = dict(os.environ)
    if libraries is not None:
        environment['LD_LIBRARY_PATH'] = str(libraries)
    result = run([str(program), f'--gtest_filter={pattern}'], env=environment, timeout=300)
    count = re.search(r'Running (\d+) test', result.stdout)
    if count is None:
        raise Mistake('the tests cannot be run:\n' + (result.stdout + result.stderr)[-2000:])
    return result.returncode == 0, int(count[1])


def remove(build, check, work):
    """Throws Mistake unless the tests miss the check."""
    changed = build.source(check.file)
    text = changed.read_text()
    if text.count(check.text) != 1:
        raise Mistake(f'expected its text in `{check.file}` once, found it {text.count(check.text)} times')
    program = build.folder / 'bin' / check.program
    passes, count = run_tests(program, check.tests)
    if not passes or count == 0:
        raise Mistake(f'expected tests that pass, got {count} of which some fail' if count else 'there are no such tests')

    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    objects = {}
    for name in check.sources or [check.file]:
        original, replacement = build.compile(build.source(name), work, changed,
                                              text.replace(check.text, check.instead))
        objects.setdefault(target_of(original), []).append((original, replacement))
    for target, replaced in objects.items():
        place = build.link(target, replaced, work)
        if target == f'bin/{check.program}':
            program = place
    passes, _ = run_tests(program, check.tests, work)
    if passes:
        raise Mistake(f'no test misses it: `{check.program} --gtest_filter={check.tests}` passes without it')
    shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('work', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--only', default='', help='regular expression')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = Build(options.build)
    wanted = [(i, check) for i, check in enumerate(checks.CHECKS) if re.search(options.only, check.what)]

    def attempt(numbered):
        number, check = numbered
        try:
            remove(build, check, options.work / str(number))
        except (Mistake, OSError, subprocess.TimeoutExpired) as mistake:
            return str(mistake)
        return None

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for (_, check), mistake in zip(wanted, pool.map(attempt, wanted)):
            print(f'{"error" if mistake else "ok":6} {check.what}' + (f': {mistake}' if mistake else ''), flush=True)
            failed += mistake is not None
    print(f'{len(wanted) - failed} of {len(wanted)} checks are missed when they are removed')
    return 1 if failed or not wanted else 0


if __name__ == '__main__':
    sys.exit(main())
