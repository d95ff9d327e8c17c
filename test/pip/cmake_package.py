"""cmake_package.py SOURCE_DIR BUILD_DIR FOLDER CMAKE COMPILER: installs the CMake package of the wheel, moves it, and builds a
native project of `structured new` with it, whose path has spaces."""
import os
import pathlib
import sys

from install_package import install, run


def main(source_dir, build_dir, folder, cmake, compiler):
    package = install(source_dir, build_dir, folder, cmake, compiler)
    folder = pathlib.Path(folder)
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
