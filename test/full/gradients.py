"""gradients.py STRUCTURED_REPLAY PROGRAMS RECORDER KNOWN: replays gradients that PyTorch computes for the samples of its own tests.

PROGRAMS, or the file named by the environment variable STRUCTURED_GRADIENTS, has the format that RECORDER describes. If
there is no such file, RECORDER writes it, with the Python named by STRUCTURED_NEWEST_PYTHON or that of build/venv-torch,
which must be able to import torch. Without either, exits with 77, which ctest counts as skipped.
"""
import os
import pathlib
import subprocess
import sys


def main():
    replay, programs, recorder, known = sys.argv[1:]
    programs = pathlib.Path(os.environ.get('STRUCTURED_GRADIENTS', programs))
    if not programs.exists():
        python = os.environ.get('STRUCTURED_NEWEST_PYTHON') or programs.parent.parent / 'venv-torch' / 'bin' / 'python3'
        if not pathlib.Path(python).exists():
            print('skipped: needs the newest PyTorch; name its Python in STRUCTURED_NEWEST_PYTHON')
            sys.exit(77)
        programs.parent.mkdir(parents=True, exist_ok=True)
        made = programs.with_suffix('.part')
        subprocess.run([python, recorder, made, '--dtypes', 'float64'], check=True,
                       stderr=subprocess.DEVNULL)
        made.replace(programs)
    sys.exit(subprocess.run([replay, programs, '--known', known, '--verbose']).returncode)


main()
