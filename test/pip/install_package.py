"""install_package.py SOURCE_DIR BUILD_DIR FOLDER CMAKE COMPILER: installs the files of the wheel in FOLDER/installed."""
import pathlib
import shutil
import subprocess
import sys


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{command}:\n{done.stdout}")
    return done.stdout


def install(source_dir, build_dir, folder, cmake, compiler):
    """Returns the folder of the files. Only the rules of installation are needed. The program comes from the build."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = {"INSTALL_SOURCES": "ON", "BUILD_KERNELS": "OFF", "BUILD_PROGRAMS": "OFF", "BUILD_EXAMPLES": "OFF", "BUILD_TESTS": "OFF",
               "BUILD_PLUGIN": "OFF"}
    run(cmake, "-S", source_dir, "-B", folder / "configured", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        "-DCMAKE_INSTALL_LIBDIR=lib", *(f"-DSTRUCTURED_{name}={value}" for name, value in options.items()))
    (folder / "configured" / "bin").mkdir(exist_ok=True)
    shutil.copy(pathlib.Path(build_dir) / "bin" / "structured-gen", folder / "configured" / "bin")
    installed = folder / "installed"
    run(cmake, "--install", folder / "configured", "--prefix", installed, "--component", "wheel")
    return installed


if __name__ == "__main__":
    install(*sys.argv[1:])
