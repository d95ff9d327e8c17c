#!/usr/bin/env python3
"""Imports a native_functions.yaml with `structured-gen import`, scans the result, and compares the schemas.

    import_yaml.py --structured-gen PATH --runtime DIR --work DIR --yaml FILE [--include DIR] [--export]

In the dialect aten, every `func:` line must come back from a scan with the headers of libtorch, which are in DIR or, by
default, installed. Texts are compared byte for byte, except for the quotes of strings; schemas that differ only in the names
of alias sets are counted separately. In the dialect native, every operator must come back that `import` did not leave out,
and the only reason to leave one out is a type or a backend that the dialect does not have. `import --check` must find no
difference. With `--export`, torchgen also reads the export (`list --format=yaml`) of the imported operators, and must find
the facts of its own file. Prints counts, and exits with 1 unless all of this holds.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

LEFT_OUT = re.compile(r'warning: .*operator `.*`: (?:none of its (?:kernels|impls) is for a backend of the dialect|'
                      r'the dialect has no C\+\+ type for the (?:argument|result) `.*`); left out')


def normal(line):
    """The line with string defaults in double quotes."""
    def requoted(match):
        inside = match.group(0)[1:-1].replace("\\'", "'")
        return '"' + re.sub(r'(?<!\\)"', r'\\"', inside) + '"'
    return re.sub(r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"',
                  lambda m: requoted(m) if m.group(0)[0] == "'" else m.group(0), line)


def without_alias_names(line):
    """The line with alias sets named by their order of appearance."""
    names = {}
    return re.sub(r'(?<=Tensor\()[a-z]+(?=!?[) ])',
                  lambda m: names.setdefault(m.group(0), f'set{len(names)}'), line)


def run(*command):
    """The command's output and error output. If the command fails, exits with its error output."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{done.stdout[-10000:]}{done.stderr[-10000:]}{command[0]} failed with {done.returncode}')
    return done.stdout, done.stderr


def library(dialect):
    """Options that describe the library of imported operators."""
    return [f'--dialect={dialect}', '--namespace=aten', '--cpp-namespace=' + ('at' if dialect == 'aten' else 'acme')]


def round_trip(options, dialect, includes):
    """Imports and scans all operators. Returns the fragment, the listed schemas and the number of operators left out."""
    source = options.work / f'{dialect}.cpp'
    fragment = options.work / f'{dialect}.json'
    source.unlink(missing_ok=True)
    source.with_name(source.stem + '_values.h').unlink(missing_ok=True)
    start = time.time()
    messages = run(options.structured_gen, 'import', options.yaml, *library(dialect), '-o', source)[1].splitlines()
    print(f'{dialect}: import: {time.time() - start:.2f} s; {messages.pop()}')
    unexplained = [line for line in messages if not LEFT_OUT.fullmatch(line.removeprefix('structured-gen: '))]
    if unexplained:
        sys.exit('\n'.join(unexplained))
    start = time.time()
    run(options.structured_gen, 'scan', f'--dialect={dialect}', '--source-root', options.work, '-o', fragment, source,
        '--', '-std=c++20', *[f'-I{folder}' for folder in includes])
    print(f'{dialect}: scan: {time.time() - start:.2f} s')
    return fragment, run(options.structured_gen, 'list', *library(dialect), fragment)[0].splitlines(), len(messages)


def compare(dialect, expected, listed, left_out):
    """Compares schemas and prints the counts. Returns whether all operators that were not left out come back."""
    found = {normal(line) for line in listed}
    missing = [line for line in expected if line not in found]
    renamed = {without_alias_names(line) for line in found}
    lost = [line for line in missing if without_alias_names(line) not in renamed]
    by_name = {line.split('(')[0]: line for line in found}
    # The others lack a declaration.
    wrong = [line for line in lost if line.split('(')[0] in by_name]
    for line in wrong:
        print(f'expected: {line}\n   found: {by_name[line.split("(")[0]]}')
    print(f'{dialect}: {len(expected) - len(missing)} of {len(expected)} schemas come back; {len(missing) - len(lost)} more '
          f'with other names of alias sets; {left_out} are left out')
    return not wrong and len(lost) == left_out and len(found) == len(expected) - left_out


def is_equal_for_check(options, dialect, fragment, left_out):
    """Whether `import --check` finds only the operators that were left out."""
    done = subprocess.run([options.structured_gen, 'import', '--check', options.yaml, *library(dialect), fragment],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    *differences, count = done.stdout.splitlines()
    print(f'{dialect}: import --check: {count}')
    others = [line for line in differences if not line.endswith('expected a declaration, found none')]
    print(''.join(line + '\n' for line in others), end='')
    return len(differences) == left_out and not others


def as_annotations_can_say(parsed):
    """Facts that torchgen reads from its own file, without those that annotations cannot express for single variants."""
    import torchgen_yaml
    from torchgen.gen import get_grouped_native_functions
    from torchgen.model import NativeFunctionsGroup
    facts = torchgen_yaml.facts(parsed)
    for known in facts.values():
        if known['precomputed']:
            replaced, added = known['precomputed']
            # ATen replaces an input by any number of values, annotations by the one of its name; the others are added.
            pairs = [(line.split(' -> ')[0], value) for line in replaced for value in line.split(' -> ')[1].split(', ')]
            same = [f'{name} -> {value}' for name, value in pairs if value.split()[-1] == name]
            known['precomputed'] = (same, [value for name, value in pairs if value.split()[-1] != name] + added)
    for entry in get_grouped_native_functions(parsed.native_functions):
        if isinstance(entry, NativeFunctionsGroup) and entry.structured:
            whole = facts[str(entry.functional.func.name)]
            for function in entry.functions():
                facts[str(function.func.name)].update(device_check=whole['device_check'], tags=whole['tags'])
    # torchgen excepts this one name from its own rule about names with `dropout`.
    facts['_cudnn_init_dropout_state']['tags'] = ['nondeterministic_seeded']
    return facts


def is_readable_for_torchgen(options, fragment, count):
    """Whether torchgen finds the facts of its own file in the export of the imported operators."""
    import torchgen_yaml
    exported = options.work / 'native_functions.yaml'
    exported.write_text(run(options.structured_gen, 'list', '--format=yaml', *library('aten'), fragment)[0])
    ours = torchgen_yaml.facts(torchgen_yaml.parse(exported))
    differences = torchgen_yaml.differences(as_annotations_can_say(torchgen_yaml.parse(options.yaml)), ours)
    print(''.join(line + '\n' for line in differences), end='')
    print(f'torchgen reads {len(ours)} of {count} operators from the export')
    return not differences and len(ours) == count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True)
    parser.add_argument('--runtime', required=True, help='directory that holds structured/')
    parser.add_argument('--work', required=True, type=pathlib.Path)
    parser.add_argument('--yaml', required=True, type=pathlib.Path)
    parser.add_argument('--include', help="directory of libtorch's headers, if they are not installed")
    parser.add_argument('--export', action='store_true')
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    expected = [normal(line[len('- func:'):].split('#')[0].strip())
                for line in options.yaml.read_text().splitlines() if line.startswith('- func:')]
    is_good = bool(expected)
    for dialect in ('aten', 'native'):
        libtorch = [options.include] if options.include and dialect == 'aten' else []
        fragment, listed, left_out = round_trip(options, dialect, [options.runtime, options.runtime + '/../schema', *libtorch])
        is_good &= compare(dialect, expected, listed, left_out)
        is_good &= is_equal_for_check(options, dialect, fragment, left_out)
        is_good &= dialect != 'aten' or left_out == 0
        if options.export and dialect == 'aten':
            is_good &= is_readable_for_torchgen(options, fragment, len(expected))
    return 0 if is_good else 1


if __name__ == '__main__':
    sys.exit(main())
