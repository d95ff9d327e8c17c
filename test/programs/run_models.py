"""run_models.py STRUCTURED_RUN COUNT_ALLOCATIONS WORK [--names a,b]: runs exported models and compares their outputs with PyTorch's.

Exports the models of models.txt by export_models.py into WORK, unless they are there, and runs each file by
`structured-run --expect`: as exported and decomposed, two runs each. Exits with 1 if a value differs or a program is
refused. A model that PyTorch does not export or decompose is reported and not run.

The Python is the one named by STRUCTURED_NEWEST_PYTHON, which must be able to import torch, torchvision, transformers and
safetensors, or else a virtual environment in WORK. Exits with 77, which ctest counts as skipped, if it cannot be made.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).parent
PACKAGES = ['torch', 'torchvision', 'transformers', 'safetensors']


def skip(why, output=''):
    print(f'skipped: {why}\n{output}'.rstrip())
    sys.exit(77)


def newest_python(folder):
    """A Python that can export the models."""
    if os.environ.get('STRUCTURED_NEWEST_PYTHON'):
        return os.environ['STRUCTURED_NEWEST_PYTHON']
    python = folder / 'bin' / 'python3'
    if not (folder / 'complete').exists():
        try:
            venv.create(folder, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            skip(f'no virtual environment can be made ({error}); Debian has it in python3-venv')
        done = subprocess.run([python, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', *PACKAGES],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            skip('the wheels cannot be installed', done.stdout)
        (folder / 'complete').touch()
    return python


def run_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def problem_of_allocations(run):
    """A fault in the output of count_allocations: calls of operator new and blocks from the system, in each of three runs, and
    then the operators that allocate."""
    if run.returncode:
        return run.stdout.strip()
    counts = list(map(int, run.stdout.split(';')[0].split()))
    if counts[2:] != [0] * 4:
        return f'expected no allocations after the first run, found {run.stdout.strip()}'
    return ''


def tolerance_of(name):
    return '2e-2' if name.startswith('attention_bfloat16') else '1e-4'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('structured_run')
    parser.add_argument('count_allocations')
    parser.add_argument('work', type=pathlib.Path)
    parser.add_argument('--names')
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    lines = (HERE / 'models.txt').read_text().splitlines()
    names = arguments.names.split(',') if arguments.names else [line for line in lines if line and line[0] != '#']
    missing = [name for name in names if not (arguments.work / (name + '.expected.safetensors')).exists()]
    if missing:
        python = newest_python(arguments.work / 'environment')
        subprocess.run([python, HERE / 'export_models.py', arguments.work, '--names', ','.join(missing)],
                       env=dict(os.environ, PYTHONDONTWRITEBYTECODE='1'))
    passed, failed, absent = 0, [], []
    for name in names:
        expected = arguments.work / (name + '.expected.safetensors')
        others = arguments.work / (name + '.other.safetensors')
        for suffix in ['.pt2', '.core.pt2']:
            program = arguments.work / (name + suffix)
            if not expected.exists() or not program.exists():
                absent.append(name + suffix)
                continue
            commands = [[arguments.structured_run, program, '--expect', values, '--tolerance', tolerance_of(name)]
                        for values in [expected, others] if values.exists()]
            problems = [run.stdout.strip() for run in map(run_of, commands) if run.returncode]
            problem = problem_of_allocations(run_of([arguments.count_allocations, program, expected]))
            problems += [problem] if problem else []
            if problems:
                failed.append(name + suffix)
                print(f'{name + suffix}:', *problems, flush=True)
            else:
                passed += 1
    print(f'{passed} programs run as PyTorch does; failed: {failed or "none"}; not exported: {absent or "none"}')
    sys.exit(1 if failed or not passed else 0)


if __name__ == '__main__':
    main()
