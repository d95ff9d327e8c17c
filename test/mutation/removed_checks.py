#!/usr/bin/env python3
"""Removes the checks of the runtime one by one, and expects the tests named for each to fail without it.

    python3 removed_checks.py BUILD WORK [--only REGEX] [--sample N] [-jN]

Optimization could lose a check that no test covers. BUILD is a finished Ninja build; the script changes neither it nor
the sources: it compiles a copy of the file without the check and links it with the rest of the build. checks.py lists
the checks. An entry is wrong if the source does not contain its text exactly once, if its tests already fail, or if its
filter matches no test. With --sample, N checks are removed, and of the others only the text is looked for.
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
INCLUDE_ROOTS = [ROOT / name for name in ('runtime', 'schema')]


class Mistake(Exception):
    """The entry does not match the source, the build or the tests."""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def without_precompiled_header(words):
    """Leaves out the header that CMake precompiles, which may contain the file that changes."""
    return [word for word, following in zip(words, words[1:] + [''])
            if not (word.endswith('/cmake_pch.hxx') or following.endswith('/cmake_pch.hxx') or word == '-Winvalid-pch')]


class Build:
    def __init__(self, folder):
        self.folder = folder
        commands = json.loads((folder / 'compile_commands.json').read_text())
        # Libraries X_sources are never built; see structured_unity_build in cmake.
        built = [entry for entry in commands if not re.search(r'_sources\.dir/', entry['command'])]
        self.commands = {pathlib.Path(entry['file']): entry for entry in built}
        self.unity_sources = {}
        for path in self.commands:
            if re.search(r'/Unity/|\.groups/|\.batches/', str(path)):
                for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE):
                    self.unity_sources[pathlib.Path(name)] = path

    def source(self, name):
        """Path of a source; `@` stands for the build folder, which holds emitted sources."""
        return self.folder / name[1:] if name.startswith('@') else ROOT / name

    def compile(self, source, work, changed, text):
        """Compiles `source` with `text` in place of the file `changed`. Returns the original object and the new one."""
        group = None if source in self.commands else self.unity_sources.get(source)
        if changed != source:
            source = group or source
        entry = self.commands.get(group or source)
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
            compiled = copy
            if group is not None:
                compiled = work / f'with_{source.name}'
                compiled.write_text(group.read_text().replace(f'"{source}"', f'"{copy}"'))
            words[words.index('-c') + 1] = str(compiled)
            words += ['-iquote', str(source.parent)]
        else:
            root = next(root for root in INCLUDE_ROOTS if changed.is_relative_to(root))
            overlay = work / 'include' / changed.relative_to(root)
            overlay.parent.mkdir(parents=True, exist_ok=True)
            overlay.write_text(text)
            words.insert(1, f'-I{work / "include"}')
        words = without_precompiled_header(words)
        result = run(words + ['-w'], cwd=entry['directory'])
        if result.returncode != 0:
            raise Mistake('does not compile:\n' + result.stderr[-2000:])
        return original, str(output)

    def link(self, target, objects, work):
        """Links the library or program `target` with replaced objects and returns its path."""
        commands = run(['ninja', '-C', str(self.folder), '-t', 'commands', target]).stdout
        # The name of a library is a link to the file with its version.
        found = re.findall(rf'^.* -o ({re.escape(target)}\S*) .*$', commands, re.MULTILINE)
        if not found:
            raise Mistake(f'nothing links `{target}`')
        output = found[-1]
        command = next(line for line in commands.splitlines() if f' -o {output} ' in line)
        name = os.path.basename(output)
        soname = re.search(r'-Wl,-soname,(\S+)', command)
        place = work / (soname[1] if soname else name)
        command = command.replace(f' -o {output} ', f' -o {place} ')
        for original, replacement in objects:
            if f' {original} ' not in command:
                raise Mistake(f'`{original}` is not linked into `{target}`')
            command = command.replace(f' {original} ', f' {replacement} ')
        result = run(command, cwd=self.folder, shell=True)
        if result.returncode != 0:
            raise Mistake('does not link:\n' + (result.stdout + result.stderr)[-2000:])
        return place


def target_of(output):
    """Library or program that an object is linked into, from the name of its folder."""
    name = re.search(r'CMakeFiles/([^/]+)\.dir/', output)[1]
    return f'lib/lib{name}.so' if name in ('structured_runtime', 'structured_kernels') else f'bin/{name}'


def run_tests(program, pattern, libraries=None):
    """Whether the tests pass, and their number."""
    environment = dict(os.environ)
    if libraries is not None:
        environment['LD_LIBRARY_PATH'] = str(libraries)
    result = run([str(program), f'--gtest_filter={pattern}'], env=environment, timeout=300)
    count = re.search(r'Running (\d+) test', result.stdout)
    if count is None:
        raise Mistake('cannot run the tests:\n' + (result.stdout + result.stderr)[-2000:])
    return result.returncode == 0, int(count[1])


def find(build, check):
    """The file with the check, and its text. Throws Mistake unless the check is there once."""
    changed = build.source(check.file)
    text = changed.read_text()
    if text.count(check.text) != 1:
        raise Mistake(f'expected its text in `{check.file}` once, found it {text.count(check.text)} times')
    return changed, text


def remove(build, check, work):
    """Throws Mistake unless a test fails without the check."""
    changed, text = find(build, check)
    program = build.folder / 'bin' / check.program
    passes, count = run_tests(program, check.tests)
    if not passes or count == 0:
        raise Mistake(f'some of the {count} tests fail already' if count else 'the filter matches no test')

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
        raise Mistake(f'no test covers it: `{check.program} --gtest_filter={check.tests}` passes without it')
    shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('work', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--only', default='', help='regular expression')
    parser.add_argument('--sample', type=int, metavar='N', help='remove N checks, evenly chosen')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = Build(options.build)
    wanted = [(i, check) for i, check in enumerate(checks.CHECKS) if re.search(options.only, check.name)]
    step = -(-len(wanted) // options.sample) if options.sample else 1
    removed = {number for number, _ in wanted[::max(step, 1)]}

    def attempt(numbered):
        number, check = numbered
        try:
            if number in removed:
                remove(build, check, options.work / str(number))
            else:
                find(build, check)
        except (Mistake, OSError, subprocess.TimeoutExpired) as mistake:
            return str(mistake)
        return None

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for (_, check), mistake in zip(wanted, pool.map(attempt, wanted)):
            if mistake or not options.sample:
                print(f'{"error" if mistake else "ok":6} {check.name}' + (f': {mistake}' if mistake else ''), flush=True)
            failed += mistake is not None
    print(f'{len(wanted) - failed} of {len(wanted)} entries are right, {len(removed)} checks were removed')
    return 1 if failed or not wanted else 0


if __name__ == '__main__':
    sys.exit(main())
