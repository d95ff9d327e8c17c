"""`structured doctor`: what a build needs, what this machine has, and the commands that install what is missing."""
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
import sysconfig

import structured_gen
from . import Missing
from .library import cache_dir
from .toolchain import OLDEST_STABLE, Compiler, find_torch

# Packages of the templates' builds; only one of the three is needed.
BUILDS = ["scikit-build-core", "setuptools", "meson-python"]


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


class Report:
    def __init__(self):
        self.missing = 0

    def good(self, what, text):
        print(f"  ok       {what}: {text}")

    def note(self, what, text):
        print(f"  note     {what}: {text}")

    def bad(self, what, text):
        self.missing += 1
        print(f"  missing  {what}: {text}")

    def attempt(self, what, function):
        """Reports the text that the function returns, or what it misses."""
        try:
            self.good(what, function())
        except Missing as error:
            self.bad(what, str(error))


def generator():
    program = structured_gen.program()
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True)
    except OSError as error:
        raise Missing(f"{program} does not start ({error.strerror}): this machine is {platform.machine()}; install the wheel for it") \
            from None
    if done.returncode:
        raise Missing(f"{program} fails: {done.stderr.strip()}; install the wheel again")
    return f"{done.stdout.strip()}, {program}"


def compiler():
    found = Compiler()
    found.check()
    return f"{found.version[0]} {found.version[1]}, {found.path}"


def torch():
    found = find_torch()
    found.check()
    text = f"{found.version}, {found.root}"
    return text if found.cxx11_abi else text + ", the old C++ ABI (_GLIBCXX_USE_CXX11_ABI=0)"


def stable_abi():
    found = find_torch()
    if found.number < OLDEST_STABLE:
        raise Missing(f"PyTorch {found.version} has none; `structured new --stable` needs PyTorch 2.10: "
                      f"`{sys.executable} -m pip install --upgrade torch`")
    return "PyTorch {}.{} has it".format(*found.number)


def cache():
    folder = cache_dir()
    existing = folder
    while not existing.exists():
        existing = existing.parent
    if not os.access(existing, os.W_OK | os.X_OK):
        raise Missing(f"{folder} cannot be written to; set STRUCTURED_CACHE_DIR to another folder")
    free = shutil.disk_usage(existing).free / 1e9
    if free < 1:
        raise Missing(f"{folder}: {free:.1f} GB are free, and builds need 1 GB; make room, or set STRUCTURED_CACHE_DIR")
    return f"{folder}, {free:.0f} GB free"


def run():
    report = Report()
    print(f"structured-gen {structured_gen.__version__}, Python {platform.python_version()} ({sys.executable}), "
          f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver()).strip() or 'musl'}")
    report.attempt("generator", generator)
    report.attempt("compiler", compiler)
    report.attempt("PyTorch", torch)
    if version_of("torch"):
        report.attempt("stable ABI", stable_abi)
    report.attempt("cache", cache)
    builds = [f"{each} {version_of(each)}" for each in BUILDS if version_of(each)]
    if builds:
        report.good("Python builds", ", ".join(builds))
    else:
        report.bad("Python builds", f"none of {', '.join(BUILDS)}; run `{sys.executable} -m pip install scikit-build-core`, or let pip "
                   "install it by leaving out --no-build-isolation")
    for program in ("cmake", "ninja"):
        path = shutil.which(program)
        if path:
            report.good(program, path)
        else:
            report.note(program, f"not in PATH; scikit-build-core installs it, for other uses `{sys.executable} -m pip install {program}`")
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        report.note("Python.h", "not found; libraries do not need it, but `torch.compile` does: `apt install python3-dev`")
    if report.missing:
        print(f"{report.missing} missing")
    return 1 if report.missing else 0
