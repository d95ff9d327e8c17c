"""Checks that the unit tests of a source are found by its name.

    python3 test_names.py ROOT

Folders of test/unit mirror those of the sources, and X_test.cpp tests the source X of the mirrored folder. A test of something
else says in its first line what it tests.
"""
import pathlib
import sys

# Folders of tests, and the folders of the sources that they mirror.
FOLDERS = {'tool': 'tool', 'runtime': 'runtime/structured', 'schema': 'schema/structured/schema', 'kernels': 'kernels',
           'options': 'options', 'run': 'run', 'replay': 'replay'}


def stems_below(folder):
    return {path.stem for path in folder.rglob('*') if path.suffix in ('.h', '.cpp', '.cu', '.def')}


def main():
    root = pathlib.Path(sys.argv[1])
    count, mistakes = 0, []
    for path in sorted((root / 'test/unit').rglob('*_test.cpp')):
        first, *rest = path.relative_to(root / 'test/unit').parts[:-1]
        count += 1
        if first in FOLDERS and path.stem.removesuffix('_test') in stems_below(root.joinpath(FOLDERS[first], *rest)):
            continue
        if not path.read_text().startswith('// '):
            mistakes.append(f'{path.relative_to(root)}: error: no source of this name is in the mirrored folder, and the first '
                            'line does not say what the tests are about')
    print('\n'.join(mistakes + [f'{count - len(mistakes)} of {count} names are right']))
    return 1 if mistakes or not count else 0


if __name__ == '__main__':
    sys.exit(main())
