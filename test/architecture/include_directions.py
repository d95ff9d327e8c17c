"""Checks every #include of the sources against the table in include_directions.txt.

usage: include_directions.py [ROOT]

Fails if a file includes something outside its row, if a folder has no row, if a row applies to no file, if a row or a
library of a row does not exist or is not needed, or if the rows form a cycle. First checks itself on a small tree with
one fault of each kind.
"""
import os
import re
import sys
import tempfile

TOPS = ("schema", "options", "tool", "plugin", "lsp", "replay", "run", "runtime", "kernels", "operator_tests", "python/include", "python/src")
SUFFIXES = (".h", ".cpp", ".cu", ".cuh", ".def", ".inc")
LIBRARIES = {
    "clang": "clang", "clang-tidy": "clang", "clang-c": "clang", "llvm": "llvm", "llvm-c": "llvm",
    "nlohmann": "json", "sys": "posix", "structured": "emitted", "cuda": "cuda", "cub": "cuda", "hwy": "highway",
    "gtest": "gtest", "ATen": "libtorch", "c10": "libtorch", "torch": "libtorch",
    "cxxabi.h": "posix", "dlfcn.h": "posix", "link.h": "posix", "unwind.h": "posix", "malloc.h": "posix", "poll.h": "posix",
    "pthread.h": "posix",
    "unistd.h": "posix", "fcntl.h": "posix", "signal.h": "posix", "cpuid.h": "x86", "immintrin.h": "x86", "emmintrin.h": "x86",
    "Python.h": "cpython", "structmember.h": "cpython", "omp.h": "openmp", "cblas.h": "blas", "cuda_runtime.h": "cuda", "cuda_runtime_api.h": "cuda",
    "cublasLt.h": "cuda",
    "cufftXt.h": "cuda",
}
C_STANDARD = {"assert.h", "float.h", "inttypes.h", "limits.h", "math.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
              "string.h", "time.h"}
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.S | re.M)


def includes(path):
    """(quote, name) of each include directive; comments and raw strings are skipped."""
    with open(path, encoding="utf-8") as file:
        return [(match[2], match[3]) for match in TEXT.finditer(file.read()) if match[3]]


def sources(root):
    result = []
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            relative = os.path.relpath(folder, root)
            result += [relative + "/" + name for name in sorted(names) if name.endswith(SUFFIXES)]
    return sorted(result)


class Table:
    def __init__(self, path):
        self.rows = {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, arrow, allowed = line.partition("->")
                if arrow and not line.startswith("#"):
                    self.rows[name.strip()] = allowed.split()

    def row_of(self, path):
        """The row for a file: its own, or that of its folder."""
        folder = os.path.dirname(path)
        # `writer.cpp` belongs to `writer.h`.
        header = os.path.splitext(path)[0] + ".h"
        return next((row for row in (path, header, folder) if row in self.rows), None)

    def allowed(self, row):
        """The row's own list and the folders that it inherits."""
        result, pending = set(self.rows[row]), [name for name in self.rows[row] if name in self.rows]
        while pending:
            for name in self.rows[pending.pop()]:
                if name in self.rows and name not in result:
                    result.add(name)
                    pending.append(name)
        return result

    def faults(self, files):
        known = {self.row_of(path) for path in files}
        for row, allowed in self.rows.items():
            if row not in known:
                yield f"row `{row}` applies to no file"
            for name in allowed:
                if name not in self.rows and name not in set(LIBRARIES.values()):
                    yield f"row `{row}` allows `{name}`, which is neither a row nor a library"
        done = set()

        def visit(row, path):
            if row in path:
                yield "cycle: " + " -> ".join(path[path.index(row):] + [row])
            elif row not in done:
                for name in self.rows.get(row, []):
                    yield from visit(name, path + [row])
                done.add(row)

        for row in self.rows:
            yield from visit(row, [])


def target(path, quote, name, files):
    """The project's file that an include directive names, or None."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if quote == '"' and beside in files:
        return beside
    return next((top + "/" + name for top in TOPS if top + "/" + name in files), None)


def faults(root, table):
    files = sources(root)
    yield from table.faults(files)
    known = set(files)
    unused = {row: {name for name in names if name not in table.rows} for row, names in table.rows.items()}
    for path in files:
        row = table.row_of(path)
        if row is None:
            yield f"{path}: no row covers this folder"
            continue
        for quote, name in includes(os.path.join(root, path)):
            included = target(path, quote, name, known)
            if included:
                needed = table.row_of(included)
                if needed == row:
                    continue
            elif quote == "<" and ("." not in name or name in C_STANDARD):
                continue
            else:
                needed = LIBRARIES.get(name.split("/")[0])
            unused[row].discard(needed)
            if needed is None:
                yield f"{path}: includes `{name}`, which belongs to no row or library"
            elif needed not in table.allowed(row):
                yield f"{path}: includes `{name}` of `{needed}`; row `{row}` allows {', '.join(table.rows[row]) or 'nothing'}"
    for row, names in unused.items():
        for name in sorted(names & set(LIBRARIES.values())):
            yield f"row `{row}` allows `{name}`, which no file needs"


def check_self():
    tree = {
        "table": "tool/a -> llvm posix\ntool/b -> tool/a\ntool/gone ->\ntool/c -> tool/d nowhere\ntool/d -> tool/c\ntool/f -> tool/b\n",
        "tool/a/a.h": "#include <vector>\n#include \"llvm/ADT/StringRef.h\"\n// #include \"b/b.h\"\n",
        "tool/a/bad.h": "#include \"b/b.h\"\n",
        "tool/b/b.h": "#include \"a/a.h\"\n#include \"llvm/ADT/StringRef.h\"\n",
        "tool/b/raw.cpp": "const char* text = R\"(\n#include \"nowhere.h\"\n)\";\n#include <mystery/x.h>\n",
        "tool/c/c.h": "", "tool/d/d.h": "", "tool/e/e.h": "",
        "tool/f/f.cpp": "#include \"a/a.h\"\n#include <unistd.h>\n",
    }
    expected = [
        "row `tool/gone` applies to no file",
        "row `tool/c` allows `nowhere`, which is neither a row nor a library",
        "cycle: tool/c -> tool/d -> tool/c",
        "tool/a/bad.h: includes `b/b.h` of `tool/b`; row `tool/a` allows llvm, posix",
        "tool/b/b.h: includes `llvm/ADT/StringRef.h` of `llvm`; row `tool/b` allows tool/a",
        "tool/b/raw.cpp: includes `mystery/x.h`, which belongs to no row or library",
        "tool/e/e.h: no row covers this folder",
        "tool/f/f.cpp: includes `unistd.h` of `posix`; row `tool/f` allows tool/b",
        "row `tool/a` allows `posix`, which no file needs",
    ]
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = list(faults(root, Table(os.path.join(root, "table"))))
    if found != expected:
        sys.exit("self-check failed: expected\n  " + "\n  ".join(expected) + "\nfound\n  " + "\n  ".join(found))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(here))
    check_self()
    found = list(faults(root, Table(os.path.join(here, "include_directions.txt"))))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
