"""load_inline.py FOLDER: tests of structured_gen.torch.load_inline and load, with the PyTorch of this interpreter."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import torch
from structured_gen import Missing
from structured_gen.torch import BuildError, load, load_inline

FOLDER = pathlib.Path(sys.argv.pop(1)) / "mit Leerzeichen é"
# The stable ABI compiles in a fraction of the time, so that most tests use it.
SOURCE = r"""
#include <structured/torch_stable.h>

using torch::stable::Tensor;

[[structured::kernel("fill", "CPU")]]
Tensor fill(const Tensor& self) {
  Tensor result = torch::stable::empty_like(self);
  torch::stable::fill_(result, VALUE);
  return result;
}
"""
ROWS = r"""
#include <structured/torch_stable.h>

using structured::torch_stable::MetaBase;
using structured::torch_stable::options_of;
using torch::stable::Tensor;

[[structured::meta("rows", "rows.out")]]
void rows_meta(MetaBase& op, const Tensor& self, int64_t count) {
  STD_TORCH_CHECK(self.dim() == 2, "rows: expected a matrix");
  op.set_output_raw_strided(0, {count * self.size(0), self.size(1)}, {}, options_of(self));
}

[[structured::impl("rows.out", "CPU")]]
void rows_cpu([[maybe_unused]] const Tensor& self, [[maybe_unused]] int64_t count, const Tensor& out) {
  torch::stable::fill_(const_cast<Tensor&>(out), 1);
}
"""
SQUARED = r"""
#include <structured/torch_stable.h>

using structured::torch_stable::call_operator;
using torch::stable::Tensor;

[[structured::kernel("squared", "CPU", "Meta")]]
Tensor squared(const Tensor& self) {
  return call_operator<Tensor>("aten::mul", "Tensor", self, self);
}

[[structured::backward("squared")]]
Tensor squared_backward(const Tensor& grad, const Tensor& self) {
  const Tensor product = call_operator<Tensor>("aten::mul", "Tensor", grad, self);
  return torch::stable::subtract(product, product, -1.0);
}
"""
CLIP = r"""
#include <ATen/native/cpu/Loops.h>

namespace clip {

[[structured::meta("soft_clip", "soft_clip_")]]
void soft_clip_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit = 1.0) {
  op.build_unary_float_op(op.maybe_get_output(), self);
}

[[structured::impl("soft_clip", "CPU")]]
void soft_clip_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Scalar& limit, const at::Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(op.common_dtype(), "soft_clip", [&] {
    const auto bound = limit.to<scalar_t>();
    at::native::cpu_kernel(op, [bound](scalar_t x) { return bound * x / (bound + std::abs(x)); });
  });
}

}  // namespace clip
"""


def source(value):
    return SOURCE.replace("VALUE", str(value))


class LoadInline(unittest.TestCase):
    def cached(self):
        return sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.so"))

    def test_aten(self):
        torch.manual_seed(0)
        ops = load_inline("clip", CLIP, build_directory=FOLDER)
        x = torch.randn(4, 5)
        torch.testing.assert_close(ops.soft_clip(x, 2.0), 2 * x / (2 + x.abs()))
        torch.library.opcheck(ops.soft_clip.default, (x, 2.0))
        self.assertEqual(ops.operators, ["soft_clip", "soft_clip_"])
        before = time.perf_counter()
        again = load_inline("clip", CLIP, build_directory=FOLDER)
        self.assertLess(time.perf_counter() - before, 0.5)
        self.assertIs(again, ops)

    def test_symbolic_sizes(self):
        ops = load_inline("rows", ROWS, build_directory=FOLDER)
        frames = []

        def backend(graph, _):
            frames.append(graph)
            return graph.forward

        compiled = torch.compile(lambda x: ops.rows(x, 2) + 1, backend=backend, fullgraph=True, dynamic=True)
        for rows in (5, 6, 7):
            self.assertEqual(compiled(torch.randn(rows, 9)).shape, (2 * rows, 9))
        self.assertEqual(len(frames), 1)

    def test_derivatives_of_the_stable_abi(self):
        squared = load_inline("derivatives", SQUARED, build_directory=FOLDER).squared
        x = torch.randn(3, dtype=torch.double, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(squared, x, check_forward_ad=True))
        self.assertTrue(torch.autograd.gradgradcheck(squared, x))

    def test_edited_text_has_new_operators(self):
        one = load_inline("edited", source(1), build_directory=FOLDER)
        two = load_inline("edited", source(2), build_directory=FOLDER)
        x = torch.empty(2)
        self.assertEqual((one.fill(x)[0].item(), two.fill(x)[0].item()), (1, 2))
        self.assertEqual(torch.ops.edited.fill(x)[0].item(), 2)
        self.assertNotEqual(one.namespace, two.namespace)
        self.assertEqual(load_inline("edited", source(1), build_directory=FOLDER).fill(x)[0].item(), 1)
        self.assertEqual(torch.ops.edited.fill(x)[0].item(), 1)
        with self.assertRaisesRegex(AttributeError, "edited has no operator 'fil'; there are fill"):
            one.fil

    def test_edited_header_and_flags(self):
        folder = FOLDER / "sources"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.cpp").write_text('#include "value.h"\n' + SOURCE)
        values = []
        for value in (3, 4):
            (folder / "value.h").write_text(f"#pragma once\n#define VALUE {value} + EXTRA\n")
            for extra in (0, 10):
                ops = load("by_file", [folder / "a.cpp"], stable_abi="2.12", extra_cflags=[f"-DEXTRA={extra}"], build_directory=FOLDER)
                values.append(ops.fill(torch.empty(1)).item())
        self.assertEqual(values, [3, 13, 4, 14])

    def test_errors_of_the_compiler_have_the_lines_of_the_text(self):
        with self.assertRaises(BuildError) as caught:
            load_inline("wrong", source("missing_name"), build_directory=FOLDER)
        line = source("missing_name").split("\n").index("  torch::stable::fill_(result, missing_name);") + 1
        self.assertIn(f"wrong.cpp:{line}:", str(caught.exception))
        self.assertIn("missing_name", str(caught.exception))
        self.assertNotIn(str(FOLDER / "sources"), str(caught.exception))
        self.assertEqual([each for each in self.cached() if "wrong" in each], [])
        self.assertFalse(list((FOLDER / "wrong").glob("*")))

    def test_errors_of_annotations(self):
        with self.assertRaisesRegex(BuildError, r"(?s)note\.cpp:6:.*structured-"):
            load_inline("note", source(1).replace("structured::kernel(", "structured::kernell("), build_directory=FOLDER)

    def test_undefined_functions(self):
        text = source(1).replace("[[structured", "double value();\n[[structured", 1).replace(", 1)", ", value())")
        with self.assertRaisesRegex(BuildError, r"undefined reference to `value\(\)'"):
            load_inline("undefined", text, build_directory=FOLDER)

    def test_arguments(self):
        for function, error, pattern in (
                (lambda: load_inline("a-b", "x"), ValueError, "letters, digits and underscores"),
                (lambda: load_inline("a", 1), TypeError, "expected the text of a source"),
                (lambda: load_inline("a", []), TypeError, "expected the text of a source"),
                (lambda: load_inline("a", "x", stable_abi="2.12"), ValueError, "torch_stable.h"),
                (lambda: load_inline("a", source(1), stable_abi="99.0", build_directory=FOLDER), Missing, "stable ABI of PyTorch 99.0"),
                (lambda: load("a", [FOLDER / "nowhere.cpp"]), FileNotFoundError, "there is no source")):
            with self.assertRaisesRegex(error, pattern):
                function()

    def run_python(self, code, **options):
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)

    def test_processes_that_build_at_once(self):
        code = f"""
import torch
from structured_gen.torch import load_inline
ops = load_inline("at_once", {source(5)!r}, build_directory={str(FOLDER)!r})
print(ops.fill(torch.empty(1)).item())
"""
        for done in [self.run_python(code) for _ in range(3)]:
            self.assertEqual(done.communicate()[0], "5.0\n")
        self.assertEqual(len([each for each in self.cached() if "at_once" in each]), 1)

    def test_interrupt(self):
        code = f"""
from structured_gen.torch import load_inline
load_inline("interrupted", {source(6)!r}, build_directory={str(FOLDER)!r}, verbose=True)
"""
        process = self.run_python(code)
        for line in process.stdout:
            if "compiling" in line:
                break
        process.send_signal(signal.SIGINT)
        output = process.communicate()[0]
        self.assertIn("KeyboardInterrupt", output)
        self.assertFalse(list((FOLDER / "interrupted").glob("*")))
        ops = load_inline("interrupted", source(6), build_directory=FOLDER)
        self.assertEqual(ops.fill(torch.empty(1)).item(), 6)

    def test_killed_builds_are_done_again(self):
        ops = load_inline("killed", source(7), build_directory=FOLDER)
        folder = ops.library.parent
        folder.rename(folder.with_name(f".part.{folder.name}"))  # as a process leaves it that was killed
        half = folder.with_name(f".part.{folder.name}") / "libkilled.so"
        half.unlink()  # the file is mapped
        half.write_bytes(b"half")
        code = f"""
import torch
from structured_gen.torch import load_inline
print(load_inline("killed", {source(7)!r}, build_directory={str(FOLDER)!r}).fill(torch.empty(1)).item())
"""
        self.assertEqual(self.run_python(code).communicate()[0], "7.0\n")

    def test_folder_without_access(self):
        file = FOLDER / "file"
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        with self.assertRaisesRegex(Missing, "cannot write to .*; make room or give permission, or set STRUCTURED_CACHE_DIR"):
            load_inline("ops", source(1), build_directory=file / "cache")

    def test_full_disk(self):
        if os.geteuid():
            self.skipTest("only root can mount a small file system")
        small = FOLDER / "small"
        small.mkdir(parents=True, exist_ok=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("this system mounts no small file system")
        try:
            with self.assertRaisesRegex(Missing, "the disk is full"):
                load_inline("full", source(8), build_directory=small)
            self.assertEqual([each for each in small.rglob("*.so")], [])
        finally:
            subprocess.run(["umount", small], check=True)


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.environ["STRUCTURED_PCH"] = "0"
    unittest.main()
