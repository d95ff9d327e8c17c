"""check_stable_abi.py WHEEL: fails if a library of a wheel for cp311-abi3 needs a symbol that is not in CPython's stable
ABI of that version, by the list of the package abi3info, or if a module has the suffix of one version of CPython."""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from abi3info import DATAS, FUNCTIONS
from abi3info.models import PyVersion, Symbol


def added_in(name):
    """The version whose stable ABI has the symbol first; None if none has it."""
    item = FUNCTIONS.get(Symbol(name)) or DATAS.get(Symbol(name))
    return None if item is None else item.added


def undefined_symbols(library):
    text = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].partition("@")[0] for line in text.splitlines()}


def main(wheel):
    tag = re.search(r"-cp(\d)(\d+)-abi3-", pathlib.Path(wheel).name)
    version = PyVersion(int(tag[1]), int(tag[2]))
    faults, used = [], set()
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        libraries = [path for path in pathlib.Path(folder).rglob("*") if re.search(r"\.so(\.|$)", path.name)]
        for library in libraries:
            if ".cpython-" in library.name:
                faults.append(f"{library.name}: expected the suffix .abi3.so")
            for name in sorted(undefined_symbols(library)):
                if not re.match("_?Py", name):
                    continue
                used.add(name)
                added = added_in(name)
                if added is None:
                    faults.append(f"{library.name}: {name} is not in the stable ABI")
                elif added > version:
                    faults.append(f"{library.name}: {name} is in the stable ABI since {added}")
    if len(used) < 50 or "PyType_FromSpecWithBases" not in used:
        faults.append(f"expected symbols of CPython in the libraries, found {len(used)}")
    print("\n".join(faults) or f"{len(used)} symbols of CPython in {len(libraries)} libraries, all in the stable ABI of {version}")
    sys.exit(bool(faults))


main(sys.argv[1])
