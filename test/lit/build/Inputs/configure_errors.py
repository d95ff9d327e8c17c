"""Configures projects side by side and prints, for each in turn, what CMake has against it, in one line.

    configure_errors.py FOLDER CMAKE ARGUMENTS...

Projects are the folders in FOLDER, sorted by name; a file `arguments` in one has further arguments for CMake. A project
that can be configured is said to have no error.
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
    run = subprocess.run(command + ["-B", project / "build"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return " ".join(run.stderr.split()) if run.returncode != 0 else "no error"


def main(folder, *command):
    projects = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for project, error in zip(projects, pool.map(lambda project: configure(project, list(command)), projects)):
            print(f"{project.name}: {error}")


main(*sys.argv[1:])
