"""kernel_schemas.py STRUCTURED_GEN OPERATORS_JSON [YAML | --newest=YAML]: compares our schemas with ATen's.

Every schema derived from our kernels must be a line of native_functions.yaml, or a variant that torchgen adds (`autogen`).
Operators in newer_operators.txt are looked up only in the file after `--newest=`. Texts are compared byte for byte, except for
the quotes of strings. torchgen must also read equal operators from our export; without YAML, this is the only check. Prints
differences and counts, and exits with 1 if there are differences or no operators.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

from torchgen.model import BaseTy

import torchgen_yaml
from torchgen_yaml import normal


def listed(structured_gen, operators, *options):
    return subprocess.run([structured_gen, "list", *options, operators], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def name_of(line):
    return line.split("(")[0]


def newer_operators():
    """Names or shell patterns of operators that only later versions of PyTorch have, or have with our arguments."""
    lines = pathlib.Path(__file__).with_name("newer_operators.txt").read_text(encoding="utf-8").splitlines()
    return {line.split(" | ")[0] for line in lines if line and not line.startswith("#") and " | ours, " not in line}


def own_operators():
    """Names of operators that no version of PyTorch has."""
    lines = pathlib.Path(__file__).with_name("newer_operators.txt").read_text(encoding="utf-8").splitlines()
    return {line.split(" | ")[0] for line in lines if " | ours, " in line}


def is_listed(line, names):
    return any(fnmatch.fnmatchcase(name_of(line), name) for name in names)


def not_atens(ours, yaml, may_be_missing=frozenset()):
    with open(yaml, encoding="utf-8") as file:
        atens = {normal(line[len("- func:"):].strip()) for line in file if line.startswith("- func:")}
    atens |= {normal(str(function.func)) for function in torchgen_yaml.parse(yaml).native_functions}
    by_name = {name_of(line): line for line in atens}
    return [f"not ATen's: {line}\n      ATen: {by_name.get(name_of(line), 'no operator of that name')}"
            for line in ours if normal(line) not in atens and not is_listed(line, may_be_missing)]


def is_readable(entry):
    """PyTorch 2.15 has removed named dimensions, and rejects `from` as an argument of operators that it generates itself."""
    is_of_2 = "Dimname" not in BaseTy.__members__
    name = name_of(entry).removeprefix("- func: ")
    has_keyword = re.search(r"\bfrom[=,]", entry.partition("\n")[0]) and name not in {"random_.from", "uniform_"}
    return not is_of_2 or ("Dimname" not in entry and not has_keyword)


def export_facts(structured_gen, operators):
    entries = re.split(r"^(?=- func: )", listed(structured_gen, operators, "--format=yaml"), flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "native_functions.yaml"
        path.write_text("".join(entry for entry in entries if is_readable(entry)), encoding="utf-8")
        return torchgen_yaml.facts(torchgen_yaml.parse(path))


def not_exported(ours, facts):
    """Schemas that are in only one of our list and torchgen's reading of the export."""
    exported = {fact["schema"] for fact in facts.values()}
    ours = {normal(line) for line in ours if is_readable(line)}
    return ([f"torchgen does not find: {line}" for line in sorted(ours - exported)] +
            [f"torchgen finds besides: {line}" for line in sorted(exported - ours)])


def main(structured_gen, operators, yaml=None):
    ours = listed(structured_gen, operators).splitlines()
    newer = newer_operators()
    compared = ours if yaml else []
    if yaml and yaml.startswith("--newest="):
        yaml = yaml.removeprefix("--newest=")
        compared = [line for line in ours if is_listed(line, newer)]
        newer = {name for name in newer if not any(is_listed(line, {name}) for line in ours)}
        foreign = not_atens(compared, yaml) + [f"listed in newer_operators.txt, and not ours: {name}" for name in newer]
    else:
        foreign = not_atens(compared, yaml, newer | own_operators()) if yaml else []
    facts = export_facts(structured_gen, operators)
    lost = not_exported(ours, facts)
    # Guard against an empty comparison: some operators must be structured and some dispatched.
    for fact in ("structured", "structured_delegate", "structured_inherits", "dispatch"):
        if not any(known[fact] for known in facts.values()):
            lost.append(f"torchgen finds no operator with `{fact}`")
    print("".join(line + "\n" for line in foreign + lost), end="")
    if yaml:
        print(f"{len(compared) - len(foreign)} of {len(compared)} schemas are ATen's, or belong to newer operators")
    print(f"torchgen reads {len(facts)} of {len(ours)} operators from the export")
    return 1 if foreign or lost or not ours else 0


sys.exit(main(*sys.argv[1:]))
