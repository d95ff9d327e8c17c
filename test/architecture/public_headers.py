"""Checks that structured/structured.h includes every header of the runtime but the internal ones.

    public_headers.py SOURCE_DIR

A header of core, dispatch, kernel or iterator is either reached from structured.h or listed in internal_headers.txt, which
the documentation does not name.
"""
import pathlib
import re
import sys

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
    existing = {path.relative_to(runtime).as_posix() for folder in ("core", "dispatch", "kernel", "iterator")
                for path in (runtime / "structured" / folder).glob("*.h")}
    lines = (root / "test/architecture/internal_headers.txt").read_text().splitlines()
    internal = {"structured/" + line for line in lines if not line.startswith("#")}
    pages = "".join(path.read_text() for path in [root / "README.md", *(root / "docs").glob("*.md")])
    faults = [f"{header}: structured.h does not include it, and it is not internal" for header in existing - reached - internal]
    faults += [f"{header}: internal, but structured.h includes it" for header in internal & reached]
    faults += [f"{header}: listed as internal, but missing" for header in internal - existing]
    faults += [f"{header}: internal, but documentation names <{header}>" for header in internal if f"<{header}>" in pages]
    print("\n".join(sorted(faults)))
    sys.exit(1 if faults or len(reached) < 50 else 0)


main(*sys.argv[1:])
