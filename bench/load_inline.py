"""Time of structured_gen.torch.load_inline and of torch.utils.cpp_extension.load_inline for the same operator.

    ./dev bench load_inline [--system SYSTEM...] [--python PROGRAM] [--markdown FILE]

Runs with an interpreter that has PyTorch: that of the tests in build/venv-torch, or the one that --python names. Each case is a process of its own; imports are not a part of the times. Prints
seconds, and processor time with that of the compilers.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ATEN = r"""
#include <ATen/native/cpu/Loops.h>
#include <structured/torch.h>

[[structured::meta("soft_clip", "soft_clip_", "soft_clip.out")]]
void soft_clip_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit = 1.0) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("soft_clip.out", "CPU")]]
void soft_clip_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "soft_clip", [&] {
    const auto bound = limit.to<scalar_t>();
    at::native::cpu_kernel(op, [bound](scalar_t x) { return bound * x / (bound + std::abs(x)); });
  });
}

[[structured::backward("soft_clip")]]
at::Tensor soft_clip_backward(const at::Tensor& grad, const at::Tensor& self, const at::Scalar& limit) {
  return self.abs().add(limit).reciprocal().mul(limit).square().mul(grad);
}
"""
STABLE = r"""
#include <structured/torch_stable.h>
using torch::stable::Tensor;

[[structured::kernel("soft_clip", "CPU")]]
Tensor soft_clip(const Tensor& self) {
  Tensor result = torch::stable::empty_like(self);
  torch::stable::fill_(result, 1.0);
  return result;
}
"""
# The functional variant alone, without a derivative, a Meta kernel and schema.
PEER = r"""
at::Tensor soft_clip(const at::Tensor& self, double limit) {
  return limit * self / (limit + self.abs());
}
"""
FLAGS = {"aten": ATEN, "stable": STABLE}
ROOT = pathlib.Path(__file__).resolve().parents[1]
CASES = ["cold", "cached", "new function", "new function, precompiled headers"]


def child(system, case):
    import torch
    x = torch.tensor([-3.0, 0.0, 1.0])
    is_new = case.startswith("new")
    if system == "peer":
        from torch.utils.cpp_extension import load_inline
        # A new function is another text of the same extension.
        text = PEER.replace("limit *", "2 * limit *") if is_new else PEER
        arguments = dict(cpp_sources=text, functions=["soft_clip"])
    else:
        from structured_gen.torch import load_inline
        text = FLAGS[system].replace("soft_clip", "other_clip") if is_new else FLAGS[system]
        arguments = dict(source=text)
    before = time.perf_counter()
    ops = load_inline("bench_ops", **arguments)
    getattr(ops, "other_clip" if is_new and system != "peer" else "soft_clip")(*([x, 1.0] if system == "peer" else [x]))
    seconds = time.perf_counter() - before
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{seconds} {used.ru_utime + used.ru_stime}")


def wait_for_headers(folder):
    """Waits for the process that precompiles headers. Returns whether there are any."""
    for _ in range(6000):
        if any(name.endswith(".gch") and not name.startswith(".part") for name in os.listdir(f"{folder}/shared")):
            return True
        time.sleep(0.1)
    return False


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        return child(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", nargs="+", default=["peer", "aten", "stable"], choices=["peer", "aten", "stable"])
    parser.add_argument("--structured-gen", help="the generator (default: that of an installed wheel)")
    parser.add_argument("--python", default=ROOT / "build/venv-torch/bin/python3", help="an interpreter with PyTorch")
    parser.add_argument("--markdown", help="where to write a table")
    options = parser.parse_args()
    rows = []
    for system in options.system:
        folder = tempfile.mkdtemp(prefix="load_inline-")
        environment = dict(os.environ, STRUCTURED_CACHE_DIR=folder, TORCH_EXTENSIONS_DIR=folder)
        if options.structured_gen:
            environment.update(STRUCTURED_GEN=options.structured_gen, PYTHONPATH=str(ROOT / "python" / "structured_gen"))
        try:
            for case in CASES:
                if case.endswith("headers"):
                    if system != "aten" or not wait_for_headers(folder):
                        continue
                    shutil.rmtree(f"{folder}/bench_ops")
                # The process that precompiles would take part of the time.
                environment["STRUCTURED_PCH"] = "1" if case == "new function" else "0"
                done = subprocess.run([options.python, __file__, "--child", system, case], env=environment, stdout=subprocess.PIPE,
                                      text=True, check=True)
                seconds, processor = map(float, done.stdout.split("\n")[-2].split())
                rows.append((system, case, seconds, processor))
                print(f"{system:7} {case:35} {seconds:8.2f} s {processor:8.2f} s of processors", flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write("| load_inline | case | s | processor s |\n| --- | --- | --: | --: |\n")
            file.writelines(f"| {system} | {case} | {seconds:.2f} | {processor:.1f} |\n" for system, case, seconds, processor in rows)


main()
