"""`structured emit --for=kernel-builder`: a project for Hugging Face's kernel-builder, with emitted sources.

kernel-builder runs no command before the compiler, so that emitted sources are committed. It gives each build a namespace of its own,
the macro TORCH_EXTENSION_NAME, which takes the place of the library's namespace in the emitted sources.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import structured_gen
from .library import HEADER_SUFFIXES, Build, BuildError, Library, Progress, check_name, local_headers, operator_names

# Takes the place of the namespace while sources are emitted.
PLACEHOLDER = "structured_extension_name"
BANNER = "// Written by `structured emit --for=kernel-builder`, for the namespace that TORCH_EXTENSION_NAME says.\n"
BINDING = """\
// Makes the library a module of Python. The operators are registered by the emitted library.cpp.
#include "registration.h"

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""
MODULE = '''\
"""Operators of {name}: `{name}.{first}(...)`."""
from ._ops import ops

{assignments}

__all__ = [{names}]
'''


def with_extension_name(text):
    """The emitted text with the macro in place of the namespace."""
    text = re.sub(rf'"{PLACEHOLDER}(::[^"]*)?"', lambda match: "C10_STRINGIZE(TORCH_EXTENSION_NAME)" + (f' "{match[1]}"' if match[1] else ""),
                  text)
    return text.replace(f"define_{PLACEHOLDER}", "define_operators").replace(f"library_{PLACEHOLDER}", "library_operators")


def array(values):
    return "[\n" + "".join(f'  "{each}",\n' for each in values) + "]"


def write(name, sources, output_dir, repo_id=None):
    target = pathlib.Path(output_dir)
    try:
        check_name(name)
        for source in map(pathlib.Path, sources):
            if target.resolve() in source.resolve().parents:
                raise ValueError(f"{source} is in the output folder {output_dir}; keep sources elsewhere")
        with tempfile.TemporaryDirectory(prefix="structured-") as folder:
            library = Library(name, sources, namespace=name)
            library.namespace, library.cpp_namespace = PLACEHOLDER, name
            library.check()
            build = Build(library, pathlib.Path(folder))
            with Progress(name, False) as progress, concurrent.futures.ThreadPoolExecutor(build.jobs) as pool:
                build.emit(progress, pool)
            files = files_of(library, build.emitted, repo_id)
    except (BuildError, OSError, ValueError) as error:
        print(f"structured emit: error: {error}", file=sys.stderr)
        return 1
    for where in ("emitted", "include"):
        shutil.rmtree(target / where, ignore_errors=True)  # files from an earlier run
    for where, data in sorted(files.items()):
        path = target / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    print(f"wrote {len(files)} files to {output_dir}; commit them, and run kernel-builder there")
    return 0


def files_of(library, emitted, repo_id):
    name, files = library.name, {}
    texts = [(str(each.parent), each.read_bytes()) for each in library.sources]
    for source in library.sources:
        files[f"kernels/{os.path.relpath(source, library.root)}"] = source.read_bytes()
    # Headers of the author and of Structured; those of PyTorch are kernel-builder's.
    own = [str(each) for each in structured_gen.include_dirs()]
    for path in sorted(emitted.rglob("*")):
        where = path.relative_to(emitted).as_posix()
        if path.suffix not in {".cpp", ".h"}:
            continue
        text = with_extension_name(path.read_text(encoding="utf-8"))
        if PLACEHOLDER in text:
            raise BuildError(f"the emitted file {where} has the namespace outside of texts; this is an error of structured_gen")
        data = (BANNER + text).encode()
        files[f"include/{where[8:]}" if where.startswith("include/") else f"emitted/{where}"] = data
        texts.append((str(path.parent), data))
    stand_in = f"{own[0]}/structured/torch/json_stand_in"
    for path, data in local_headers(texts, [*library.include_dirs, *own]):
        for base in own:
            if path.startswith(base + os.sep):
                files[f"include/{os.path.relpath(path, base)}"] = data
                break
        else:
            if path.startswith(f"{library.root}{os.sep}"):
                files[f"kernels/{os.path.relpath(path, library.root)}"] = data
            elif not path.startswith(str(emitted)):
                raise BuildError(f"{path} is not below {library.root}; sources for kernel-builder are in one folder")
    for path in sorted(pathlib.Path(stand_in).rglob("*")):
        if path.is_file():
            files[f"include/structured/torch/json_stand_in/{path.relative_to(stand_in)}"] = path.read_bytes()
    compiled = [each for each in files if each.endswith((".cpp", ".cc", ".cxx"))]
    headers = [each for each in files if each.endswith(tuple(HEADER_SUFFIXES)) or each.startswith("include/")]
    hub = f'\n[general.hub]\nrepo-id = "{repo_id}"\n' if repo_id else ""
    files["build.toml"] = f"""\
[general]
name = "{name.replace('_', '-')}"
version = 1
backends = ["cpu"]
{hub}
[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.{name}]
backend = "cpu"
depends = ["torch"]
cxx-flags = ["-std=c++20", "-DAT_PER_OPERATOR_HEADERS", "-DSTRUCTURED_TORCH_CXX11_ABI=_GLIBCXX_USE_CXX11_ABI"]
include = ["include", "kernels", "include/structured/torch/json_stand_in"]
src = {array(sorted(set(compiled + headers)))}
""".encode()
    files["torch-ext/torch_binding.cpp"] = BINDING.encode()
    operators = json.loads((emitted / "operators.json").read_text(encoding="utf-8"))
    names = operator_names(operators)
    files[f"torch-ext/{name}/__init__.py"] = MODULE.format(
        name=name, first=names[0], assignments="\n".join(f"{each} = ops.{each}" for each in names),
        names=", ".join(f'"{each}"' for each in names)).encode()
    return files
