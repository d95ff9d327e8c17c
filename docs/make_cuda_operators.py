#!/usr/bin/env python3
"""Prints docs/cuda_operators.md: how our operators run with tensors on CUDA devices.

usage: make_cuda_operators.py OPERATORS CUDA_OPERATORS: the operators.json of structured_kernels and of
structured_kernels_cuda.
"""

import json
import sys

COMPOSITE = {"CompositeImplicitAutograd", "CompositeExplicitAutograd"}


def names_of(variants):
    return [variant["schema"].split("(")[0].split("::")[-1] for variant in variants]


def backends_of(operator, variant):
    kernels = variant.get("kernels", []) + operator.get("structured", {}).get("impls", [])
    return {kernel["backend"] for kernel in kernels}


def names_with_kernels(path):
    names = set()
    for imported in json.load(open(path))["imported"]:
        names.update(names_of(imported["operator"]["variants"]))
    return names


def main():
    operators = json.load(open(sys.argv[1]))["operators"]
    with_kernels = names_with_kernels(sys.argv[2])
    counts = {"kernel": 0, "composite": 0, "CPU": 0}
    fallback = []
    core = []
    for operator in operators:
        for variant, name in zip(operator["variants"], names_of(operator["variants"])):
            backends = backends_of(operator, variant)
            if name in with_kernels or "CUDA" in backends:
                counts["kernel"] += 1
            elif backends & COMPOSITE or (not backends and "pointwise" not in operator):
                counts["composite"] += 1
            else:
                counts["CPU"] += 1
                fallback.append(name)
                if "core" in operator.get("tags", []):
                    core.append(name)
    print("# Operators on CUDA\n")
    print("<!-- Made by docs/make_cuda_operators.py. Do not edit. -->\n")
    print(f"{sum(counts.values())} schemas of our operators, by how they run with CUDA tensors:\n")
    print("| schemas | how they run |")
    print("| --- | --- |")
    print(f"| {counts['kernel']} | a kernel for CUDA |")
    print(f"| {counts['composite']} | composite: they call other operators, or return views |")
    print(f"| {counts['CPU']} | on the CPU, with copies of their tensors |")
    names = ", ".join(f"`{name}`" for name in sorted(core))
    print(f"\nOf PyTorch's Core ATen set, {names or 'none'} {'run' if len(core) > 1 else 'runs'} on the CPU.")
    print("\nThese run on the CPU:\n")
    for name in sorted(fallback):
        print(f"- `{name}`")


main()
