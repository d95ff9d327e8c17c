"""Runs a command where there is nothing but its declared inputs.

    sandbox.py FOLDER DEPENDENCY_FILE INPUTS... -- COMMAND...

makes FOLDER anew, copies into it the files that DEPENDENCY_FILE lists relative to the working directory, and INPUTS, which
it need not list, and runs COMMAND there in an empty environment. Files that are listed by an absolute path must be those
of the toolchain.
"""
import pathlib
import re
import shutil
import subprocess
import sys


def main(folder, dependency_file, *rest):
    inputs, command = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    first_rule = re.sub(r"\\\n", " ", pathlib.Path(dependency_file).read_text()).splitlines()[0]
    listed = first_rule.split(":", 1)[1].split()
    if not listed:
        sys.exit(f"{dependency_file}: lists nothing")
    for name in [*listed, *inputs]:
        path = pathlib.Path(name)
        if not path.is_absolute():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path)
        elif not re.match(r"/usr/|.*/structured/clang/", name):
            sys.exit(f"{dependency_file}: {name} is neither below the working directory nor of the toolchain")
    sys.exit(subprocess.run(command, cwd=folder, env={}).returncode)


main(*sys.argv[1:])
