#!/usr/bin/env python3
"""Generates the parts of python/structured/_core.pyi that list dtypes and enumerators, from schema/structured/schema/*.def.

    python/make_stubs.py            writes the parts between `# generated: NAME` and `# end`
    python/make_stubs.py --check    fails unless the stub has them already
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "schema"))
from registry import dtypes, entries  # noqa: E402

STUB = ROOT / "python" / "structured" / "_core.pyi"


def second_name(row):
    return row.get("method", row["word"])


def conversions():
    for row in dtypes():
        if row["type"] and row.get("computes") != "false":
            yield f"    def {second_name(row)}(self, memory_format: memory_format = ...) -> Tensor: ..."


def names():
    rows = list(dtypes())
    for name in dict.fromkeys([row["torch"] for row in rows] + [second_name(row) for row in rows]):
        yield f"{name}: dtype"


def enumerators():
    for enumeration in ("qscheme", "layout", "memory_format"):
        rows = entries("enumerations.def", f"STRUCTURED_{enumeration.upper()}")
        words = dict(row[:2] for row in rows)
        words.update(entries("enumerations.def", f"STRUCTURED_OTHER_{enumeration.upper()}"))
        for word in words.values():
            yield f"{word}: {enumeration}"


PARTS = {"conversions": conversions, "dtypes": names, "enumerators": enumerators}


def main():
    parser = argparse.ArgumentParser(description="Generates the parts of _core.pyi that list dtypes and enumerators.")
    parser.add_argument("--check", action="store_true", help="fail unless the stub has them already")
    options = parser.parse_args()
    text = STUB.read_text()
    found = re.findall(r"# generated: (\w+)\n", text)
    if sorted(found) != sorted(PARTS):
        sys.exit(f"{STUB}: expected the parts {sorted(PARTS)}, found {sorted(found)}")
    made = re.sub(r"( *)# generated: (\w+)\n.*?# end\n",
                  lambda part: f"{part[1]}# generated: {part[2]}\n" + "\n".join(PARTS[part[2]]()) + f"\n{part[1]}# end\n",
                  text, flags=re.DOTALL)
    if not options.check:
        STUB.write_text(made)
    elif text != made:
        sys.exit(f"{STUB}: dtypes or enumerators differ from the registry; run python/make_stubs.py")


if __name__ == "__main__":
    main()
