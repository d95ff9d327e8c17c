"""newest_torch.py WORK RUNTIME SCHEMA_ROUND_TRIP STRUCTURED_GEN [OPERATORS_JSON]: tests against the newest PyTorch's torchgen.

Installs the wheel `torch` in a virtual environment in WORK, which later runs use again. Every line of its
native_functions.yaml must round-trip as a schema and by `structured-gen import`, its torchgen must read the export of our
operators, and it must have our operators that PyTorch 1.13.1 does not have. Exits with 77, which ctest counts as skipped, and a message if the wheel cannot be downloaded.
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
    """Keeps only torchgen and the headers from the wheel: the rest takes two gigabytes."""
    done = pip(python, 'install', '--quiet', 'pyyaml', 'typing_extensions')
    if done.returncode == 0:
        done = pip(python, 'download', '--quiet', '--no-deps', '--only-binary=:all:', '-d', download, 'torch')
    if done.returncode:
        skip('the torch wheel cannot be had', done.stdout)
    wheel = next(download.glob('torch-*.whl'))
    with zipfile.ZipFile(wheel) as archive:
        kept = ('torchgen/', 'torch/include/')
        archive.extractall(packages, [name for name in archive.namelist() if name.startswith(kept)])
    (packages / 'torchgen' / 'wheel_version').write_text(wheel.name.split('-')[1])
    wheel.unlink()


def main(work, runtime, round_trip, structured_gen, operators=None):
    work = pathlib.Path(work)
    python, packages = environment(work / 'environment')
    version = packages / 'torchgen' / 'wheel_version'
    headers = packages / 'torch' / 'include'
    if not version.exists() or not headers.exists():
        add_torchgen(python, packages, work)
    print(f'torch {version.read_text()}', flush=True)
    yaml = packages / 'torchgen' / 'packaged' / 'ATen' / 'native' / 'native_functions.yaml'
    tests = pathlib.Path(__file__).parent
    commands = [[round_trip, yaml],
                [python, tests / 'import_yaml.py', '--structured-gen', structured_gen, '--runtime', runtime, '--work',
                 work / 'import_yaml', '--yaml', yaml, '--include', headers]]
    if operators:
        commands.append([python, tests / 'kernel_schemas.py', structured_gen, operators, f'--newest={yaml}'])
    # Run all checks, also after a failure.
    return max([subprocess.run(command, env=dict(os.environ, PYTHONDONTWRITEBYTECODE='1')).returncode
                for command in commands])


sys.exit(main(*sys.argv[1:]))
