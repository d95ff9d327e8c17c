"""new_extension.py REPOSITORY BUILD_DIR STRUCTURED_DIR KIND BUILD: writes a project by `./dev new` with the options --KIND and
--build=BUILD, installs its package by pip, and runs its tests."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys


# The packages of each build besides torch.
PACKAGES = {'scikit-build-core': ['scikit-build-core>=0.10', 'ninja'], 'setuptools': ['setuptools>=61'], 'meson': ['meson-python>=0.15', 'ninja']}
MODULES = {'scikit-build-core': 'scikit_build_core', 'setuptools': 'setuptools', 'meson': 'mesonpy'}


def main(repository, build_dir, structured_dir, kind, build):
    folder = pathlib.Path(build_dir)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run(['./dev', 'new', 'clip_ops', folder / 'project', f'--{kind}', f'--build={build}'], cwd=repository, check=True)
    assert not any('my_ops' in path.read_text() for path in (folder / 'project').rglob('*') if path.is_file())
    pip = [sys.executable, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet']
    if importlib.util.find_spec(MODULES[build]) is None:
        subprocess.run([*pip, *PACKAGES[build]], check=True)
    # The module of the clone, with the program of the build, in place of an installed wheel.
    environment = dict(os.environ, Structured_DIR=structured_dir, STRUCTURED_GEN=f'{structured_dir}/bin/structured-gen',
                       PYTHONPATH=f'{repository}/python/structured_gen')
    subprocess.run([*pip, '--no-build-isolation', '--no-deps', '--target', folder / 'site', folder / 'project'],
                   env=environment, check=True)
    environment['PYTHONPATH'] = str(folder / 'site')
    tests = folder / 'project' / 'tests'
    subprocess.run([sys.executable, '-m', 'unittest', 'discover', tests], env=environment, check=True)
    environment['PYTHONPATH'] += f'{os.pathsep}{repository}/python/structured_gen'
    # A few of the tests of all operators, since those of Inductor take long.
    return subprocess.run([sys.executable, '-m', 'structured_gen.torch_tests', 'clip_ops', f'--samples={tests}/samples.py',
                           '-k', 'test_opcheck', '-k', 'sizes'], env=environment).returncode


sys.exit(main(*sys.argv[1:]))
