"""Says whether a build holds what a clean build of the same sources would.

    same_as_clean.py NINJA BUILD_DIR CLEAN_DIR CMAKE ARGUMENTS...

configures and builds in CLEAN_DIR, which is removed first, and compares emitted files and objects: which there are, and
their bytes. Prints `the same as a clean build`, or the differences.
"""
import pathlib
import shutil
import subprocess
import sys


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(result.stdout)


def outputs(build_dir):
    # Objects of removed sources stay, as in every CMake build; no command refers to them.
    commands = (build_dir / "build.ninja").read_text()

    def is_output(path):
        if path.suffix == ".o":
            return str(path) in commands
        return path.suffix == ".so" or any(part.endswith(".gen") for part in pathlib.Path(path).parts)

    files = (path.relative_to(build_dir) for path in build_dir.glob("**/*") if path.is_file())
    return {str(path): (build_dir / path).read_bytes() for path in files if is_output(path)}


def main(ninja, build_dir, clean_dir, *cmake):
    build_dir, clean_dir = pathlib.Path(build_dir), pathlib.Path(clean_dir)
    shutil.rmtree(clean_dir, ignore_errors=True)
    run(*cmake, "-B", str(clean_dir))
    run(ninja, "-C", str(clean_dir))
    found, expected = outputs(build_dir), outputs(clean_dir)
    if not expected:
        sys.exit("a clean build has no outputs")
    for path in sorted(found.keys() | expected.keys()):
        if path not in expected:
            print("stale:", path)
        elif path not in found:
            print("missing:", path)
        elif found[path] != expected[path]:
            print("different:", path)
    if found == expected:
        print("the same as a clean build")


main(*sys.argv[1:])
