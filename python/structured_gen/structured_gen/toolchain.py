"""The compiler and the PyTorch that a build uses, found without importing torch, which takes seconds."""
import functools
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from . import Missing

OLDEST_GCC, OLDEST_CLANG, OLDEST_TORCH, OLDEST_STABLE = 12, 13, (2, 4), (2, 10)
INSTALL_COMPILER = "`apt install g++` (Debian, Ubuntu), `dnf install gcc-c++` (Fedora, Rocky) or `apk add g++` (Alpine)"


class Compiler:
    """A compiler of C++. Finding it runs no program."""

    def __init__(self):
        named = shlex.split(os.environ.get("CXX", ""))
        self.command = named or ["g++"]
        path = shutil.which(self.command[0])
        if path is None and not named:
            self.command, path = ["clang++"], shutil.which("clang++")
        if path is None:
            if named:
                raise Missing(f"the compiler `{self.command[0]}` that CXX names is not in PATH; set CXX to a C++ compiler, or unset it")
            raise Missing(f"there is no C++ compiler: g++ is not in PATH; install it by {INSTALL_COMPILER}")
        self.path = path
        self.command[0] = path

    def identity(self):
        """Text that changes with the compiler."""
        path = os.path.realpath(self.path)
        status = os.stat(path)
        return f"{self.command[1:]} {path} {status.st_size} {status.st_mtime_ns}"

    @functools.cached_property
    def version(self):
        """("g++" or "clang++", major version). Raises `Missing` if it does not run."""
        try:
            text = subprocess.run([*self.command, "-dM", "-E", "-x", "c++", os.devnull], capture_output=True, text=True,
                                  check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            detail = (getattr(error, "stderr", None) or str(error)).strip().split("\n")[0]
            raise Missing(f"the compiler {self.path} does not work: {detail}; install it again by {INSTALL_COMPILER}") from None
        macros = dict(re.findall(r"#define (__clang_major__|__GNUC__) (\d+)", text))
        if "__clang_major__" in macros:
            return "clang++", int(macros["__clang_major__"])
        return "g++", int(macros.get("__GNUC__", 0))

    def check(self):
        name, major = self.version
        oldest = OLDEST_CLANG if name == "clang++" else OLDEST_GCC
        if major < oldest:
            raise Missing(f"kernels need C++20: g++ {OLDEST_GCC} or clang++ {OLDEST_CLANG} or newer; found {name} {major} ({self.path}). "
                          f"Install a newer one, and set CXX to it (`export CXX=g++-{OLDEST_GCC}`)")

    @functools.cached_property
    def scan_flags(self):
        """Flags that make a scan read the headers that this compiler reads: its target and its GCC."""
        environment = dict(os.environ, LC_ALL="C")
        flags = []

        def ask(*arguments):
            return subprocess.run([*self.command, *arguments], capture_output=True, text=True, env=environment)

        text = ask("-v").stderr
        if target := re.search(r"^Target: (\S+)", text, re.M):
            flags.append(f"--target={target[1]}")
        installation = re.search(r"^Selected GCC installation: (.+)", text, re.M) or \
            re.search(r"^install: (.+)", ask("-print-search-dirs").stdout, re.M)
        if installation and os.path.isdir(installation[1]):
            flags.append(f"--gcc-install-dir={os.path.normpath(installation[1])}")
        if self.version[0] == "g++":
            sysroot = ask("-print-sysroot").stdout.strip()
            if sysroot not in ("", "/"):
                flags.append(f"--sysroot={sysroot}")
        return flags


class Torch:
    """An installation of PyTorch."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.version = "unknown"
        text = ""
        try:
            text = (self.root / "version.py").read_text(encoding="utf-8")
            self.version = re.search(r"__version__\s*=\s*['\"]([^'\"]+)", text)[1]
        except (OSError, TypeError):
            pass
        self.identity = f"{self.root} {text}"

    @property
    def number(self):
        """(2, 15), from `2.15.0+cpu`."""
        return tuple(int(each) for each in re.findall(r"\d+", self.version)[:2])

    @functools.cached_property
    def cxx11_abi(self):
        try:
            config = (self.root / "share/cmake/Torch/TorchConfig.cmake").read_text(encoding="utf-8")
        except OSError:
            return True
        return "D_GLIBCXX_USE_CXX11_ABI=0" not in config

    @property
    def include_dirs(self):
        return [self.root / "include", self.root / "include/torch/csrc/api/include"]

    def check(self, stable_abi=None):
        if self.number < OLDEST_TORCH:
            raise Missing(f"PyTorch 2.4 or newer is needed; found {self.version} in {self.root}. Upgrade it with "
                          f"`{sys.executable} -m pip install --upgrade torch`")
        if not (self.root / "include/ATen/core/TensorBase.h").is_file() or not (self.root / "lib/libtorch_cpu.so").is_file():
            raise Missing(f"the PyTorch in {self.root} has no C++ headers or no libraries; install a wheel of it with "
                          f"`{sys.executable} -m pip install --force-reinstall torch`")
        if stable_abi and self.number < stable_abi:
            raise Missing("the stable ABI of PyTorch {}.{} was asked for; found the headers of PyTorch {} in {}. Upgrade it with "
                          "`{} -m pip install --upgrade torch`".format(*stable_abi, self.version, self.root, sys.executable))


def find_torch():
    """The PyTorch of this interpreter. Raises `Missing` if there is none."""
    module = sys.modules.get("torch")
    file = getattr(module, "__file__", None)
    if file is None:
        try:
            spec = importlib.util.find_spec("torch")
        except (ImportError, ValueError):
            spec = None
        file = spec.origin if spec else None
    if file is None:
        raise Missing(f"PyTorch is not installed for {sys.executable}; run `{sys.executable} -m pip install torch`")
    return Torch(os.path.dirname(file))
