"""kernel_schemas.py STRUCTURED_GEN OPERATORS_JSON [YAML]: every schema derived from our kernels is one of ATen's, and
torchgen reads the same operators from our export of them. Without YAML only the latter.

ATen's are the lines of native_functions.yaml, and the variants that torchgen adds to them (`autogen`). Text is compared
byte for byte, quotes of strings aside. Prints what differs and the counts, and exits with 1 if anything does, or if there
are no operators at all.
"""
import pathlib
import subprocess
import sys
import tempfile

import torchgen_yaml
from torchgen_yaml import normal


def listed(structured_gen, operators, *options):
    return subprocess.run([structured_gen, "list", *options, operators], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def not_atens(ours, yaml):
    with open(yaml, encoding="utf-8") as file:
        atens = {normal(line[len("- func:"):].strip()) for line in file if line.startswith("- func:")}
    atens |= {normal(str(function.func)) for function in torchgen_yaml.parse(yaml).native_functions}
    by_name = {line.split("(")[0]: line for line in atens}
    return [f"not ATen's: {line}\n      ATen: {by_name.get(line.split('(')[0], 'no operator of that name')}"
            for line in ours if normal(line) not in atens]


def export_facts(structured_gen, operators):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "native_functions.yaml"
        path.write_text(listed(structured_gen, operators, "--format=yaml"), encoding="utf-8")
        return torchgen_yaml.facts(torchgen_yaml.parse(path))


def not_exported(ours, facts):
    """Schemas that torchgen does not find in the export, or finds there and not here."""
    exported = {fact["schema"] for fact in facts.values()}
    ours = {normal(line) for line in ours}
    return ([f"torchgen does not find: {line}" for line in sorted(ours - exported)] +
            [f"torchgen finds besides: {line}" for line in sorted(exported - ours)])


def main(structured_gen, operators, yaml=None):
    ours = listed(structured_gen, operators).splitlines()
    foreign = not_atens(ours, yaml) if yaml else []
    facts = export_facts(structured_gen, operators)
    lost = not_exported(ours, facts)
    # A library in which nothing is structured or dispatched would pass for the wrong reason.
    for fact in ("structured", "structured_delegate", "structured_inherits", "dispatch"):
        if not any(known[fact] for known in facts.values()):
            lost.append(f"torchgen finds no operator with `{fact}`")
    print("".join(line + "\n" for line in foreign + lost), end="")
    if yaml:
        print(f"{len(ours) - len(foreign)} of {len(ours)} schemas are ATen's")
    print(f"torchgen reads {len(facts)} of {len(ours)} operators from the export")
    return 1 if foreign or lost or not ours else 0


sys.exit(main(*sys.argv[1:]))
