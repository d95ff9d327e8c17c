"""build_and_test.py SOURCE_DIR BUILD_DIR LIBRARY CMAKE ARGUMENTS...: builds a library for the PyTorch of this Python by
`CMAKE ARGUMENTS`, and runs SOURCE_DIR/test_library.py with the library BUILD_DIR/LIBRARY."""
import pathlib
import subprocess
import sys


def main(source_dir, build_dir, library, *configure):
    subprocess.run([*configure, '-S', source_dir, '-B', build_dir, f'-DPython_EXECUTABLE={sys.executable}'], check=True)
    subprocess.run([configure[0], '--build', build_dir], check=True)
    test = pathlib.Path(source_dir) / 'test_library.py'
    return subprocess.run([sys.executable, test, pathlib.Path(build_dir) / library]).returncode


try:
    sys.exit(main(*sys.argv[1:]))
except subprocess.CalledProcessError as error:
    sys.exit(error.returncode)
