#!/usr/bin/env python3
"""Measures the dtypes that each operator accepts, for docs/operators.md.

    operator_dtypes.py REPLAY OPERATORS.json OUTPUT

Calls the first variant of each operator in OPERATORS.json once for each dtype, through REPLAY (structured-replay), and
writes lines such as `relu integral floating` to OUTPUT: the words of the `dtypes` attribute for which the call succeeds.
Exits with 1 if an operator accepts no dtype, or not all that its `dtypes` attribute declares.

Arguments come from the schema: tensors are [2, 2], of ones and of the dtype under test; dimensions are 0 and other
numbers 1; defaults are used. `operator_calls.txt` lists the arguments of operators that need others. For an operator
without tensor arguments, the dtype under test is its argument `dtype`.
"""
import base64
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

CALLS = pathlib.Path(__file__).with_name("operator_calls.txt")

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "schema"))
from registry import dtypes  # noqa: E402

# The rows of the dtypes with which operators compute, by their name in recorded calls.
ROWS = {row["torch"]: row for row in dtypes() if row["type"] and row.get("computes") != "false"}
# By the name of the dtype in recorded calls: its name in the `dtypes` attribute.
DTYPES = {other_name: row["word"] for other_name, row in ROWS.items()}
# By the set of the `dtypes` attribute; Bool is in none.
CATEGORIES = {{"boolean": "bool"}.get(category, category): [
    row["word"] for row in ROWS.values() if row["category"] == category]
    for category in ("boolean", "integral", "floating", "complex")}
ALL = [dtype for members in CATEGORIES.values() for dtype in members]
# structured-replay prints this for a call that succeeds although its record expects an error.
ACCEPTED = "no error, expected one like: "


def element(dtype, number):
    row = ROWS[dtype]
    if row["category"] == "complex":
        part = next(other for other, part in ROWS.items() if part["name"] == row["parts"])
        return element(part, number) + element(part, 0)
    if "buffer" not in row:  # the upper bytes of a float
        return struct.pack("<f", number)[-1 << int(row["size_log2"]):]
    return struct.pack("<" + row["buffer"].replace("l", "q"), number)


def tensor(dtype, shape, number):
    strides, count = [], 1
    for size in reversed(shape):
        strides.insert(0, count)
        count *= size
    storage = base64.b64encode(element(dtype, number) * count).decode()
    return {"tensor": {"dtype": dtype, "shape": shape, "strides": strides, "offset": 0, "storage": storage}}


def split(text):
    """Splits at commas outside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def literal(text, type, dtype):
    """An argument as operator_calls.txt writes it."""
    if text == "None":
        return {"none": None}
    if text.startswith("["):
        return {"list": [literal(part, type.partition("[")[0], dtype) for part in split(text[1:-1])]}
    if type.startswith("Tensor"):
        text, _, number = text.partition("=")
        name, _, shape = text.partition("[")
        return tensor(dtype if name == "T" else name, [int(size) for size in split(shape[:-1])], int(number or 1))
    if type.startswith("ScalarType"):
        return {"dtype": dtype if text == "T" else text}
    if text in ("True", "False"):
        return {"bool": text == "True"}
    if text.startswith('"'):
        return {"str": text[1:-1]}
    return {"float": text} if type.startswith("float") else {"int": int(text)}


def usual_argument(name, type, dtype):
    if type.endswith("?"):
        return {"none": None}
    if type == "Tensor":
        return tensor(dtype, [2, 2], 1)
    if type == "Tensor[]":
        return {"list": [tensor(dtype, [2, 2], 1)] * 2}
    if type == "ScalarType":
        return {"dtype": dtype}
    if type == "Device":
        return {"device": "cpu"}
    number = 0 if name.startswith(("dim", "axis")) else 1
    if type.endswith("]"):
        return {"list": [{"int": number}] * (2 if "size" in name or type == "Scalar[]" else 1)}
    return literal({"bool": "False", "str": '""', "float": "1.0"}.get(type, str(number)), type, dtype)


def parameters(schema):
    """Yields type, name and whether there is a default."""
    for text in split(schema[schema.index("(") + 1:schema.rindex(") ->")]):
        if text == "*":
            continue
        declaration, _, default = text.partition("=")
        type, name = declaration.rsplit(" ", 1)
        if "(" in type:  # an alias set
            type = type[:type.index("(")] + type[type.index(")") + 1:]
        yield type.replace("SymInt", "int"), name, bool(default)


def calls(schema, given):
    """Yields a recorded call for each dtype. Each expects an error, whose text is the operator and the dtype."""
    name = schema[:schema.index("(")]
    listed = list(parameters(schema))
    unknown = set(given) - {parameter for _, parameter, _ in listed}
    if unknown:
        sys.exit(f"{CALLS.name}: {name} has no argument {', '.join(sorted(unknown))}")
    has_tensors = any(type.startswith("Tensor") for type, _, _ in listed)
    op, _, overload = name.partition(".")
    for dtype, word in DTYPES.items():
        arguments = {}
        for type, parameter, has_default in listed:
            if parameter in given:
                arguments[parameter] = literal(given[parameter], type, dtype)
            elif type.startswith("ScalarType") and not has_tensors:
                arguments[parameter] = {"dtype": dtype}
            elif not has_default:
                arguments[parameter] = usual_argument(parameter, type, dtype)
        yield {"name": name, "op": "aten::" + op, "overload": overload, "args": [], "kwargs": arguments, "expect": None,
               "error": f"{name} {word}"}


def replay(program, cases):
    """Returns the pairs of operator and dtype whose calls succeed."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(case) + "\n" for case in cases)
        file.flush()
        run = subprocess.run([program, file.name, "--verbose"], capture_output=True, text=True, check=False)
        complaints = [line for line in run.stderr.splitlines() if line.startswith(file.name)]  # others are warnings
    for line in complaints:
        if ACCEPTED not in line:  # a malformed call, or an internal error
            sys.exit(line)
    return {tuple(line.partition(ACCEPTED)[2].split()) for line in complaints}


def members(words):
    return {dtype for word in words for dtype in (ALL if word == "all" else CATEGORIES.get(word, [word]))}


def words(accepted):
    """The words of the `dtypes` attribute for a set of dtypes."""
    if accepted == set(ALL):
        return ["all"]
    result = []
    for category, dtypes in CATEGORIES.items():
        found = [dtype for dtype in dtypes if dtype in accepted]
        result += [category] if found == dtypes else found
    return result


def read_calls():
    result = {}
    for line in CALLS.read_text().splitlines():
        name, *arguments = line.partition("#")[0].split() or [None]
        if name:
            result[name] = dict(argument.split(":", 1) for argument in arguments)
    return result


def main():
    program, operators_path, output = sys.argv[1:]
    def name_of(op):
        return op["variants"][0]["schema"].partition("(")[0]

    known = json.loads(pathlib.Path(operators_path).read_text())["operators"]
    # Derived variants accept what the operator accepts that computes them.
    operators = [op for op in known if "derived_from" not in op["variants"][0]]
    schemas = {name_of(op): op["variants"][0]["schema"] for op in operators}
    declared = {name_of(op): op.get("pointwise", {}).get("dtypes", []) for op in operators}
    given = read_calls()
    for name in given.keys() - {name_of(op) for op in known}:
        sys.exit(f"{CALLS.name}: there is no operator {name}")
    fixed = {"refine_names": ["all"]}  # structured-replay does not read names of dimensions
    # Nor does it make quantized tensors.
    quantized = {op["variants"][0]["schema"].partition("(")[0] for op in operators
                 if {kernel["backend"] for kernel in op["variants"][0].get("kernels", [])} == {"QuantizedCPU", "Meta"}}
    accepted = replay(program, (case for name, schema in schemas.items() if name not in fixed and name not in quantized
                                for case in calls(schema, given.get(name, {}))))
    problems = []
    lines = []
    for name in sorted(schemas):
        if name in quantized:
            lines.append(f"{name} quantized\n")
            continue
        found = {dtype for dtype in ALL if (name, dtype) in accepted} | members(fixed.get(name, []))
        if not found:
            problems.append(f"{name}: accepts no dtype; list arguments for it in {CALLS.name}")
        missing = members(declared[name]) - found
        if missing:
            problems.append(f"{name}: does not accept {', '.join(sorted(missing))}, which its `dtypes` declares")
        lines.append(f"{name} {' '.join(words(found))}\n")
    pathlib.Path(output).write_text("".join(lines))
    print("\n".join(problems) or f"{len(lines)} operators")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
