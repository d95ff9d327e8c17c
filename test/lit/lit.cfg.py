# Text tests. A test is one file with commands in RUN lines and, in most cases, expected output in CHECK lines
# (FileCheck) or `expected-error` comments (-verify). Output goes below %t.
#
# Substitutions besides lit's own %s, %t, %S and %{...}:
#   %structured_gen           the code generator
#   %structured_lsp           the language server
#   %lsp_session              Python that finds test/lit/lsp/Inputs/client.py
#   %plugin                   the Clang plugin: `%clangxx -fplugin=%plugin ...`
#   %clangxx, %gxx            compilers, with -std=c++20 and the runtime's include path
#   %clang_program            clang++ alone
#   %runtime                  include path of the runtime; `-I%runtime` is also that of schema/
#   %source_dir, %build_dir   of the project
#   %kernels_gen_dir          output directory of the project's own operator library
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
environment["CCACHE_DISABLE"] = "1"  # tests that count commands or compare outputs need uncached runs
environment["FILECHECK_OPTS"] = "--dump-input-filter=annotation-full"

include_paths = f"-I{config.source_dir}/runtime -I{config.source_dir}/schema"
common_flags = "-std=c++20 " + include_paths
cuda_toolkit = "/usr/local/cuda"
if os.path.exists(cuda_toolkit + "/include/cuda_runtime.h"):
    config.available_features.add("cuda-toolkit")
else:
    lit_config.note("no CUDA toolkit in " + cuda_toolkit + ": skipping tests that need it")
if shutil.which("ccache"):
    config.available_features.add("ccache")
else:
    lit_config.note("no ccache, which `./dev setup` installs: skipping its test")

if shutil.which("sccache"):
    config.available_features.add("sccache")
else:
    lit_config.note("no sccache, which `./dev setup --full` installs: skipping its test")

if shutil.which("aarch64-linux-gnu-g++"):
    config.available_features.add("aarch64-gxx")
else:
    lit_config.note("no aarch64-linux-gnu-g++, which `./dev setup --full` installs: skipping its test")

for tier, tests in (("exhaustive", "in exhaustive/"), ("projects", "in build/ that build projects")):
    if lit_config.params.get(tier):
        config.available_features.add(tier)
    else:
        lit_config.note("the tests %s take minutes: `./dev test --only=%s` runs them" % (tests, tier))
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
else:
    lit_config.note("no valgrind, which `./dev setup --full` installs: skipping a part of build/memory_checks.cpp")

def can_debug():
    """Why gdb cannot tell what the frames of a call are; nothing if it can."""
    if config.build_type != "Release" or config.sanitize:
        return "the build is not an optimised one, and has other frames"
    if not shutil.which("gdb"):
        return "no gdb, which `./dev setup` installs"
    # A container may prevent gdb from starting programs.
    tried = subprocess.run(["gdb", "-q", "-batch", "-nx", "-ex", "run", "/bin/true"], capture_output=True, text=True)
    return "" if "exited normally" in tried.stdout else "gdb cannot start a program here"


why_not = can_debug()
if why_not:
    lit_config.note(why_not + ": skipping tests with gdb")
else:
    config.available_features.add("gdb")
    # At -O1, g++ inlines fewer functions.
    if "-O3" in config.release_flags:
        config.available_features.add("optimised")
    else:
        lit_config.note("the build is not optimised with -O3: `./dev test --only=exhaustive` compares frames with the docs")

clangxx = config.clangxx
link_flags = ""
if config.sanitize:
    config.available_features.add("sanitize")
    lit_config.note("sanitizers: g++'s runtime cannot be linked with clang++'s; skipping the test of clang++")
    link_flags = " -fsanitize=" + config.sanitize
    environment["ASAN_OPTIONS"] = "detect_leaks=0"  # Clang and LLVM's tools leak by design
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    # The plugin is instrumented and clang is not, so that the sanitizer's runtime must be preloaded.
    clangxx = "env LD_PRELOAD=" + config.asan_runtime + " " + clangxx


def cmake(generator, compiler=config.gxx, flags=link_flags):
    return " ".join([
        config.cmake, "-G", generator, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=",  # -g takes time
        "-DCMAKE_CXX_COMPILER=" + compiler, "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DStructured_DIR=" + config.build_dir,
        "'-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" + flags + "'"])


# For compilations only: clang++ cannot link objects that g++ has instrumented.
cmake_clang = cmake("Ninja", config.clangxx, flags="")
if config.sanitize:
    cmake_clang += " '-DCMAKE_CXX_COMPILER_LAUNCHER=env;LD_PRELOAD=" + config.asan_runtime + "'"


# Longer names first, since lit replaces substrings.
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
    ("-I%runtime", include_paths),
    ("%runtime", config.source_dir + "/runtime"),
    ("%cmake_program", config.cmake),
    ("%cmake_make", cmake("'Unix Makefiles'")),
    ("%cmake_clang", cmake_clang),
    ("%cmake", cmake("Ninja")),
    ("%ninja", config.ninja),
    ("%nvcc", cuda_toolkit + "/bin/nvcc"),
    ("%python", config.python),
]
