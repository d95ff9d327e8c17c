"""Checks that structured/structured.h includes every public header of the runtime.

    public_headers.py SOURCE_DIR

A header of a folder up to iterator is either reached from structured.h or listed in headers_apart.txt; the
documentation does not name those that are internal. README.md, docs and examples do not use namespaces `detail`.
"""
import pathlib
import re
import sys

FOLDERS = "base", "number", "device", "memory", "core", "format", "dispatch", "kernel", "iterator"
DIFF = re.compile(r"^```diff\n.*?^```$", re.MULTILINE | re.DOTALL)  # changes of the runtime itself
INCLUDE = re.compile(r'^#include ["<](structured/[^">]+)[">]', re.M)


def main(source_dir):
    root = pathlib.Path(source_dir)
    runtime = root / "runtime"
    reached, pending = set(), ["structured/structured.h"]
    while pending:
        header = pending.pop()
        if header not in reached and (runtime / header).exists():
            reached.add(header)
            pending += INCLUDE.findall((runtime / header).read_text())
    existing = {path.relative_to(runtime).as_posix() for folder in FOLDERS
                for path in (runtime / "structured" / folder).glob("*.h")}
    lines = (root / "test/architecture/headers_apart.txt").read_text().splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    apart = {"structured/" + line.removeprefix("public ") for line in lines}
    internal = {"structured/" + line for line in lines if not line.startswith("public ")}
    pages = "".join(path.read_text() for path in [root / "README.md", *(root / "docs").glob("*.md")])
    faults = [f"{header}: structured.h does not include it, and headers_apart.txt does not list it"
              for header in existing - reached - apart]
    faults += [f"{header}: headers_apart.txt lists it, but structured.h includes it" for header in apart & reached]
    faults += [f"{header}: headers_apart.txt lists it, but it is missing" for header in apart - existing]
    faults += [f"{header}: internal, but documentation names <{header}>" for header in internal if f"<{header}>" in pages]
    shown = [root / "README.md", *(path for folder in ("docs", "examples") for path in (root / folder).rglob("*"))]
    faults += [f"{path.relative_to(root)}: uses a namespace `detail`" for path in shown
               if path.suffix in (".md", ".h", ".cpp", ".cu", ".py", ".txt") and "detail::" in DIFF.sub("", path.read_text())]
    print("\n".join(sorted(faults)))
    sys.exit(1 if faults or len(reached) < 50 else 0)


main(*sys.argv[1:])
