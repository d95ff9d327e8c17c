"""Builds with ninja and prints the number of commands of each kind, and the emitted C++ files that changed.

    count_commands.py NINJA BUILD_DIR

prints one line for each kind, zeros included: `configure 0`, `precompile 0`, `scan 1`, `emit 1`, `list 1`, `compile 1`, `link 1`,
`other 0`, then `written: NAME...` (emitted C++ files whose time changed; `nothing` if none).
"""
import pathlib
import re
import subprocess
import sys

SORTS = [
    ("configure", re.compile(r" --regenerate-during-build ")),
    ("precompile", re.compile(r"structured-gen precompile ")),
    ("scan", re.compile(r"structured-gen scan ")),
    ("emit", re.compile(r"structured-gen emit ")),
    ("list", re.compile(r"StructuredEmittedHeaders\.cmake")),
    ("compile", re.compile(r" -c \S+\.(cpp|cu)\b")),
    ("link", re.compile(r"\.so(\.\d+)* +-o | -o \S+\.so\b| -shared | qc \S+\.a|CMakeFiles/\S+\.o +-o ")),
]


def emitted_times(build_dir):
    return {path: path.stat().st_mtime_ns
            for path in pathlib.Path(build_dir).glob("**/*.gen/**/*") if path.suffix in (".h", ".cpp")}


def main(ninja, build_dir):
    before = emitted_times(build_dir)
    run = subprocess.run([ninja, "-C", build_dir, "-v"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        sys.exit(run.stdout)
    counts = {name: 0 for name, _ in SORTS} | {"other": 0}
    others = []
    for line in run.stdout.splitlines():
        if re.match(r"\[\d+/\d+\] ", line) and "/VerifyGlobs.cmake" not in line:
            name = next((name for name, pattern in SORTS if pattern.search(line)), "other")
            counts[name] += 1
            if name == "other":
                others.append(line)
    for name, count in counts.items():
        print(name, count)
    written = sorted(path.name for path, time in emitted_times(build_dir).items() if before.get(path) != time)
    print("written:", *(written or ["nothing"]))
    for line in others:
        print(line)


main(*sys.argv[1:])
