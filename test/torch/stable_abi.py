"""stable_abi.py ENVIRONMENT SOURCE_DIR BUILD_DIR LIBRARY CMAKE ARGUMENTS...: builds a library for the PyTorch of this Python,
as build_and_test.py does, and also runs the tests with the same library and the PyTorch before this one, in the virtual
environment ENVIRONMENT, which the first run makes. Prints the functions of the stable ABI that this PyTorch has and the one before
has not, or the reverse; fails if the library needs one that either lacks."""
import pathlib
import subprocess
import sys

import torch
from with_newest_torch import environment_of, python_with


def functions_in(library, *options):
    """The functions of PyTorch's C interfaces among the symbols of a shared library."""
    listing = subprocess.run(['nm', '-D', *options, library], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in listing.splitlines()}
    return {name for name in names if name.startswith(('aoti_torch_', 'torch_'))}


def functions_of(python):
    """The functions that the PyTorch of a Python exports."""
    command = [python, '-c', 'import importlib.util; print(importlib.util.find_spec("torch").submodule_search_locations[0])']
    folder = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return functions_in(pathlib.Path(folder) / 'lib' / 'libtorch_cpu.so', '--defined-only')


def compare(library, before, now):
    """Prints the differences between the functions of two versions, and returns whether the library has all that it needs."""
    for what, names in ('added', now - before), ('removed', before - now):
        print(f'{len(names)} functions {what} since the PyTorch before:', *sorted(names))
    needed = functions_in(library, '--undefined-only')
    missing = {name for name in needed if name not in now or name not in before}
    print(f'the library needs {len(needed)} functions, of which a version lacks {len(missing)}:', *sorted(missing))
    return bool(needed) and not missing


def main(folder, source_dir, build_dir, library, *configure):
    build_and_test = pathlib.Path(__file__).with_name('build_and_test.py')
    subprocess.run([sys.executable, build_and_test, source_dir, build_dir, library, *configure], check=True)
    minor = '.'.join(torch.__version__.split('.')[:2])
    python = python_with(pathlib.Path(folder).absolute(), [f'torch<{minor}', 'numpy', 'expecttest', 'setuptools'])
    subprocess.run([python, '-c', 'import torch; print("the same library with PyTorch", torch.__version__)'], check=True)
    tests = sorted(pathlib.Path(source_dir).glob('test_*.py'))
    runs = [subprocess.run([python, test, pathlib.Path(build_dir) / library], env=environment_of(python)) for test in tests]
    has_all = compare(pathlib.Path(build_dir) / library, functions_of(python), functions_of(sys.executable))
    return max(abs(run.returncode) for run in runs) or int(not has_all)


try:
    sys.exit(main(*sys.argv[1:]))
except subprocess.CalledProcessError as error:
    sys.exit(error.returncode)
