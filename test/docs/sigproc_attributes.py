"""Checks that examples/sigproc uses every attribute of docs/annotations.md.

    sigproc_attributes.py SOURCE_DIR
"""
import pathlib
import re
import sys


def main(source_dir):
    root = pathlib.Path(source_dir)
    page = (root / "docs/annotations.md").read_text()
    tables = re.findall(r"<!-- table: (?:functions|parameters) -->(.*?)<!-- end -->", page, re.DOTALL)
    known = {name for table in tables for name in re.findall(r"^\| `(\w+)", table, re.MULTILINE)}
    if len(tables) != 2 or len(known) < 20:
        sys.exit(f"docs/annotations.md: expected two tables of attributes, found {len(tables)} with {len(known)}")
    kernels = (root / "examples/sigproc/kernels").iterdir()
    used = {name for path in kernels for name in re.findall(r"structured::(\w+)", path.read_text())}
    if missing := known - used:
        sys.exit(f"examples/sigproc: not used: {sorted(missing)}")
    print(f"{len(known)} attributes")


main(*sys.argv[1:])
