#!/usr/bin/env python3
"""Generates the tables of docs/annotations.md from the registries, schema/structured/schema/*.def and tool/language/attributes.def.

    docs/make_annotations.py            writes the tables between `<!-- table: NAME -->` and `<!-- end -->`
    docs/make_annotations.py --check    fails unless the page has them already
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "schema"))
from registry import dtypes, entries  # noqa: E402

PAGE = ROOT / "docs" / "annotations.md"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def code(*names):
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name)


def attribute_rows(target):
    if target == "function":
        for *_, example, text in entries("attributes.def", "STRUCTURED_ROLE"):
            yield code(example), "", text
    for _, place, roles, *_, example, text in entries("attributes.def", "STRUCTURED_ATTRIBUTE"):
        if place == target:
            yield code(example), code(*re.findall(r"on_(\w+)", roles)), text


def type_rows():
    for _, schema, _, written, _, _, aten, _ in entries("types.def", "STRUCTURED_VALUE_TYPE"):
        yield code(schema), code(written), code(aten)


def dtype_rows():
    for row in dtypes():
        yield code(row["word"], row["torch"]), code("k" + row["name"]), "plain" if row["type"] else "quantized"


TABLES = {
    "functions": lambda: table(("attribute", "on", "meaning"), attribute_rows("function")),
    "parameters": lambda: table(("attribute", "on parameters of", "meaning"), attribute_rows("parameter")),
    "types": lambda: table(("schema", "native dialect", "aten dialect"), type_rows()),
    "backends": lambda: table(("backend", "namespace"), ((code(name), code(space)) for name, space, _ in
                                                         entries("backends.def", "STRUCTURED_BACKEND"))),
    "dtypes": lambda: table(("dtype", "C++", "elements"), dtype_rows()),
    "dtype sets": lambda: table(("set", "C++"), ((code(name), code(constant)) for name, constant, _ in
                                                 entries("dtypes.def", "STRUCTURED_DTYPE_SET"))),
}


def filled(page):
    found = []

    def fill(match):
        found.append(match[1])
        return f"<!-- table: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->"

    page = re.sub(r"<!-- table: ([\w ]+) -->\n.*?<!-- end -->", fill, page, flags=re.DOTALL)
    if sorted(found) != sorted(TABLES):
        sys.exit(f"{PAGE}: expected the tables {sorted(TABLES)}, found {sorted(found)}")
    return page


def main():
    parser = argparse.ArgumentParser(description="Generates the tables of docs/annotations.md.")
    parser.add_argument("--check", action="store_true", help="fail unless the page has the tables already")
    options = parser.parse_args()
    page = PAGE.read_text()
    made = filled(page)
    if not options.check:
        PAGE.write_text(made)
    elif page != made:
        sys.exit(f"{PAGE}: tables differ from the registry; run docs/make_annotations.py")


if __name__ == "__main__":
    main()
