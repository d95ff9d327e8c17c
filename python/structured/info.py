"""`python -m structured.info` prints the versions, libraries and settings that a report of a bug should contain."""
from __future__ import annotations

import platform
import sys

import structured
from structured import _core, _operators


def information() -> dict[str, str]:
    """Names and values that the module prints."""
    functions = [value for value in vars(_operators).values() if isinstance(value, _core._Function)]
    return {
        "structured": structured.__version__,
        "Python": f"{platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "package": structured.__path__[0],
        "functions": str(len(functions)),
        "vector instructions": _core._simd_level(),
        "threads": str(structured.get_num_threads()),
        "default dtype": repr(structured.get_default_dtype()),
    }


def main() -> None:
    """Prints the information."""
    values = information()
    width = max(map(len, values))
    for name, value in values.items():
        print(f"{name:{width}}  {value}")


if __name__ == "__main__":
    main()
