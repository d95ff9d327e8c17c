"""with_pytest.py [--with-torch=VERSION] ENVIRONMENT ARGUMENTS...: runs Python in a virtual environment with the packages of the tests.

ENVIRONMENT is the folder of the environment, which the first run makes and later ones use; the environment variable
STRUCTURED_TEST_PYTHON names another Python with the packages. With --with-torch, the environment contains the packages of
the Python that runs this, which must have the VERSION and PyTorch. Exits with 77, which ctest counts as skipped, and a message if packages are missing.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import venv

PACKAGES = ["pytest", "numpy", "array-api-strict", "array-api-compat", "hypothesis", "mypy", "safetensors",
            "types-array-api==1.1.4"]


def skip(why, output=""):
    print(f"skipped: {why}\n{output}".rstrip())
    sys.exit(77)


def test_python(folder, with_torch):
    if os.environ.get("STRUCTURED_TEST_PYTHON"):
        return pathlib.Path(os.environ["STRUCTURED_TEST_PYTHON"])
    packages = ["pytest"] if with_torch else PACKAGES
    if with_torch and with_torch != "{}.{}".format(*sys.version_info):
        skip(f"the package is built for Python {with_torch}, and {sys.executable} is another version")
    if with_torch and importlib.util.find_spec("torch") is None:
        skip("PyTorch is not installed; Debian has it in python3-torch")
    python, complete = folder / "bin" / "python3", folder / "complete"
    if not complete.exists() or complete.read_text().split() != packages:
        try:
            venv.create(folder, with_pip=True, system_site_packages=bool(with_torch))
        except (subprocess.CalledProcessError, OSError) as error:
            skip(f"no virtual environment can be made ({error}); Debian has it in python3-venv")
        done = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *packages],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            skip(f"{', '.join(packages)} cannot be installed", done.stdout)
        complete.write_text("\n".join(packages))
    return python


def main(*arguments):
    with_torch = arguments[0].startswith("--with-torch=") and arguments[0].partition("=")[2]
    folder, *arguments = arguments[bool(with_torch):]
    python = test_python(pathlib.Path(folder).absolute(), with_torch)
    # `python3` of commands is this Python, which finds the package.
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", VIRTUAL_ENV=str(python.parent.parent),
                       PYTHONPATH=os.environ["STRUCTURED_PYTHON_DIR"])
    environment["PATH"] = os.pathsep.join([str(python.parent), environment["PATH"]])
    sys.exit(subprocess.run([python, *arguments], env=environment).returncode)


main(*sys.argv[1:])
