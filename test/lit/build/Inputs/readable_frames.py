#!/usr/bin/env python3
"""Prints, for each operator that PROGRAM calls, the frames between its public function and its kernel.

    readable_frames.py PROGRAM

Fails if a frame has no name or one that contains a number in hexadecimal digits.
"""
import re
import subprocess
import sys

KERNELS = {"add": "rbreak PointwiseFunction<float.*add_Tensor", "cat": "break structured::kernels::cat_cpu",
           "sum": "break structured::kernels::sum_cpu", "max": "break structured::kernels::max_dim_cpu",
           "upsample_nearest1d": "break structured::kernels::upsample_nearest1d_cpu",
           "convolution": "break structured::kernels::convolution_cpu"}


def bare(frame):
    """`a::b` of `a::(anonymous namespace)::b<c (d)>(e) const`."""
    frame = frame.replace("(anonymous namespace)::", "")
    depth, result = 0, ""
    for c in frame:
        depth += c in "<("
        if depth == 0:
            result += c
        depth -= c in ">)"
    return result.split(" from ")[0].strip().split(" ")[-1]


commands = ["set pagination off", "set width 0", "break main", "run", *KERNELS.values()]
for _ in KERNELS:
    commands += ["continue", "echo == stop ==\\n", "backtrace"]
gdb = subprocess.run(["gdb", "-q", "-batch", "-nx"] + [word for line in commands for word in ("-ex", line)] +
                     [sys.argv[1]], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
stops = gdb.stdout.split("== stop ==")[1:]
if len(stops) != len(KERNELS):
    sys.exit(f"expected {len(KERNELS)} stops\n{gdb.stdout}\n{gdb.stderr}")
for operator, stop in zip(KERNELS, stops):
    frames = [bare(frame) for frame in re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(.*)$", stop, re.MULTILINE)]
    if "structured::" + operator not in frames:
        sys.exit(f"expected structured::{operator} among {frames}")
    between = frames[1:frames.index("structured::" + operator)]
    for name in between:
        if "??" in name or re.search(r"[0-9a-f]{8,}", name):
            sys.exit(f"{operator}: frame `{name}` is not readable")
    print(operator + ": " + " ".join(name.rsplit("::", 1)[-1] for name in between))
