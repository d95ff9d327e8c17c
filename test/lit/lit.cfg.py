# Text tests. Every test is one file that holds its commands in RUN lines and mostly what is expected of their output in
# CHECK lines (FileCheck) or `expected-error` comments (-verify). Its output goes below %t.
#
# What tests may write, besides lit's own %s, %t, %S and %{...}:
#   %structured_gen           the code generator
#   %structured_lsp           the language server
#   %lsp_session              Python that finds test/lit/lsp/Inputs/client.py
#   %plugin                   the Clang plugin: `%clangxx -fplugin=%plugin ...`
#   %clangxx, %gxx            compilers, with -std=c++20 and the runtime's include path
#   %clang_program            clang++ alone
#   %runtime                  include path of the runtime
#   %source_dir, %build_dir   of the project
#   %kernels_gen_dir          where our own operator library was emitted
#   %kernels_lib, %runtime_lib   the shared libraries
#   %cmake                    CMake, with the arguments that make it configure a project against this build by
#                             `find_package(Structured)`: `%cmake -S ... -B ...`
#   %cmake_make               the same, for make
#   %cmake_clang              the same, for clang++ and for libraries only
#   %cmake_program, %ninja, %python   the programs
#   %nvcc                     CUDA's compiler, where the test says `REQUIRES: cuda-toolkit`
#   FileCheck, not, split-file
# Commands are run by bash, and a pipe fails if any part of it fails.
import os
import shutil
import subprocess

import lit.formats

config.name = "Structured"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cpp", ".test", ".json", ".cu", ".h"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

environment = config.environment
environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, environment["PATH"]])
environment["LC_ALL"] = "C.UTF-8"
environment["CCACHE_DISABLE"] = "1"  # tests that count commands, or compare what they make, want every run to be real
environment["FILECHECK_OPTS"] = "--dump-input-filter=annotation-full"

common_flags = "-std=c++20 -I" + config.source_dir + "/runtime"
cuda_toolkit = "/usr/local/cuda"
if os.path.exists(cuda_toolkit + "/include/cuda_runtime.h"):
    config.available_features.add("cuda-toolkit")
else:
    lit_config.note("no CUDA toolkit in " + cuda_toolkit + ": tests that need one are not run")
if shutil.which("ccache"):
    config.available_features.add("ccache")
else:
    lit_config.note("no ccache, which `./dev setup` installs: its test is not run")

def can_debug():
    """Why gdb cannot tell what the frames of a call are; nothing if it can."""
    if config.build_type != "Release" or config.sanitize:
        return "the build is not an optimised one, and has other frames"
    if not shutil.which("gdb"):
        return "no gdb, which `./dev setup` installs"
    # Containers may forbid it to start a program.
    tried = subprocess.run(["gdb", "-q", "-batch", "-nx", "-ex", "run", "/bin/true"], capture_output=True, text=True)
    return "" if "exited normally" in tried.stdout else "gdb cannot start a program here"


why_not = can_debug()
if why_not:
    lit_config.note(why_not + ": the frames of a call are not compared")
else:
    config.available_features.add("gdb")

clangxx = config.clangxx
link_flags = ""
if config.sanitize:
    config.available_features.add("sanitize")
    lit_config.note("sanitizers: g++'s runtime of them cannot be linked with clang++'s, so that test is not run")
    link_flags = " -fsanitize=" + config.sanitize
    environment["ASAN_OPTIONS"] = "detect_leaks=0"  # Clang, and LLVM's tools that we start, leak by design
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    # The plugin is instrumented and clang is not, so the sanitizer's runtime has to be there first.
    clangxx = "env LD_PRELOAD=" + config.asan_runtime + " " + clangxx


def cmake(generator, compiler=config.gxx, flags=link_flags):
    return " ".join([
        config.cmake, "-G", generator, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_COMPILER=" + compiler,
        "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DStructured_DIR=" + config.build_dir,
        "'-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" + flags + "'"])


# Compiles, and is not to be linked with what another compiler has instrumented.
cmake_clang = cmake("Ninja", config.clangxx, flags="")
if config.sanitize:
    cmake_clang += " '-DCMAKE_CXX_COMPILER_LAUNCHER=env;LD_PRELOAD=" + config.asan_runtime + "'"


# Longer names first: lit replaces text, not words.
config.substitutions += [
    ("%structured_gen", config.structured_gen),
    ("%structured_lsp", config.structured_lsp),
    ("%lsp_session", "env PYTHONPATH=" + config.source_dir + "/test/lit/lsp/Inputs PYTHONDONTWRITEBYTECODE=1 " +
     config.python),
    ("%plugin", config.plugin),
    ("%clangxx", clangxx + " " + common_flags),
    ("%clang_program", config.clangxx),
    ("%gxx", config.gxx + " " + common_flags + link_flags),
    ("%source_dir", config.source_dir),
    ("%build_dir", config.build_dir),
    ("%kernels_gen_dir", config.kernels_gen_dir),
    ("%kernels_lib", config.kernels_library),
    ("%runtime_lib", config.runtime_library),
    ("%runtime", config.source_dir + "/runtime"),
    ("%cmake_program", config.cmake),
    ("%cmake_make", cmake("'Unix Makefiles'")),
    ("%cmake_clang", cmake_clang),
    ("%cmake", cmake("Ninja")),
    ("%ninja", config.ninja),
    ("%nvcc", cuda_toolkit + "/bin/nvcc"),
    ("%python", config.python),
]
