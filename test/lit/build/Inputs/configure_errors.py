"""Configures projects in parallel and prints CMake's error for each, on one line.

    configure_errors.py FOLDER CMAKE ARGUMENTS...

The projects are the folders in FOLDER, sorted by name; a file `arguments` in a project has more arguments for CMake. Prints
`no error` for a project that can be configured, and which PyTorch it found.
"""
import concurrent.futures
import pathlib
import subprocess
import sys


def configure(project, command):
    arguments = project / "arguments"
    if arguments.exists():
        command = command + arguments.read_text().split()
    if (project / "CMakeLists.txt").exists():
        command = command + ["-S", project]
    run = subprocess.run(command + ["-B", project / "build"], capture_output=True, text=True)
    if run.returncode != 0:
        return " ".join(run.stderr.split())
    found = [line.removeprefix("-- ") for line in run.stdout.splitlines() if line.startswith("-- Found PyTorch ")]
    return "; ".join(["no error", *found])


def main(folder, *command):
    projects = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for project, error in zip(projects, pool.map(lambda project: configure(project, list(command)), projects)):
            print(f"{project.name}: {error}")


main(*sys.argv[1:])
