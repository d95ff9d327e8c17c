"""Applies each change of docs/extending.md to a copy of the tree.

usage: extending.py ROOT WORK [--build]

With --build, also configures each copy, builds the tool and runs the tests that the change adds.
"""
import pathlib
import re
import shutil
import subprocess
import sys

SECTION = re.compile(r"^## (?P<title>.+?)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PATCH = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Rows of the table in docs/architecture.md: the section of extending.md, and the most files that its change may touch.
ROW = re.compile(r"^\| \[[^]]+\]\(extending\.md#([a-z-]+)\) \|.*\| (\d+) \|$", re.MULTILINE)
TARGETS = ("structured-gen", "StructuredPlugin.so", "language_runtime_test", "schema_test")
# Programs with the tests of each schema type, for a change that adds one.
TYPE_TESTS = ("dialect_test", "runtime_dispatch_test")


def run(command, folder, **options):
    result = subprocess.run(command, cwd=folder, text=True, capture_output=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: failed\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


def changes(page):
    """(title, patch) of each section with a change."""
    for section in SECTION.finditer(page):
        if patches := PATCH.findall(section["body"]):
            yield section["title"], "".join(patches)


def copy_tree(root, copy):
    """Copies the sources of the tree, without build directories and hidden files."""
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("build", ".*"))


def copy_changed(root, copy, patch):
    """Copies the files that the patch changes."""
    copy.mkdir(parents=True)
    for name in re.findall(r"^--- a/(.+)$", patch, re.MULTILINE):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, copy / name)


def build(copy, patch):
    folder = copy / "build"
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run(["cmake", "--preset", "test", "-B", str(folder), *launcher], copy)
    types = TYPE_TESTS if "test/unit/registered_types.h" in patch else ()
    run(["ninja", "-C", str(folder), *TARGETS, *types], copy)
    tests = "|".join(("language_runtime_test", "schema_test", *types))
    run(["ctest", "--test-dir", str(folder), "-R", f"^({tests}):", "--output-on-failure"], copy)
    prefix = run(["llvm-config-19", "--prefix"], copy).strip()
    for test in re.findall(r"^\+\+\+ b/test/lit/(.+)$", patch, re.MULTILINE):
        run([sys.executable, f"{prefix}/build/utils/lit/lit.py", "-v", str(folder / "test" / "lit"), "--filter",
             re.escape(test)], copy)


def main():
    root, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    found = list(changes((root / "docs" / "extending.md").read_text()))
    most_files = {name: int(count) for name, count in ROW.findall((root / "docs" / "architecture.md").read_text())}
    titles = [title.lower().replace(" ", "-") for title, _ in found]
    if titles != list(most_files):
        sys.exit(f"docs/extending.md: expected the changes of docs/architecture.md, {list(most_files)}, found {titles}")
    for (title, patch), most in zip(found, most_files.values()):
        files = [name for name in re.findall(r"^\+\+\+ b/(.+)$", patch, re.MULTILINE) if not name.startswith("test/")]
        if len(files) > most:
            sys.exit(f"docs/extending.md: {title}: expected at most {most} files besides tests, found {files}")
    copy = work / "tree"
    is_built = "--build" in sys.argv
    for title, patch in found:
        shutil.rmtree(copy, ignore_errors=True)
        if is_built:
            copy_tree(root, copy)
        else:
            copy_changed(root, copy, patch)
        try:
            run(["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch"], copy, input=patch)
        except SystemExit as failure:
            sys.exit(f"docs/extending.md: {title}: {failure}")
        if is_built:
            build(copy, patch)
    shutil.rmtree(copy)


if __name__ == "__main__":
    main()
