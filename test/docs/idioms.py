"""Compiles the expressions in the first column of the tables of docs/tensor.md; those of the last section must fail.

    idioms.py PAGE WORK_DIR INCLUDE_DIR CXX FLAGS...
"""
import pathlib
import re
import subprocess
import sys

PROGRAM = """#include <structured/operators.h>
#include <structured/structured.h>
#include <structured/tensor_operators.h>

#include <array>
#include <iostream>
#include <map>
#include <span>
#include <unordered_map>

using namespace structured;
using T = int;
"""
FUNCTION = """void idiom_{number}(Tensor a, Tensor b, Tensor mask, Tensor rows, Tensor columns, Device device, float* data) {{
#line {line} "{file}"
  {statement};
}}
"""


def expressions(page):
    """(line, expression, whether it is rejected) of each code span in the first column of a table."""
    is_rejected = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("## "):
            is_rejected = line == "## Rejected expressions"
        cells = re.split(r"(?<!\\)\|", line) if line.startswith("| ") else []
        for code in re.findall(r"`([^`]+)`", cells[1] if cells else ""):
            if not re.fullmatch(r"\w+", code):  # a function's name stands for a call like the one before
                yield number, code.replace(r"\|", "|"), is_rejected


def statement(code):
    if code.startswith(("for ", "if ")):
        return code + " {}"
    return code + (" m; m[a] = 1" if re.fullmatch(r"std::\w*map<.*>", code) else "")


def main(page, work_dir, include_dir, *compiler):
    page, work_dir = pathlib.Path(page), pathlib.Path(work_dir)
    work_dir.mkdir(parents=True, exist_ok=True)
    accepted, rejected = [], []
    for line, code, is_rejected in expressions(page):
        (rejected if is_rejected else accepted).append((line, code))
    if len(accepted) < 57 or len(rejected) < 10:
        sys.exit(f"{page}: expected more than {len(accepted)} expressions and {len(rejected)} rejected ones")

    def errors_of(name, functions):
        source = work_dir / name
        source.write_text(PROGRAM + "".join(functions))
        no_limit = ["-ferror-limit=0"] if "clang" in compiler[0] else []
        return subprocess.run([*compiler, f"-I{include_dir}", "-fsyntax-only", "-w", *no_limit, source],
                              stderr=subprocess.PIPE, text=True).stderr

    errors = errors_of("accepted.cpp", [
        FUNCTION.format(number=i, line=line, file=page, statement=statement(code)) for i, (line, code) in enumerate(accepted)])
    if errors:
        sys.exit(errors)
    errors = errors_of("rejected.cpp", [
        FUNCTION.format(number=i, line=i + 1, file="rejected", statement=statement(code)) for i, (_, code) in enumerate(rejected)])
    compiled = [code for i, (_, code) in enumerate(rejected) if not re.search(rf"^rejected:{i + 1}:", errors, re.MULTILINE)]
    if compiled:
        sys.exit(f"{page}: expected errors for {compiled}, got\n{errors}")
    print(f"{len(accepted)} expressions, {len(rejected)} rejected ones")


main(*sys.argv[1:])
