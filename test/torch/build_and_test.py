"""build_and_test.py SOURCE_DIR BUILD_DIR LIBRARY CMAKE ARGUMENTS...: builds a library for the PyTorch of this Python by
`CMAKE ARGUMENTS`, and runs each SOURCE_DIR/test_*.py with the library BUILD_DIR/LIBRARY, and the tests of the project, which the
build emits. Exits with 77, which ctest counts as skipped, if this Python has no PyTorch."""
import importlib.util
import pathlib
import subprocess
import sys


def main(source_dir, build_dir, library, *configure):
    subprocess.run([*configure, '-S', source_dir, '-B', build_dir, f'-DPython_EXECUTABLE={sys.executable}'], check=True)
    subprocess.run([configure[0], '--build', build_dir], check=True)
    tests = sorted(pathlib.Path(source_dir).glob('test_*.py'))
    commands = [[sys.executable, test, pathlib.Path(build_dir) / library] for test in tests]
    commands.append([pathlib.Path(configure[0]).with_name('ctest'), '--test-dir', build_dir, '--verbose'])
    # A test that a signal ended has a negative status.
    return int(any([subprocess.run(command).returncode for command in commands]))


if importlib.util.find_spec('torch') is None:
    print('skipped: no PyTorch; Debian has it in python3-torch and libtorch-dev')
    sys.exit(77)
try:
    sys.exit(main(*sys.argv[1:]))
except subprocess.CalledProcessError as error:
    sys.exit(error.returncode)
