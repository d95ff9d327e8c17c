"""new_extension.py REPOSITORY BUILD_DIR STRUCTURED_DIR: writes a project by `./dev new`, installs its package
by pip, and runs its tests."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys


def main(repository, build_dir, structured_dir):
    folder = pathlib.Path(build_dir)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run(['./dev', 'new', 'clip_ops', folder / 'project'], cwd=repository, check=True)
    assert not any('my_ops' in path.read_text() for path in (folder / 'project').rglob('*') if path.is_file())
    pip = [sys.executable, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet']
    if importlib.util.find_spec('scikit_build_core') is None:
        subprocess.run([*pip, 'scikit-build-core>=0.10', 'ninja'], check=True)
    environment = dict(os.environ, Structured_DIR=structured_dir)
    subprocess.run([*pip, '--no-build-isolation', '--no-deps', '--target', folder / 'site', folder / 'project'],
                   env=environment, check=True)
    environment['PYTHONPATH'] = str(folder / 'site')
    return subprocess.run([sys.executable, '-m', 'unittest', 'discover', folder / 'project' / 'tests'],
                          env=environment).returncode


sys.exit(main(*sys.argv[1:]))
