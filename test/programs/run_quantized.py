"""run_quantized.py STRUCTURED_RUN WORK: runs models that torchao's PT2E flow has quantized, and compares their outputs with
PyTorch's.

Exports the models by export_quantized.py with the Python of run_models.py, where it installs torchao. Layers must run on
integers: a run must call the operators `quantized::integer_*` and no layer of real numbers. Each layer may differ by one
quantum (docs/quantization.md); outputs must be within 0.1 of the largest element. Exits with 77, which ctest counts as
skipped, if the wheels cannot be installed.
"""
import os
import pathlib
import subprocess
import sys

from run_models import newest_python, run_of, skip

HERE = pathlib.Path(__file__).parent
REAL_LAYERS = ['aten::linear', 'aten::conv2d', 'aten::addmm', 'aten::convolution']


def problem_of(structured_run, program):
    """A fault in the runs of a program."""
    expected = program.with_suffix('.expected.safetensors')
    run = run_of([structured_run, program, '--expect', expected, '--tolerance', '0.1'])
    if run.returncode:
        return run.stdout.strip()
    operators = [line.split()[-1] for line in run_of([structured_run, program, '--list']).stdout.splitlines()
                 if '::' in line]
    if not any(name.startswith('quantized::integer_') for name in operators):
        return f'expected operators on integers, found {operators}'
    real = [name for name in REAL_LAYERS if name in operators]
    return f'expected layers on integers only, found {real}' if real else ''


def main(structured_run, work):
    work = pathlib.Path(work).absolute()
    programs = work / 'quantized'
    if not list(programs.glob('*.expected.safetensors')):
        python = newest_python(work / 'environment')
        if run_of([python, '-c', 'import torchao']).returncode:
            done = run_of([python, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-deps', 'torchao'])
            if done.returncode:
                skip('torchao cannot be installed', done.stdout)
        subprocess.run([python, HERE / 'export_quantized.py', programs], check=True,
                       env=dict(os.environ, PYTHONDONTWRITEBYTECODE='1'))
    failed, passed = [], 0
    for expected in sorted(programs.glob('*.expected.safetensors')):
        program = expected.with_name(expected.name.removesuffix('.expected.safetensors') + '.pt2')
        problem = problem_of(structured_run, program)
        passed += not problem
        if problem:
            failed.append(program.name)
            print(f'{program.name}: {problem}', flush=True)
    print(f'{passed} quantized programs run on integers; failed: {failed or "none"}')
    return 1 if failed or not passed else 0


sys.exit(main(*sys.argv[1:]))
