"""Builds a library of operators for PyTorch: scans the sources, emits code, compiles and links, in one process of Python."""
import concurrent.futures
import contextlib
import errno
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import structured_gen
from . import Missing
from .toolchain import OLDEST_STABLE, Compiler, find_torch

# Options of structured_add_torch_library in CMake.
COMPILE_FLAGS = ["-std=c++20", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-DNDEBUG", "-w"]
LOOP_FLAGS = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
GCC_LOOP_FLAGS = ["-ftree-vectorize", "-fvect-cost-model=dynamic", "--param=early-inlining-insns=500",
                  "--param=max-inline-insns-auto=1000"]
SOURCE_SUFFIXES, HEADER_SUFFIXES = {".cpp", ".cc", ".cxx"}, {".h", ".hh", ".hpp"}
# Namespaces of PyTorch's own operators.
RESERVED_NAMESPACES = {"aten", "prim", "prims", "_"}
# Headers that nearly every library includes, for precompiled headers: those of authors, and those of emitted code.
AUTHORS_HEADERS = ["structured/torch.h", "ATen/native/cpu/Loops.h"]
EMITTED_HEADERS = ["structured/torch/adaptors.h", "structured/torch/autograd.h", "structured/torch/library.h",
                   "structured/torch/saved.h"]


class BuildError(RuntimeError):
    """A source does not compile, or has an annotation that the generator refuses; the text is from the tool."""


def digest(*parts):
    result = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogateescape")
        result.update(b"%d " % len(data) + data)
    return result.hexdigest()


def check_name(name, what="name"):
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"expected a {what} of letters, digits and underscores, got {name!r}")
    if name in RESERVED_NAMESPACES:
        raise ValueError(f"the {what} {name!r} belongs to PyTorch, which defines its operators already; choose another one")


def stable_version(text):
    """(2, 10) from "2.10". Raises ValueError for other texts and for versions without a stable ABI."""
    found = re.fullmatch(r"(\d+)\.(\d+)", str(text))
    version = tuple(map(int, found.groups())) if found else (0, 0)
    if version < OLDEST_STABLE:
        raise ValueError(f"stable_abi: expected the first version of PyTorch in which the library is to work, 2.10 or later, such "
                         f"as '2.10'; got {text!r}")
    return version


def explain_os_error(error, folder):
    """Returns a clearer error than the operating system's, for a folder that a build writes to."""
    reasons = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the quota of the disk is used up", errno.EACCES: "permission denied",
               errno.EPERM: "permission denied", errno.EROFS: "the file system is read-only"}
    reason = reasons.get(error.errno, error.strerror or str(error))
    return Missing(f"cannot write to {folder}: {reason}; make room or give permission, or set STRUCTURED_CACHE_DIR or "
                   "build_directory to another folder")


class Processes:
    """Runs commands, and ends those that still run when one fails or the user interrupts."""

    def __init__(self, verbose=False):
        self.verbose = verbose
        self._running, self._lock, self._stopped = set(), threading.Lock(), False

    def run(self, command, folder=None, environment=None):
        """Returns (exit status, output)."""
        if self.verbose:
            print(shlex.join(map(str, command)), file=sys.stderr, flush=True)
        with self._lock:
            if self._stopped:
                return 1, ""
            # Signals of the terminal reach Python alone, which ends the commands.
            process = subprocess.Popen([str(each) for each in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, cwd=folder, start_new_session=True, env=environment)
            self._running.add(process)
        try:
            output = process.communicate()[0].decode("utf-8", "replace")
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, output

    def check(self):
        """Raises `BuildError` after `stop`."""
        if self._stopped:
            raise BuildError("the build was stopped")

    def stop(self):
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGTERM)  # g++ removes its temporary files


class Progress:
    """Says on standard error what a long build does: nothing in the first seconds, then a line that is replaced."""

    DELAY = 2.0

    def __init__(self, name, verbose):
        self.name, self.verbose, self.start = name, verbose, time.monotonic()
        self._text, self._done, self._shown = "", threading.Event(), False
        # Notebooks show standard error as it comes; other files get no progress.
        self._is_shown = verbose or sys.stderr.isatty() or "ipykernel" in sys.modules
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self):
        if self._is_shown:
            self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        if self._is_shown:
            self._thread.join()
            if self._shown:
                print(file=sys.stderr, flush=True)

    def step(self, text):
        self._text = text
        if self.verbose:
            print(f"{self.name}: {text}", file=sys.stderr, flush=True)

    def _show(self):
        if self.verbose:
            return
        while not self._done.wait(0.5):
            seconds = time.monotonic() - self.start
            if seconds > self.DELAY:
                self._shown = True
                print(f"\r{self.name}: {self._text} ({seconds:.0f} s)".ljust(60), end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def locked(path, waiting=lambda: None):
    """Holds the lock of a file, which processes on this machine share. Calls `waiting` again and again while another has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                time.sleep(0.05)
                continue
            except OSError:  # a file system without locks
                pass
            break
        yield


def cache_dir():
    named = os.environ.get("STRUCTURED_CACHE_DIR")
    if named:
        return pathlib.Path(named).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base).absolute() / "structured_gen"


def generator_identity():
    path = os.path.realpath(structured_gen.program())
    status = os.stat(path)
    headers = ""
    if structured_gen.source_dir() == structured_gen._CLONE:  # headers that are being edited
        headers = [(str(each), each.stat().st_mtime_ns) for folder in structured_gen.include_dirs()
                   for each in sorted(folder.rglob("*.h"))]
    return f"{structured_gen.__version__} {status.st_size} {status.st_mtime_ns} {headers}"


def include_options(headers):
    return [each for header in headers for each in ("-include", header)]


def local_headers(texts, include_dirs):
    """The headers of the author that the sources include, directly or not: (path, bytes). Conditions are ignored."""
    found, pending = {}, [(folder, text) for folder, text in texts]
    while pending:
        folder, text = pending.pop()
        for name in re.findall(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', text, re.M):
            for base in [folder, *include_dirs]:
                path = os.path.normpath(os.path.join(base, os.fsdecode(name)))
                if path in found:
                    break
                try:
                    with open(path, "rb") as file:
                        found[path] = file.read()
                except OSError:
                    continue
                pending.append((os.path.dirname(path), found[path]))
                break
    return sorted(found.items())


class Library:
    """A library of operators: what to build, and with what."""

    def __init__(self, name, sources, namespace=None, stable_abi=None, extra_cflags=(), extra_ldflags=(), extra_include_paths=(),
                 source_root=None, includes=(), optimize="-O2"):
        check_name(name)
        self.name, self.namespace = name, namespace or name
        check_name(self.namespace, "namespace")
        for option, values in (("extra_cflags", extra_cflags), ("extra_ldflags", extra_ldflags),
                               ("extra_include_paths", extra_include_paths)):
            if isinstance(values, (str, bytes)):
                raise TypeError(f"{option}: expected a list of strings, got {values!r}")
        if isinstance(sources, (str, os.PathLike)):
            sources = [sources]
        if not sources:
            raise ValueError("expected at least one source")
        self.sources = [pathlib.Path(each).absolute() for each in sources]
        for source in self.sources:
            if source.suffix == ".cu":
                raise ValueError(f"{source}: sources for CUDA are built by structured_add_torch_library in CMake; see docs/pytorch.md")
            if source.suffix not in SOURCE_SUFFIXES | HEADER_SUFFIXES:
                raise ValueError(f"{source}: expected a C++ source (.cpp, .cc, .cxx) or a header (.h, .hh, .hpp)")
            if not source.is_file():
                raise FileNotFoundError(errno.ENOENT, "there is no source", str(source))
        self.root = pathlib.Path(source_root).absolute() if source_root else \
            pathlib.Path(os.path.commonpath([each.parent for each in self.sources]))
        self.stable_abi = stable_version(stable_abi) if stable_abi else None
        self.dialect = "torch_stable" if stable_abi else "torch"
        self.extra_cflags, self.extra_ldflags = [str(each) for each in extra_cflags], [str(each) for each in extra_ldflags]
        self.include_dirs = [str(pathlib.Path(each).absolute()) for each in extra_include_paths]
        self.includes, self.optimize = list(includes), optimize
        self.cpp_namespace = self.namespace
        self.compiler, self.torch = Compiler(), find_torch()

    @property
    def file_name(self):
        return f"lib{self.name}.so"

    def key(self):
        """Identifies the result: sources, headers, flags and versions."""
        names = [os.path.relpath(each, self.root) for each in self.sources]
        return digest(self.name, self.namespace, self.dialect, self.stable_abi, self.includes, self.optimize, self.extra_cflags,
                      self.extra_ldflags, self.include_dirs, names, *(each.read_bytes() for each in self.sources),
                      *(each for pair in self.headers() for each in pair), self.compiler.identity(), self.torch.identity,
                      generator_identity())

    def headers(self):
        """The headers of the author: (path, bytes)."""
        return local_headers([(str(each.parent), each.read_bytes()) for each in self.sources], self.include_dirs)

    def check(self):
        self.compiler.check()
        self.torch.check(self.stable_abi)
        structured_gen.program()

    def definitions(self):
        abi = int(self.torch.cxx11_abi)
        result = [f"-DSTRUCTURED_TORCH_CXX11_ABI={abi}"]
        if not abi:
            result.append("-D_GLIBCXX_USE_CXX11_ABI=0")
        if self.stable_abi:
            major, minor = self.stable_abi
            result.append(f"-DTORCH_TARGET_VERSION={(major << 56) | (minor << 48):#x}")
        return result

    def include_flags(self):
        flags = [f"-isystem{each}" for each in self.torch.include_dirs]
        flags += [f"-I{each}" for each in [*self.include_dirs, *structured_gen.include_dirs()]]
        return flags

    def compile_flags(self):
        """The flags of every source, without those of the author."""
        return [*COMPILE_FLAGS, self.optimize, *self.definitions(), *self.include_flags(), "-DAT_PER_OPERATOR_HEADERS",
                f"-idirafter{structured_gen.include_dirs()[0]}/structured/torch/json_stand_in"]

    def scan_flags(self):
        flags = [*self.compiler.scan_flags, "-std=c++20", *self.definitions(), *self.include_flags()]
        wanted = re.compile(r"-(D|U|I|i|m|std|f(no-)?(openmp|(un)?signed-char|short-))")
        return flags + [each for each in self.extra_cflags if wanted.match(each)] + self.include_options()

    def include_options(self):
        """Flags that include headers before each source."""
        return include_options(self.includes)


class Build:
    """One build of a library in a folder."""

    def __init__(self, library, folder, shared=None, verbose=False, jobs=None):
        """`shared` is a folder for files that libraries share: precompiled headers and the object of support.cpp."""
        self.library, self.folder, self.shared = library, pathlib.Path(folder), pathlib.Path(shared or folder)
        self.processes = Processes(verbose)
        self.jobs = jobs or int(os.environ.get("MAX_JOBS") or 0) or os.cpu_count() or 1
        self._has_decompositions = None
        self.common_key = digest(library.torch.identity, library.compiler.identity(), generator_identity(), library.dialect,
                                 library.stable_abi, library.optimize, library.extra_cflags)[:16]

    def run(self, progress):
        library = self.library
        library.check()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                try:
                    support = pool.submit(self._support) if library.dialect == "torch" else None
                    self.emit(progress, pool)
                    progress.step("compiling")
                    objects = [pool.submit(self._compile, *each) for each in self._units()]
                    objects = [each.result() for each in objects]
                    if support:
                        objects.append(support.result())
                except BaseException:
                    self.processes.stop()
                    raise
            progress.step("linking")
            return self._link(objects)
        except OSError as error:
            raise explain_os_error(error, error.filename or self.folder) from None

    def _tool(self, *arguments):
        status, output = self.processes.run([structured_gen.program(), *arguments])
        if status:
            raise self._error(status, output)
        return output

    def _error(self, status, output):
        if "No space left on device" in output:
            return explain_os_error(OSError(errno.ENOSPC, ""), self.folder)
        if "Killed" in output or status == -signal.SIGKILL:
            return BuildError(f"{self.library.name}: the compiler was killed, probably since memory ran out; set MAX_JOBS=1, so that "
                              f"one compiler runs at a time\n{self.readable(output)}")
        return BuildError(f"{self.library.name}: the build failed\n{self.readable(output)}".rstrip())

    def readable(self, output):
        """Output of a tool, with paths as the author knows them and without the stack of includes of the library's unit."""
        output = output.replace(f"{self.library.root}{os.sep}", "")
        lines = [line for line in output.split("\n") if not re.match(r"(In file included|\s+)from \S*unit\.\w+\.cpp:\d+[:,]$", line)]
        return "\n".join(lines)

    def _namespaces(self):
        return [f"--dialect={self.library.dialect}", f"--namespace={self.library.namespace}",
                f"--cpp-namespace={self.library.cpp_namespace}"]

    def _shared_file(self, name, make):
        """A file of the shared folder, which `make(path)` writes if it is missing."""
        path = self.shared / name
        if path.exists():
            return path
        with locked(self.shared / "locks" / name, self.processes.check):
            if not path.exists():
                partial = path.with_name(f".part.{name}")
                try:
                    make(partial)
                    os.replace(partial, path)
                finally:
                    with contextlib.suppress(OSError):
                        partial.unlink()
        return path

    def has_decompositions(self):
        """Whether there may be scalar functions, whose bodies PyTorch's compilers see."""
        if self._has_decompositions is None:
            self._has_decompositions = any(b"pointwise" in each.read_bytes() for each in self.library.sources)
        return self._has_decompositions

    def _precompiled_scan(self):
        # The namespace is not a part of a precompiled header.
        flags = self.library.scan_flags()
        if self.library.dialect == "torch":
            flags += include_options(AUTHORS_HEADERS)
        bodies = ["--bodies"] if self.has_decompositions() else []
        name = f"scan-{digest(self.common_key, flags, bodies)[:16]}.pch"
        return self._shared_file(name, lambda path: self._tool("precompile", f"--dialect={self.library.dialect}", *bodies, "-o", path,
                                                               "--", *flags))

    def _scan(self, source):
        library = self.library
        where = os.path.relpath(source, library.root)
        fragment = self.folder / "scan" / f"{where}.json"
        fragment.parent.mkdir(parents=True, exist_ok=True)
        bodies = ["--meta-functions", *(["--scalar-graphs"] if self.has_decompositions() else [])]
        self._tool("scan", *self._namespaces(), *bodies, "--source-root", library.root, "--pch", self._precompiled_scan(), "-o", fragment,
                   source, "--", *library.scan_flags())
        return fragment

    def emit(self, progress, pool):
        """Scans the sources and emits their code in the folder `emitted`."""
        progress.step("scanning")
        fragments = list(pool.map(self._scan, self.library.sources))
        progress.step("emitting")
        self.emitted = self.folder / "emitted"
        self._tool("emit", *self._namespaces(), "--source-root", self.library.root, "--output-dir", self.emitted, *fragments)

    def _units(self):
        """(name, included files, further flags) of each source for the compiler. ATen's headers take most of the time: a kernel's
        source is compiled with the code that is emitted for it, and the last one with the registrations, unless the headers are
        precompiled: then the registrations take as long as the rest, and are compiled at the same time, with -O1, which takes less
        and changes few of them."""
        library = self.library
        gcc = library.compiler.version[0] == "g++"
        units = []
        for source in library.sources:
            where = os.path.relpath(source, library.root)
            is_header = source.suffix in HEADER_SUFFIXES
            emitted = self.emitted / "src" / (f"{where}.cpp" if is_header else os.path.splitext(where)[0] + ".cpp")
            files = [] if is_header else [source]
            if emitted.exists():
                files.append(emitted)
            units.append([where, files, [*LOOP_FLAGS, *(GCC_LOOP_FLAGS if gcc else [])] if is_header else []])
        registrations = self.emitted / "library.cpp"
        if self.jobs > 1 and self.precompiled_header():
            chosen = any(each.startswith("-O") for each in library.extra_cflags)  # the author's level, which the headers have, too
            units.append(["registrations", [registrations], [] if chosen else ["-O1"]])
        else:
            units[-1][1].append(registrations)
        return units

    def _compile(self, where, files, flags):
        library = self.library
        unit = self.folder / "objects" / f"{where}.unit.cpp"
        unit.parent.mkdir(parents=True, exist_ok=True)
        unit.write_text("".join(f'#include "{each}"\n' for each in files), encoding="utf-8")
        target = unit.with_suffix(".o")
        header = self.precompiled_header() if not set(flags) & set(LOOP_FLAGS) else None
        command = [*library.compiler.command, *library.compile_flags(), *library.extra_cflags, *flags,
                   *(["-include", header] if header else []), *library.include_options(), "-iquote", library.root,
                   f"-I{self.emitted}/include", "-c", unit, "-o", target]
        status, output = self.processes.run(command)
        if status:
            raise self._error(status, output)
        return target

    def _support(self):
        def make(path):
            source = path.with_suffix(".cpp")
            headers = ["support.h", *(["decomposed_call.h"] if self.has_decompositions() else [])]
            source.write_text("".join(f"#include <structured/torch/{each}>\n" for each in headers), encoding="utf-8")
            try:
                status, output = self.processes.run([*self.library.compiler.command, *self.library.compile_flags(),
                                                     *self.library.extra_cflags, "-c", source, "-o", path])
            finally:
                source.unlink()
            if status:
                raise self._error(status, output)
        kind = "decomposing-support" if self.has_decompositions() else "support"
        return self._shared_file(f"{kind}-{self.common_key}.o", make)

    def _link(self, objects):
        library = self.library
        target = self.folder / library.file_name
        status, output = self.processes.run(
            # An undefined function is an error here, and not in the middle of a call.
            [*library.compiler.command, "-shared", "-Wl,-z,defs", "-o", target, *objects, f"-L{library.torch.root}/lib",
             "-ltorch_cpu", "-lc10", *library.extra_ldflags])
        if status:
            raise self._error(status, output)
        return target

    # A precompiled header for g++: loading it takes a second in place of the headers' several.

    def precompiled_header(self):
        """The prefix header beside its precompiled form; None if there is none."""
        if self.library.dialect != "torch":
            return None
        header = self.shared / f"prefix-{self.common_key}.h"
        return header if header.with_suffix(".h.gch").exists() else None

    def start_precompiling(self):
        """Starts a process that precompiles the headers for later builds."""
        if os.environ.get("STRUCTURED_PCH") == "0" or self.library.dialect != "torch" or self.precompiled_header() or \
                self.library.compiler.version[0] != "g++":
            return
        header = self.shared / f"prefix-{self.common_key}.h"
        command = [*self.library.compiler.command, *self.library.compile_flags(), *self.library.extra_cflags, "-x", "c++-header",
                   str(header), "-o"]
        text = "".join(f"#include <{each}>\n" for each in [*AUTHORS_HEADERS, *EMITTED_HEADERS])
        job = {"command": [str(each) for each in command], "header": str(header), "text": text, "target": f"{header}.gch"}
        with contextlib.suppress(OSError):
            subprocess.Popen([sys.executable, "-I", str(pathlib.Path(__file__).with_name("precompile.py")), json.dumps(job)],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)


def operator_names(library):
    """The names of the operators in operators.json, without overloads."""
    schemas = [variant["schema"] for operator in library["operators"] for variant in operator["variants"]]
    return list(dict.fromkeys(schema.partition("(")[0].partition(".")[0] for schema in schemas))


def write_package(library, operators, folder):
    """Writes the Python package of a library: a module that loads it, and stubs. Returns the names of the files."""
    text = (structured_gen.source_dir() / "cmake" / "torch_package.py.in").read_text(encoding="utf-8")
    values = {
        "@namespace@": library.namespace, "@name@": library.name, "@torch_version@": ".".join(map(str, library.torch.number)),
        "@stable_abi@": repr(library.stable_abi or ()), "@cxx11_abi@": str(library.torch.cxx11_abi), "@cuda_major@": "None",
        f"$<TARGET_FILE_NAME:{library.name}>": library.file_name,
    }
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(text, encoding="utf-8")
    return ["__init__.py", *write_modules(library, operators, folder), library.file_name]


def write_modules(library, operators, folder):
    """Writes the meta functions of a library in Python, its sharding rules and derivatives, and stubs. Returns the names of the files."""
    subprocess.run([structured_gen.program(), "python", f"--module={library.name}", "--output-dir", folder, operators], check=True)
    copies = {"_shape_functions.py": "shapes.py", "_sharding_functions.py": "sharding.py"}
    emitted = ["__init__.pyi", "py.typed", "_shapes.py", "_sharding.py"]
    if library.stable_abi:
        copies |= {"_layer_functions.py": "layers.py", "_recording_functions.py": "recording.py",
                   "_decomposition_functions.py": "decompositions.py"}
        emitted += ["_layers.py", "_decompositions.py"]
    for copy, name in copies.items():
        sources = [pathlib.Path(include) / "structured" / "torch" / name for include in structured_gen.include_dirs()]
        source = next(filter(pathlib.Path.exists, sources), None)
        if source is None:
            raise BuildError(f"structured/torch/{name} is missing among the headers of structured-gen; install it again")
        shutil.copyfile(source, folder / copy)
    return [*emitted, *copies]


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
