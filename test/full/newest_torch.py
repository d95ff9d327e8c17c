"""newest_torch.py WORK SCHEMA_ROUND_TRIP [STRUCTURED_GEN OPERATORS_JSON]: tests against the newest PyTorch's torchgen.

Installs the wheel `torch` in a virtual environment in WORK, which later runs use again. Every line of its
native_functions.yaml must round-trip, its torchgen must read the export of our operators, and it must have our operators that
PyTorch 1.13.1 does not have. Exits with 77, which ctest counts as skipped, and a message if the wheel cannot be downloaded.
"""
import os
import pathlib
import subprocess
import sys
import venv
import zipfile


def skip(why, output=''):
    print(f'skipped: {why}\n{output}'.rstrip())
    sys.exit(77)


def pip(python, *arguments):
    return subprocess.run([python, '-m', 'pip', '--disable-pip-version-check', *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def environment(folder):
    """The Python of a virtual environment in `folder`, and the folder of its packages."""
    try:
        if not (folder / 'bin' / 'pip3').exists():
            venv.create(folder, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        skip(f'no virtual environment can be made ({error}); Debian has it in python3-venv')
    return folder / 'bin' / 'python3', next(folder.glob('lib/python3*/site-packages'))


def add_torchgen(python, packages, download):
    """Keeps only torchgen from the wheel: the rest takes two gigabytes."""
    done = pip(python, 'install', '--quiet', 'pyyaml', 'typing_extensions')
    if done.returncode == 0:
        done = pip(python, 'download', '--quiet', '--no-deps', '--only-binary=:all:', '-d', download, 'torch')
    if done.returncode:
        skip('the torch wheel cannot be had', done.stdout)
    wheel = next(download.glob('torch-*.whl'))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages, [name for name in archive.namelist() if name.startswith('torchgen/')])
    (packages / 'torchgen' / 'wheel_version').write_text(wheel.name.split('-')[1])
    wheel.unlink()


def main(work, round_trip, *export):
    work = pathlib.Path(work)
    python, packages = environment(work / 'environment')
    version = packages / 'torchgen' / 'wheel_version'
    if not version.exists():
        add_torchgen(python, packages, work)
    print(f'torch {version.read_text()}', flush=True)
    yaml = packages / 'torchgen' / 'packaged' / 'ATen' / 'native' / 'native_functions.yaml'
    commands = [[round_trip, yaml]]
    if export:
        commands.append([python, pathlib.Path(__file__).with_name('kernel_schemas.py'), *export, f'--newest={yaml}'])
    # Run all checks, also after a failure.
    return max([subprocess.run(command, env=dict(os.environ, PYTHONDONTWRITEBYTECODE='1')).returncode
                for command in commands])


sys.exit(main(*sys.argv[1:]))
