"""The generator structured-gen and the files that projects need to use it. Importing this module imports no other package."""
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent
# In a clone, the sources are three folders above, and the environment variable STRUCTURED_GEN names the program of a build.
_CLONE = _HERE.parents[2]


class Missing(RuntimeError):
    """Something that a build needs is missing or too old; the text says how to install it."""


def source_dir():
    """The folder of the sources of the runtime, a project for CMake's add_subdirectory."""
    installed = _HERE / "share" / "structured" / "source"
    return installed if installed.is_dir() else _CLONE


def include_dirs():
    """The folders of Structured's headers, for `-I`."""
    return [source_dir() / "runtime", source_dir() / "schema"]


def cmake_dir():
    """The folder of the CMake package: the value of Structured_DIR."""
    return _HERE / "lib" / "cmake" / "Structured"


def bazel_dir():
    """The folder of the package, which is also a repository of Bazel."""
    return _HERE


def program():
    """The path of structured-gen. Raises `Missing` if there is none."""
    named = os.environ.get("STRUCTURED_GEN")
    path = pathlib.Path(named) if named else _HERE / "bin" / "structured-gen"
    if not path.is_file():
        where = "STRUCTURED_GEN is" if named else "the package has no program"
        raise Missing(f"{where} {path}; install the wheel again (`pip install --force-reinstall structured-gen`), or set "
                      "STRUCTURED_GEN to the path of a structured-gen")
    return path


def _version():
    import re
    text = (source_dir() / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(Structured VERSION ([0-9.]+)", text)[1]


def __getattr__(name):
    if name == "__version__":
        return _version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
