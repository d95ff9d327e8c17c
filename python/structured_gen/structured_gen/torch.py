"""Operators of annotated C++ functions for PyTorch, built on the fly or by setuptools.

    ops = load_inline("ops", source)     # compiles the text, and returns a module with its operators
    ops = load("ops", ["a.cpp"])         # the same for files

Importing this module does not import torch.
"""
import argparse
import contextlib
import ctypes
import functools
import importlib
import json
import os
import pathlib
import shutil
import sys
import tempfile
import types

import structured_gen
from . import Missing
from .library import (Build, BuildError, Library, Progress, cache_dir, check_name, digest, explain_os_error, locked,
                      operator_names, remove, stable_version, write_package, write_modules)

__all__ = ["BuildError", "BuildExtension", "Missing", "StructuredExtension", "load", "load_inline"]


class OperatorModule(types.ModuleType):
    """The operators of a library as attributes. `namespace` is their namespace in `torch.ops`, `library` the path of the
    shared library."""

    def __init__(self, name, namespace, library, operators):
        super().__init__(name, f"Operators of {library}.")
        self.namespace, self.library, self.operators = namespace, library, operators

    def __getattr__(self, name):
        if name.startswith("__") or "operators" not in self.__dict__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if name not in self.operators:
            raise AttributeError(f"{self.__name__} has no operator {name!r}; there are {', '.join(self.operators)}")
        import torch
        return getattr(getattr(torch.ops, self.namespace), name)

    def __dir__(self):
        return [*super().__dir__(), *self.operators]


_loaded = {}  # a module for each library of this process


def load_inline(name, source, *, stable_abi=None, extra_cflags=(), extra_ldflags=(), extra_include_paths=(), build_directory=None,
                verbose=False):
    """Compiles the text of a source, or a list of texts, and returns a module whose attributes are its operators.

    A text that includes <structured/torch_stable.h> uses PyTorch's stable ABI; `stable_abi` is its oldest version, as "2.10".
    Other texts use ATen, and need not include <structured/torch.h>. Results are cached below
    `build_directory`, STRUCTURED_CACHE_DIR or ~/.cache/structured_gen by sources, headers, flags and versions. The namespace
    in `torch.ops` ends in a hash of these, so that an edited text has its own operators; `torch.ops.NAME` has the operators that were
    loaded last. Raises `BuildError` with the compiler's messages, and `Missing` if the machine lacks something.
    """
    texts = list(source) if isinstance(source, (list, tuple)) else [source]
    if not texts or not all(isinstance(each, str) for each in texts):
        raise TypeError(f"load_inline: expected the text of a source, or a list of texts, got {source!r}")
    check_name(name)
    is_stable = any("structured/torch_stable.h" in each for each in texts)
    if stable_abi is not None and not is_stable:
        raise ValueError("load_inline: stable_abi needs a source that includes <structured/torch_stable.h>")
    if is_stable and stable_abi is None:
        stable_abi = "2.10"
    folder = _cache(build_directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Sources of the same texts have the same names, so that processes share them.
        inputs = folder / "sources" / digest(name, *texts)[:16]
        names = [f"{name}.cpp"] if len(texts) == 1 else [f"{name}_{i}.cpp" for i in range(1, len(texts) + 1)]
        paths = []
        for each, text in zip(names, texts):
            paths.append(inputs / each)
            _write(paths[-1], text)
    except OSError as error:
        raise explain_os_error(error, error.filename or folder) from None
    return _load(name, paths, folder, verbose, stable_abi=stable_abi, extra_cflags=extra_cflags, extra_ldflags=extra_ldflags,
                 extra_include_paths=extra_include_paths, includes=[] if is_stable else ["structured/torch.h"])


def load(name, sources, *, stable_abi=None, extra_cflags=(), extra_ldflags=(), extra_include_paths=(), build_directory=None,
         verbose=False):
    """Compiles sources and headers with scalar functions, and returns a module whose attributes are their operators.

    Arguments, cache and errors are those of `load_inline`; `stable_abi` says that the sources use the stable ABI.
    """
    return _load(name, sources, _cache(build_directory), verbose, stable_abi=stable_abi, extra_cflags=extra_cflags,
                 extra_ldflags=extra_ldflags, extra_include_paths=extra_include_paths)


def _cache(build_directory):
    return pathlib.Path(build_directory).expanduser().absolute() if build_directory else cache_dir()


def _write(path, text):
    """Writes a source unless it is there. Messages then have the author's lines."""
    data = text.encode("utf-8", "surrogatepass")
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".part.", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _load(name, sources, folder, verbose, **options):
    library = Library(name, sources, **options)
    key = library.key()[:16]
    library.namespace = f"{name}_{key[:8]}"
    library.cpp_namespace = name
    path = folder / name / key / library.file_name
    if path not in _loaded:
        if not path.exists():
            _build(library, path.parent, folder, verbose)
        elif verbose:
            print(f"{name}: found in {path.parent}", file=sys.stderr)
        _loaded[path] = _open(library, path)
    module = _loaded[path]
    _name_newest(name, module)
    return module


def _build(library, target, cache, verbose):
    """Builds a library in a folder that appears when it is complete. Other processes that want it wait."""
    partial = target.with_name(f".part.{target.name}")
    told = []

    def waiting():
        if verbose and not told:
            print(f"{library.name}: another process builds it", file=sys.stderr, flush=True)
            told.append(True)

    try:
        with locked(cache / "locks" / f"{library.name}-{target.name}", waiting):
            if target.exists():
                return
            remove(partial)  # left by a process that was killed
            build = Build(library, partial, cache / "shared", verbose)
            try:
                with Progress(library.name, verbose) as progress:
                    build.run(progress)
                write_modules(library, build.emitted / "operators.json", partial / "package")
                remove(partial / "scan")
                remove(partial / "objects")
                os.replace(partial, target)
            except BaseException:
                remove(partial)
                raise
            build.start_precompiling()
    except OSError as error:
        raise explain_os_error(error, error.filename or cache) from None


def _open(library, path):
    import torch
    try:
        torch.ops.load_library(str(path))
    except OSError as error:
        raise BuildError(f"{library.name}: {path} was built and cannot be loaded: {error}; remove its folder to build again") from None
    functions = ctypes.CDLL(str(path))
    read_errors = functions.structured_load_errors
    read_errors.restype = ctypes.c_char_p
    errors = read_errors().decode()
    if errors:
        raise BuildError(f"{library.name}: operators cannot be registered: {errors}")
    _register_modules(path.parent / "package", library.namespace, functions)
    operators = json.loads((path.parent / "emitted" / "operators.json").read_text(encoding="utf-8"))
    return OperatorModule(library.name, library.namespace, path, operator_names(operators))


def _register_modules(folder, namespace, functions):
    """Lets compilers call the operators with symbolic sizes, and DTensor spread them, by the modules of a folder."""
    import torch
    if not hasattr(torch.library, "register_fake"):  # before PyTorch 2.4
        return
    package = f"structured_gen._package_{namespace}"
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = [str(folder)]
    if hasattr(functions, "structured_release_meta_kernels"):
        functions.structured_release_meta_kernels()
    layers = ["_layers", "_decompositions"] if (folder / "_layers.py").exists() else []
    for module in "_shapes", "_sharding", *layers:
        importlib.import_module(f"{package}.{module}").register()


def _name_newest(name, module):
    """Makes `torch.ops.NAME` the operators of a module, unless a library has registered the namespace NAME itself."""
    import torch
    if not any(each.startswith(f"{name}::") for each in torch._C._dispatch_get_all_op_names()):
        setattr(torch.ops, name, getattr(torch.ops, module.namespace))


# setuptools


def StructuredExtension(name, sources, *, namespace=None, stable_abi=None, extra_compile_args=(), extra_link_args=(),
                        include_dirs=(), **unknown):
    """An extension for `setup(ext_modules=[...])` with `BuildExtension`: the Python package `name`, with a library of the operators
    in `sources` and stubs. With `stable_abi="2.10"`, one build works in PyTorch 2.10 and later."""
    from setuptools import Extension
    if unknown:
        raise TypeError(f"StructuredExtension: unexpected {', '.join(unknown)}; expected namespace, stable_abi, extra_compile_args, "
                        "extra_link_args or include_dirs")
    check_name(name.rpartition(".")[2])
    check_name(namespace or name.rpartition(".")[2], "namespace")
    if stable_abi is not None:
        stable_version(stable_abi)
    extension = Extension(name, [os.fspath(each) for each in sources])
    extension.structured = dict(namespace=namespace, stable_abi=stable_abi, extra_cflags=list(extra_compile_args),
                                extra_ldflags=list(extra_link_args), extra_include_paths=list(include_dirs))
    return extension


def _build_package(library, package, folder, verbose=True):
    """Builds the Python package of a library in the folder `package`, with intermediate files in `folder`."""
    build = Build(library, folder, verbose=verbose)
    with Progress(library.name, verbose) as progress:
        path = build.run(progress)
    package.mkdir(parents=True, exist_ok=True)
    files = write_package(library, build.emitted / "operators.json", package)
    shutil.copyfile(path, package / library.file_name)
    return [package / each for each in files]


@functools.lru_cache(None)
def _build_extension():
    from setuptools.command.build_ext import build_ext

    class BuildExtension(build_ext):
        """Builds the extensions of `StructuredExtension`, and others as setuptools does."""

        @classmethod
        def with_options(cls, **options):
            """The class itself, for setup.py files of torch.utils.cpp_extension; options of that module have no effect."""
            return cls

        def build_extension(self, extension):
            if not hasattr(extension, "structured"):
                return super().build_extension(extension)
            from setuptools.errors import CompileError
            name = extension.name.rpartition(".")[2]
            try:
                library = Library(name, extension.sources, source_root=os.getcwd(), **extension.structured)
                _build_package(library, self._package(extension, self.build_lib), pathlib.Path(self.build_temp).absolute() / name,
                               self.verbose > 1)
            except (Missing, BuildError, OSError) as error:
                raise CompileError(str(error)) from None

        def _package(self, extension, base):
            return pathlib.Path(base).absolute().joinpath(*extension.name.split("."))

        def get_ext_filename(self, fullname):
            if any(hasattr(each, "structured") and self.get_ext_fullname(each.name) == fullname for each in self.extensions):
                return os.path.join(*fullname.split("."), f"lib{fullname.rpartition('.')[2]}.so")
            return super().get_ext_filename(fullname)

        def copy_extensions_to_source(self):
            """For `build_ext --inplace` and editable installations."""
            everything, self.extensions = self.extensions, [each for each in self.extensions if not hasattr(each, "structured")]
            base = self.get_finalized_command("build_py").package_dir.get("", ".")
            for extension in everything:
                if hasattr(extension, "structured"):
                    shutil.copytree(self._package(extension, self.build_lib), self._package(extension, base), dirs_exist_ok=True)
            try:
                super().copy_extensions_to_source()
            finally:
                self.extensions = everything

        def get_outputs(self):
            outputs = super().get_outputs()
            for extension in self.extensions:
                if hasattr(extension, "structured"):
                    package = self._package(extension, self.build_lib)
                    outputs += [str(package / each) for each in ("__init__.py", "__init__.pyi", "py.typed")]
            return outputs

    return BuildExtension


def __getattr__(name):
    if name == "BuildExtension":  # setuptools is imported when it is needed
        return _build_extension()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Other build systems


def main(arguments=None):
    """Builds the Python package of a library, for build systems that run commands, such as meson."""
    parser = argparse.ArgumentParser(prog="python -m structured_gen.torch", description=main.__doc__)
    parser.add_argument("--name", required=True, help="the name of the package and of the library")
    parser.add_argument("--namespace", help="the namespace of the operators (default: the name)")
    parser.add_argument("--stable-abi", metavar="VERSION", help="the oldest version of PyTorch that loads the library")
    parser.add_argument("--output-dir", required=True, metavar="FOLDER", help="where to write the files of the package")
    parser.add_argument("--source-root", metavar="FOLDER", help="the folder that paths in emitted files are relative to")
    parser.add_argument("--depfile", metavar="FILE", help="where to list the files that were read")
    parser.add_argument("--cflag", action="append", default=[], metavar="FLAG", help="a flag for the compiler; may be repeated")
    parser.add_argument("--ldflag", action="append", default=[], metavar="FLAG", help="a flag for the linker; may be repeated")
    parser.add_argument("--verbose", action="store_true", help="print the commands")
    parser.add_argument("sources", metavar="SOURCE", nargs="+")
    options = parser.parse_args(arguments)
    try:
        library = Library(options.name, options.sources, namespace=options.namespace, stable_abi=options.stable_abi,
                          extra_cflags=options.cflag, extra_ldflags=options.ldflag, source_root=options.source_root)
        output = pathlib.Path(options.output_dir).absolute()
        files = _build_package(library, output, output / f"{options.name}.build", options.verbose)
        if options.depfile:
            inputs = [str(each) for each in library.sources] + [path for path, _ in library.headers()]
            escaped = " ".join(each.replace("\\", "\\\\").replace(" ", "\\ ") for each in inputs)
            first = os.path.normpath(os.path.join(options.output_dir, files[0].name))  # as the build system names it
            pathlib.Path(options.depfile).write_text(f"{first}: {escaped}\n", encoding="utf-8")
    except (Missing, BuildError, OSError, ValueError, TypeError) as error:
        print(f"structured_gen: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
