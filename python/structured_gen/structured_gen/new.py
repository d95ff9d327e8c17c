"""`structured new`: writes a project from the templates."""
import errno
import keyword
import os
import pathlib
import re
import shutil
import sys

import structured_gen
from .library import RESERVED_NAMESPACES

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"
NAME_IN_TEMPLATES = "my_ops"
# Names that a package, a namespace of C++ or a namespace of PyTorch's operators cannot have.
RESERVED = RESERVED_NAMESPACES | {
    "quantized", "torch", "structured", "structured_gen", "test", "tests", "std", "at", "c10", "kernels", "math", "setup",
    # Keywords of C++ but not of Python.
    "alignas", "alignof", "asm", "auto", "bool", "case", "catch", "char", "concept", "const", "constexpr", "default", "delete", "do",
    "double", "enum", "explicit", "export", "extern", "float", "friend", "goto", "inline", "int", "long", "mutable", "namespace",
    "new", "operator", "private", "protected", "public", "register", "requires", "short", "signed", "sizeof", "static", "struct",
    "switch", "template", "this", "throw", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile"}


def prog():
    """The name of the command in messages: `structured`, or `./dev` in a clone."""
    return os.environ.get("STRUCTURED_COMMAND", "structured")


def problem_of(name):
    """Says why a name is not possible; empty if it is."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return f"expected a name of lower-case letters, digits and underscores, got `{name}`"
    if keyword.iskeyword(name) or name in RESERVED or name in getattr(sys, "stdlib_module_names", ()):
        return f"`{name}` is taken, by C++, Python or PyTorch; choose another name"
    if "__" in name or name.endswith("_"):
        return f"expected a name without two underscores in a row and without one at the end, got `{name}`: C++ reserves them"
    return ""


def layers(kind, build):
    """The folders of templates that make up a project; a file of a later one replaces that of an earlier one."""
    if kind == "native":
        return ["native"]
    return [kind, f"build/{build}"]


def files_of(name, kind, build):
    """The text of each file of the project, by its path."""
    stable = kind == "stable"
    values = {
        "@version@": structured_gen.__version__,
        "@cmake_options@": " STABLE_ABI 2.10" if stable else "",
        "@setup_options@": ", stable_abi='2.10'" if stable else "",
        "@meson_options@": "'--stable-abi=2.10', " if stable else "",
        "@source@": "add_column.cpp" if stable else "soft_clip.cpp",
        "@torch@": "torch>=2.10" if stable else "torch",
    }
    files = {}
    for layer in layers(kind, build):
        folder = TEMPLATES / layer
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            for placeholder, value in values.items():
                text = text.replace(placeholder, value)
            where = path.relative_to(folder).as_posix().replace(NAME_IN_TEMPLATES, name)
            files[where] = text.replace(NAME_IN_TEMPLATES, name)
    return files


def next_steps(folder, kind, build):
    if kind == "native":
        return f"cmake -S {folder} -B {folder}/build -DStructured_DIR=$(structured --cmake-dir)", f"ctest --test-dir {folder}/build"
    place = folder if os.path.isabs(folder) else f"./{folder}"
    requirements = {"scikit-build-core": "scikit-build-core", "setuptools": "setuptools", "meson": "meson-python"}[build]
    return (f"pip install torch {requirements} && pip install --no-build-isolation {place}",
            f"python3 -m unittest discover {folder}/tests")


def write(name, folder, kind, build):
    problem = problem_of(name)
    if kind == "native" and build:
        problem = problem or "`--native` makes a library for CMake; expected no `--build`"
    if problem:
        print(f"{prog()} new: error: {problem}", file=sys.stderr)
        return 2
    build = build or "scikit-build-core"
    target = pathlib.Path(folder)
    if target.exists() or target.is_symlink():
        print(f"{prog()} new: error: {folder} exists; remove it or name another folder", file=sys.stderr)
        return 1
    # The project appears at its place when it is complete.
    partial = target.parent / f".{target.name}.part"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        for where, text in files_of(name, kind, build).items():
            path = partial / where
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        partial.rename(target)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        if not isinstance(error, OSError):
            raise
        reason = {errno.ENOSPC: "the disk is full", errno.EACCES: "permission denied"}.get(error.errno, error.strerror)
        print(f"{prog()} new: error: cannot write {folder}: {reason}", file=sys.stderr)
        return 1
    build_command, test_command = next_steps(folder, kind, build)
    print(f"wrote {folder}\n  build: {build_command}\n  test:  {test_command}")
    return 0
