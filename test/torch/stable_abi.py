"""stable_abi.py ENVIRONMENT SOURCE_DIR BUILD_DIR LIBRARY CMAKE ARGUMENTS...: builds a library for the PyTorch of this Python,
as build_and_test.py does, and also runs the tests with the same library and the PyTorch before this one, in the virtual
environment ENVIRONMENT, which the first run makes."""
import pathlib
import subprocess
import sys

import torch
from with_newest_torch import environment_of, python_with


def main(folder, source_dir, build_dir, library, *configure):
    build_and_test = pathlib.Path(__file__).with_name('build_and_test.py')
    subprocess.run([sys.executable, build_and_test, source_dir, build_dir, library, *configure], check=True)
    minor = '.'.join(torch.__version__.split('.')[:2])
    python = python_with(pathlib.Path(folder).absolute(), [f'torch<{minor}', 'numpy', 'expecttest', 'setuptools'])
    subprocess.run([python, '-c', 'import torch; print("the same library with PyTorch", torch.__version__)'], check=True)
    tests = sorted(pathlib.Path(source_dir).glob('test_*.py'))
    runs = [subprocess.run([python, test, pathlib.Path(build_dir) / library], env=environment_of(python)) for test in tests]
    return max(abs(run.returncode) for run in runs)


try:
    sys.exit(main(*sys.argv[1:]))
except subprocess.CalledProcessError as error:
    sys.exit(error.returncode)
