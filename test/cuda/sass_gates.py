#!/usr/bin/env python3
"""Checks the machine code of a library's CUDA kernels, without a GPU.

Assembles the PTX in the library for a real architecture and requires that

- pointwise kernels use at most 64 registers, and no kernel spills any,
- dense kernels of float, Half and BFloat16 load 16 bytes at once,
- dense kernels of other types than double have no double-precision instructions,

except as EXCEPTIONS says: lines `rule | part of the kernel's name | reason`, with the rules `registers`, `spills`, `wide` and
`double`. An exception that no kernel needs is an error. Prints the size of the code and the processor time of ptxas.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import venv

MOST_REGISTERS = 64
DOUBLE = re.compile(r"\b(DADD|DMUL|DFMA|DSETP|DMNMX|MUFU\.\w+64H|F2F\.F64\S*|F2F\.\w+\.F64|I2F\.F64\S*|F2I\S*\.F64\S*)\b")


def ptx_modules(path):
    """The texts of PTX in a library whose fat binaries are not compressed."""
    return [
        part.decode()
        for part in open(path, "rb").read().split(b"\0")
        if b".version " in part and b".target sm_" in part and b".entry" in part
    ]


def demangled(names):
    result = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, result.stdout.splitlines()))


class Kernel:
    def __init__(self, name):
        self.name = name
        self.readable = name
        self.registers = 0
        self.spills = 0
        self.sass = ""

    def types(self):
        """The computed type and the type in memory of a dense kernel, or None."""
        match = re.search(r"dense_kernel<.*, ([\w:<> ]+), ([\w:<> ]+), \d+>\(", self.readable)
        return match.groups() if match else None


def assemble(ptxas, cuobjdump, architecture, text):
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = os.path.join(folder, "code.ptx"), os.path.join(folder, "code.cubin")
        with open(source, "w") as file:
            file.write(text)
        start = time.monotonic()
        result = subprocess.run(
            [ptxas, f"-arch={architecture}", "-v", "-o", cubin, source], capture_output=True, text=True
        )
        if result.returncode != 0:
            sys.exit(result.stderr)
        seconds = time.monotonic() - start
        kernels = {}
        current = None
        for line in result.stderr.splitlines():
            if match := re.search(r"Compiling entry function '(\w+)'", line):
                current = kernels.setdefault(match[1], Kernel(match[1]))
            elif "Function properties for" in line:
                current = kernels.get(line.split()[-1], None)
            elif current and (match := re.search(r"(\d+) bytes spill stores", line)):
                current.spills = int(match[1])
            elif match := re.search(r"Used (\d+) registers", line):
                if current:
                    current.registers = int(match[1])
        size = os.path.getsize(cubin)
        dump = subprocess.run([cuobjdump, "-sass", cubin], capture_output=True, text=True, check=True).stdout
        for part in dump.split("Function : ")[1:]:
            name, _, body = part.partition("\n")
            if name.strip() in kernels:
                kernels[name.strip()].sass = body
        source = re.search(r"_\d+_(\w+?)_cu_[0-9a-f]{8}", text)
    return source[1] if source else "?", kernels, size, seconds


def violations(kernel):
    is_pointwise = re.search(r"::detail::(dense|strided)_kernel<", kernel.readable)
    if is_pointwise and kernel.registers > MOST_REGISTERS:
        yield "registers", f"uses {kernel.registers} registers, at most {MOST_REGISTERS} are expected"
    if kernel.spills != 0:
        yield "spills", f"spills {kernel.spills} bytes"
    types = kernel.types()
    if types is None:
        return
    if types[1] in ("float", "structured::Half", "structured::BFloat16") and not re.search(r"LDG\.\S*\.128", kernel.sass):
        yield "wide", "has no load of 16 bytes"
    if "double" not in types[0] and (match := DOUBLE.search(kernel.sass)):
        yield "double", f"has the double-precision instruction {match[0]}"


def read_exceptions(path):
    exceptions = []
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            rule, part, _ = [field.strip() for field in line.split("|", 2)]
            exceptions.append((rule, part))
    return exceptions


def installed_cuobjdump(folder):
    """The disassembler in a virtual environment, which gets it from PyPI: not every toolkit has it."""
    found = lambda: next(pathlib.Path(folder).glob("**/bin/cuobjdump"), None)
    if found() is None:
        venv.create(folder, with_pip=True)
        subprocess.run([f"{folder}/bin/pip", "install", "-q", "nvidia-cuda-cuobjdump", "nvidia-cuda-nvdisasm"], check=True)
    return str(found())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("exceptions")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--verbose", action="store_true", help="print the size and time of each source")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--environment", help="a folder: use the cuobjdump of a virtual environment, made there if needed")
    arguments = parser.parse_args()
    if arguments.environment:
        arguments.cuobjdump = installed_cuobjdump(arguments.environment)
    modules = ptx_modules(arguments.library)
    if not modules:
        sys.exit(f"{arguments.library} has no PTX; build it with -DSTRUCTURED_CUDA_EMULATOR=ON")
    kernels = {}
    size = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tasks = [
            pool.submit(assemble, arguments.ptxas, arguments.cuobjdump, arguments.architecture, text) for text in modules
        ]
        for task in tasks:
            source, found, bytes_of_code, took = task.result()
            if arguments.verbose:
                print(f"{source}: {len(found)} kernels, {bytes_of_code / 1e6:.2f} MB, {took:.1f} s")
            kernels.update(found)
            size += bytes_of_code
    names = demangled(list(kernels))
    exceptions = read_exceptions(arguments.exceptions)
    needed = set()
    failures = 0
    for name, kernel in kernels.items():
        kernel.readable = names[name]
        for rule, text in violations(kernel):
            excused = [each for each in exceptions if each[0] == rule and each[1] in kernel.readable]
            needed.update(excused)
            if not excused:
                failures += 1
                print(f"{rule}: {kernel.readable}: {text}")
    for rule, part in exceptions:
        if (rule, part) not in needed:
            failures += 1
            print(f"no kernel needs the exception `{rule} | {part}`")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    dense = sum(kernel.types() is not None for kernel in kernels.values())
    print(f"{len(kernels)} kernels, {dense} of them dense; {size / 1e6:.1f} MB for {arguments.architecture}; {seconds:.0f} s")
    if not kernels or not dense or not all(kernel.registers for kernel in kernels.values()):
        sys.exit("expected kernels with a number of registers, some of them dense")
    sys.exit(failures != 0)


main()
