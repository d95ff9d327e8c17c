"""cmake_package.py SOURCE_DIR BUILD_DIR FOLDER CMAKE COMPILER: installs the CMake package of the wheel, moves it, and builds a
native project of `structured new` with it, whose path has spaces."""
import os
import pathlib
import shutil
import subprocess
import sys


def main(source_dir, build_dir, folder, cmake, compiler):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def run(*command, **options):
        done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        if done.returncode:
            sys.exit(f"{command}:\n{done.stdout}")
        return done.stdout

    package = folder / "first"
    # Only the rules of installation are needed. The program comes from the build.
    options = {"INSTALL_SOURCES": "ON", "BUILD_KERNELS": "OFF", "BUILD_PROGRAMS": "OFF", "BUILD_EXAMPLES": "OFF", "BUILD_TESTS": "OFF",
               "BUILD_PLUGIN": "OFF"}
    run(cmake, "-S", source_dir, "-B", folder / "configured", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        "-DCMAKE_INSTALL_LIBDIR=lib", *(f"-DSTRUCTURED_{name}={value}" for name, value in options.items()))
    (folder / "configured" / "bin").mkdir(exist_ok=True)
    shutil.copy(pathlib.Path(build_dir) / "bin" / "structured-gen", folder / "configured" / "bin")
    run(cmake, "--install", folder / "configured", "--prefix", package, "--component", "wheel")
    moved = folder / "moved package"
    package.rename(moved)
    environment = dict(os.environ, PYTHONPATH=str(pathlib.Path(source_dir) / "python" / "structured_gen"))
    project = folder / "a project"
    run(sys.executable, "-B", "-m", "structured_gen", "new", "--native", "ops", project, env=environment)
    run(cmake, "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_PREFIX_PATH={moved}")
    run(cmake, "--build", project / "build")
    print(run("ctest", "--test-dir", project / "build", "--output-on-failure"))


main(*sys.argv[1:])
