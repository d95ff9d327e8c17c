"""kernel_schemas.py STRUCTURED_GEN OPERATORS_JSON YAML: every schema derived from our kernels is one of ATen's.

ATen's are the lines of native_functions.yaml, and the variants that torchgen adds to them (`autogen`). Text is compared
byte for byte, quotes of strings aside. Prints the lines that ATen does not have and the count, and exits with 1 if there
are any, or no operators at all.
"""
import pathlib
import subprocess
import sys

from torchgen.gen import parse_native_yaml


def normal(line):
    return line.replace("'", '"')


def main(structured_gen, operators, yaml):
    with open(yaml, encoding="utf-8") as file:
        atens = {normal(line[len("- func:"):].strip()) for line in file if line.startswith("- func:")}
    tags = pathlib.Path(yaml).parent / "tags.yaml"
    atens |= {normal(str(function.func)) for function in parse_native_yaml(yaml, str(tags)).native_functions}
    by_name = {line.split("(")[0]: line for line in atens}
    ours = subprocess.run([structured_gen, "list", operators], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.splitlines()
    wrong = [line for line in ours if normal(line) not in atens]
    for line in wrong:
        print(f"not ATen's: {line}\n      ATen: {by_name.get(line.split('(')[0], 'no operator of that name')}")
    print(f"{len(ours) - len(wrong)} of {len(ours)} schemas are ATen's")
    return 1 if wrong or not ours else 0


sys.exit(main(*sys.argv[1:]))
