"""Configures projects that use Structured by the newest CMake, with developer warnings and deprecations as errors.

    newest_cmake.py SOURCE_DIR BUILD_DIR CXX

The newest CMake comes from PyPI, into a virtual environment at SOURCE_DIR/build/venv-cmake, which later runs use again. Exits
with 77, which ctest counts as skipped, and a message if it cannot be installed. A project that asks for the newest policies
uses an installation and this build by find_package, and the sources by add_subdirectory; Structured itself is configured, too.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "torch"))
from with_newest_torch import python_with  # noqa: E402

STRICT = ["-G", "Ninja", "-Wdev", "-Werror=dev", "-Wdeprecated", "-Werror=deprecated", "-DCMAKE_BUILD_TYPE=Release"]

PROJECT = """cmake_minimum_required(VERSION 3.25...{version})
project(user VERSION 1.0 LANGUAGES CXX)
enable_testing()
{find}
structured_add_library(user_ops STATIC scale.cpp NAMESPACE user BACKENDS CPU Meta CHECK)
structured_add_library(other_ops SHARED scale.cpp NAMESPACE other IMPORTS "" LOCK "")
structured_install_library(user_ops COMPONENT user)
structured_add_torch_library(torch_ops torch_scale.cpp NAMESPACE torch_ops PYTHON_MODULE)
"""

SCALE = """#include <structured/structured.h>
using namespace structured;
[[structured::kernel("scale", "CPU", "Meta")]] Tensor scale(const Tensor& self, double factor) { return self; }
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def fake_torch(folder):
    """Makes the files of a PyTorch 2.15 that CMake looks at."""
    for name in ("__init__.py", "lib/libtorch_cpu.so", "lib/libtorch.so", "lib/libc10.so", "include/ATen/core/TensorBase.h"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    version = folder / "include/torch/headeronly/version.h"
    version.parent.mkdir(parents=True)
    version.write_text("".join(f"#define TORCH_VERSION_{line}\n" for line in ("MAJOR 2", "MINOR 15", "PATCH 0")))
    (folder / "share/cmake/Torch").mkdir(parents=True)
    return folder / "share/cmake/Torch"


def main(source_dir, build_dir, compiler):
    source, build = pathlib.Path(source_dir), pathlib.Path(build_dir)
    python = python_with(source / "build/venv-cmake", ["cmake"])
    cmake = python.parent / "cmake"
    version = run(cmake, "--version").split()[2]
    print(f"CMake {version}")
    strict = [cmake, *STRICT, f"-DCMAKE_CXX_COMPILER={compiler}"]
    work = build / "test/package/newest_cmake"
    shutil.rmtree(work, ignore_errors=True)
    torch = fake_torch(work / "torch")
    run(cmake, "--install", build, "--component", "structured", "--prefix", work / "prefix")
    ways = {
        "installed": ("find_package(Structured REQUIRED)", [f"-DCMAKE_PREFIX_PATH={work / 'prefix'}"]),
        "built": ("find_package(Structured REQUIRED)", [f"-DStructured_DIR={build}"]),
        "below": (f"add_subdirectory({source} structured)", ["-DSTRUCTURED_BUILD_TOOL=OFF", "-DSTRUCTURED_BUILD_KERNELS=OFF",
                                                             "-DSTRUCTURED_INSTALL=ON",
                                                             f"-DSTRUCTURED_GEN_EXECUTABLE={build / 'bin/structured-gen'}"]),
    }
    policies = ".".join(version.split(".")[:2])
    for name, (find, arguments) in ways.items():
        project = work / name
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT.format(version=policies, find=find))
        (project / "scale.cpp").write_text(SCALE)
        (project / "torch_scale.cpp").write_text(SCALE.replace("structured.h", "torch.h").replace("structured;", "at;"))
        run(*strict, "-S", project, "-B", project / "build", f"-DTorch_DIR={torch}", *arguments)
        run(cmake, "--build", project / "build", "--target", "user_ops_emit", "other_ops_emit")
        print(f"{name}: configured, and emitted code")
    run(*strict, "-S", source, "-B", work / "itself", "-DSTRUCTURED_BUILD_PYTHON=ON")
    print("Structured itself: configured")


main(*sys.argv[1:])
