"""Names the functions that run when a shared library is loaded: one line for each entry of its .init_array."""
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(library):
    section = re.search(r"\s\.init_array\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)", output("readelf", "-SW", library))
    if not section:
        return
    begin = int(section[1], 16)
    end = begin + int(section[2], 16)
    names = {}
    for line in output("nm", library).splitlines():
        address, kind, name = line.rsplit(maxsplit=2) if len(line.split()) == 3 else ("0", "", "")
        if kind in ("t", "T"):
            names[int(address, 16)] = name
    entries = 0
    for offset, target in re.findall(r"^([0-9a-f]+)\s+[0-9a-f]+\s+R_\w+_RELATIVE\s+([0-9a-f]+)$",
                                     output("readelf", "-rW", library), re.MULTILINE):
        if begin <= int(offset, 16) < end:
            print(names.get(int(target, 16), "unnamed"))
            entries += 1
    if entries * 8 != end - begin:
        sys.exit(f"{library}: .init_array has {end - begin} bytes, but {entries} relocations")


main(sys.argv[1])
