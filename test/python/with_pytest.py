"""with_pytest.py ENVIRONMENT ARGUMENTS...: runs Python in a virtual environment with pytest and NumPy.

ENVIRONMENT is the folder of the environment, which the first run makes and later ones use; the environment variable
STRUCTURED_TEST_PYTHON names another Python with the packages. Exits with 77, which ctest counts as skipped, and a message if
the packages cannot be installed.
"""
import os
import pathlib
import subprocess
import sys
import venv

PACKAGES = ["pytest", "numpy"]


def skip(why, output=""):
    print(f"skipped: {why}\n{output}".rstrip())
    sys.exit(77)


def test_python(folder):
    if os.environ.get("STRUCTURED_TEST_PYTHON"):
        return pathlib.Path(os.environ["STRUCTURED_TEST_PYTHON"])
    python = folder / "bin" / "python3"
    if not (folder / "complete").exists():
        try:
            venv.create(folder, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            skip(f"no virtual environment can be made ({error}); Debian has it in python3-venv")
        done = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *PACKAGES],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            skip("pytest and NumPy cannot be installed", done.stdout)
        (folder / "complete").touch()
    return python


def main(folder, *arguments):
    python = test_python(pathlib.Path(folder).absolute())
    # `python3` of commands is this Python, which finds the package.
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", VIRTUAL_ENV=str(python.parent.parent),
                       PYTHONPATH=os.environ["STRUCTURED_PYTHON_DIR"])
    environment["PATH"] = os.pathsep.join([str(python.parent), environment["PATH"]])
    sys.exit(subprocess.run([python, *arguments], env=environment).returncode)


main(*sys.argv[1:])
