"""Checks that every kind in the registry has a test which expects it.

usage: registry_covered.py REGISTRY TEST_FOLDER
"""
import pathlib
import re
import sys

registry = pathlib.Path(sys.argv[1]).read_text()
folder = pathlib.Path(sys.argv[2])
kinds = re.findall(r'^STRUCTURED_DIAGNOSTIC\((\w+), "([\w-]+)"', registry, re.MULTILINE)
missing = []
for identifier, name in kinds:
    test = folder / (identifier + ".cpp")
    if not test.exists():
        missing.append(f"{identifier}: no test {test.name}")
    elif not re.search(rf"^// [A-Z-]+: .*\[{name}\]$", test.read_text(), re.MULTILINE):
        missing.append(f"{identifier}: {test.name} expects no {name}")
print("\n".join(missing))
sys.exit(bool(missing) or not kinds)
