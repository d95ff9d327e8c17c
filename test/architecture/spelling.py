"""Checks what clang-format does not: one spelling of fixed-width integer types, and one form of include guards.

    python3 spelling.py ROOT

Integer types are written without `std::`. A header begins with `#pragma once`, unless its first lines say that a
source includes it once for each of several cases.
"""
import pathlib
import re
import sys

FOLDERS = ('bench', 'examples', 'kernels', 'lsp', 'operator_tests', 'options', 'plugin', 'python', 'replay', 'run', 'runtime',
           'schema', 'test', 'tool')
QUALIFIED = re.compile(r'\bstd::u?int(8|16|32|64)_t\b')
STRING = re.compile(r'"(\\.|[^"\\])*"')


def mistakes_of(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if found := QUALIFIED.search(STRING.sub('""', line)):
            yield f'{path}:{number}: error: expected `{found.group()[5:]}`, got `{found.group()}`'
    if path.suffix in ('.h', '.cuh') and '#pragma once' not in text and 'includes this file once for each' not in text[:300]:
        yield f'{path}:1: error: expected `#pragma once`'


def main():
    root = pathlib.Path(sys.argv[1])
    count, mistakes = 0, []
    for path in sorted(path for folder in FOLDERS for path in root.joinpath(folder).rglob('*')):
        if path.suffix in ('.h', '.cpp', '.cu', '.cuh') and 'lit' not in path.relative_to(root).parts:
            count += 1
            mistakes += mistakes_of(path.relative_to(root), path.read_text())
    print('\n'.join(mistakes + [f'{count} files, {len(mistakes)} mistakes']))
    return 1 if mistakes or not count else 0


if __name__ == '__main__':
    sys.exit(main())
