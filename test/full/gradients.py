"""gradients.py STRUCTURED_REPLAY FOLDER RECORDER KNOWN newest|1.13: replays gradients that PyTorch computes for the samples of its own tests.

FOLDER/gradients_VERSION_DTYPE.jsonl, for float64 and float32, have the format that RECORDER describes. RECORDER writes
those that do not exist, with Debian's PyTorch 1.13.1 for `1.13`, else with the Python named by STRUCTURED_NEWEST_PYTHON or
that of build/venv-torch, which must be able to import torch. Exits with 77, which ctest counts as skipped, if there is
neither a file nor such a Python. Fails for a difference that KNOWN does not list, and if too many are known.
"""
import os
import pathlib
import re
import subprocess
import sys

DTYPES = ['float64', 'float32']
# Percentage of the programs of a kind that must pass.
REQUIRED = {'functional': 99, 'inplace': 100, 'view': 100, 'double': 95, 'forward': 95}
REQUIRED_OF_OLD = {**REQUIRED, 'inplace': 99}  # one gradient of 1.13.1, of sgn_ at 0, is wrong


def python_of(version, folder):
    """The Python that imports this PyTorch; None if there is none."""
    if version == '1.13':
        python = pathlib.Path('/usr/bin/python3')
        found = subprocess.run([python, '-c', 'import torch; print(torch.__version__)'], capture_output=True, text=True)
        return python if found.stdout.startswith('1.13') else None
    python = pathlib.Path(os.environ.get('STRUCTURED_NEWEST_PYTHON') or folder.parent / 'venv-torch' / 'bin' / 'python3')
    return python if python.exists() else None


def record(version, dtype, recorder, path):
    python = python_of(version, path.parent)
    if python is None:
        print(f'skipped: needs PyTorch {version}; see {pathlib.Path(__file__).name}')
        sys.exit(77)
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_suffix('.part')
    subprocess.run([python, recorder, made, '--dtypes', dtype], check=True, stderr=subprocess.DEVNULL)
    made.replace(path)


def too_few(output, required):
    """Kinds with fewer passed programs than required."""
    counts = re.findall(r'^gradients, (\w+): (\d+) of (\d+) passed$', output, re.MULTILINE)
    assert {kind for kind, _, _ in counts} == set(required), f'expected counts of {list(required)}, got {counts}'
    return [f'{kind}: {passed} of {count} passed, expected {required[kind]} %' for kind, passed, count in counts
            if 100 * int(passed) < required[kind] * int(count)]


def main():
    replay, folder, recorder, known, version = sys.argv[1:]
    failed = False
    for dtype in DTYPES:
        path = pathlib.Path(folder) / f'gradients_{version}_{dtype}.jsonl'
        if not path.exists():
            record(version, dtype, recorder, path)
        result = subprocess.run([replay, path, '--known', known, '--verbose'], stdout=subprocess.PIPE, text=True)
        print(f'PyTorch {version}, {dtype}')
        print(result.stdout, end='')
        for problem in too_few(result.stdout, REQUIRED_OF_OLD if version == '1.13' else REQUIRED):
            print(f'too few: {problem}')
            failed = True
        failed |= result.returncode != 0
    sys.exit(failed)


if __name__ == '__main__':
    main()
