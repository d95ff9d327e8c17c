"""with_newest_torch.py ENVIRONMENT COMMAND...: runs a command in a virtual environment with the newest PyTorch.

ENVIRONMENT is the folder of the environment, which is made by the first run and used again by later ones; the environment
variable STRUCTURED_NEWEST_PYTHON names another Python with the packages. Exits with 77, which ctest counts as skipped, and a
message if the wheels cannot be installed.
"""
import os
import pathlib
import subprocess
import sys
import venv

# Besides torch, what its own test utilities import, mypy for stubs, and what its exporter of ONNX needs with what runs the programs.
PACKAGES = ['torch', 'numpy', 'expecttest', 'pyyaml', 'setuptools', 'mypy', 'onnx', 'onnxscript', 'onnxruntime']


def skip(why, output=''):
    print(f'skipped: {why}\n{output}'.rstrip())
    sys.exit(77)


def python_with(folder, packages):
    """Returns the Python of a virtual environment, which has the packages or gets them."""
    python = folder / 'bin' / 'python3'
    complete = folder / 'complete'  # lists the packages that are installed
    missing = set(packages) - set(complete.read_text().split() if complete.exists() else [])
    if missing:
        if not python.exists():
            try:
                venv.create(folder, with_pip=True)
            except (subprocess.CalledProcessError, OSError) as error:
                skip(f'no virtual environment can be made ({error}); Debian has it in python3-venv')
        done = subprocess.run([python, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', *packages],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            skip('the wheel of PyTorch cannot be installed', done.stdout)
        complete.write_text(' '.join(packages))
    return python


def environment_of(python):
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE='1', VIRTUAL_ENV=str(python.parent.parent))
    environment['PATH'] = os.pathsep.join([str(python.parent), environment['PATH']])
    # Inductor's caches know nothing of the operators' libraries.
    environment['TORCHINDUCTOR_FORCE_DISABLE_CACHES'] = '1'
    return environment


def main(folder, *command):
    named = os.environ.get('STRUCTURED_NEWEST_PYTHON')
    python = pathlib.Path(named) if named else python_with(pathlib.Path(folder).absolute(), PACKAGES)
    sys.exit(subprocess.run([python, *command], env=environment_of(python)).returncode)


if __name__ == '__main__':
    main(*sys.argv[1:])
