"""Tests of what a build finds and refuses: compilers and PyTorch that are missing, old or broken, and names and sources."""
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from structured_gen import Missing, kernel_builder, library, toolchain


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def program(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def assert_missing(self, pattern, function, *arguments):
        with self.assertRaisesRegex(Missing, pattern) as caught:
            function(*arguments)
        self.assertNotIn("\n", str(caught.exception))


class Compilers(Folder):
    def environment(self, **variables):
        patch = mock.patch.dict(os.environ, {"PATH": str(self.folder), **variables})
        patch.start()
        self.addCleanup(patch.stop)
        if "CXX" not in variables:
            os.environ.pop("CXX", None)

    def test_none(self):
        self.environment()
        self.assert_missing(r"g\+\+ is not in PATH; install it by `apt install g\+\+`", toolchain.Compiler)

    def test_cxx_names_none(self):
        self.environment(CXX="g++-99")
        self.assert_missing("the compiler `g\\+\\+-99` that CXX names is not in PATH", toolchain.Compiler)

    def test_old(self):
        self.program("g++", 'echo "#define __GNUC__ 11"\n')
        self.environment()
        self.assert_missing(r"g\+\+ 12 or clang\+\+ 13 or newer; found g\+\+ 11 ", toolchain.Compiler().check)

    def test_clang_is_not_taken_for_gcc(self):
        self.program("c", 'echo "#define __GNUC__ 4"\necho "#define __clang_major__ 19"\n')
        self.environment(CXX="c --driver-mode=g++")
        compiler = toolchain.Compiler()
        compiler.check()
        self.assertEqual(compiler.version, ("clang++", 19))
        self.assertEqual(compiler.command, [str(self.folder / "c"), "--driver-mode=g++"])

    def test_broken(self):
        self.program("g++", "echo 'cc1plus: not found' >&2\nexit 1\n")
        self.environment()
        self.assert_missing("does not work: cc1plus: not found", toolchain.Compiler().check)

    def test_identity_changes_with_the_program(self):
        self.program("g++", "true\n")
        self.environment()
        before = toolchain.Compiler().identity()
        self.program("g++", "true # newer\n")
        self.assertNotEqual(toolchain.Compiler().identity(), before)


class Torch(Folder):
    def make(self, version, complete=True):
        (self.folder / "torch").mkdir()
        (self.folder / "torch" / "__init__.py").write_text("raise RuntimeError('imported')")
        (self.folder / "torch" / "version.py").write_text(f"__version__ = '{version}'\n")
        for name in ("include/ATen/core/TensorBase.h", "lib/libtorch_cpu.so") if complete else ():
            path = self.folder / "torch" / name
            path.parent.mkdir(parents=True)
            path.write_text("")
        patch = mock.patch.object(sys, "path", [str(self.folder)])
        patch.start()
        self.addCleanup(patch.stop)

    def test_none(self):
        with mock.patch.object(sys, "path", [str(self.folder)]):
            self.assert_missing("PyTorch is not installed for .*; run `.* -m pip install torch`", toolchain.find_torch)

    def test_is_found_without_being_imported(self):
        self.make("2.15.0+cpu")
        found = toolchain.find_torch()
        found.check()
        self.assertEqual((found.number, found.root), ((2, 15), self.folder / "torch"))

    def test_old(self):
        self.make("2.3.1")
        self.assert_missing("PyTorch 2.4 or newer is needed; found 2.3.1 in .* -m pip install --upgrade torch",
                            toolchain.find_torch().check)

    def test_without_headers(self):
        self.make("2.15.0", complete=False)
        self.assert_missing("has no C\\+\\+ headers or no libraries", toolchain.find_torch().check)

    def test_without_the_stable_abi(self):
        self.make("2.11.0")
        self.assert_missing("the stable ABI of PyTorch 2.12 was asked for; found the headers of PyTorch 2.11.0",
                            toolchain.find_torch().check, (2, 12))

    def test_old_abi(self):
        self.make("2.5.0")
        self.assertTrue(toolchain.find_torch().cxx11_abi)
        config = self.folder / "torch/share/cmake/Torch/TorchConfig.cmake"
        config.parent.mkdir(parents=True)
        config.write_text('set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=0")')
        self.assertFalse(toolchain.find_torch().cxx11_abi)


class Arguments(Folder):
    def test_names(self):
        for name in ("a-b", "1a", "", "a b", "é", None):
            with self.assertRaisesRegex(ValueError, "expected a name of letters, digits and underscores"):
                library.Library(name, ["a.cpp"])
        with self.assertRaisesRegex(ValueError, "belongs to PyTorch"):
            library.Library("aten", ["a.cpp"])

    def test_sources(self):
        with self.assertRaisesRegex(ValueError, "at least one source"):
            library.Library("ops", [])
        with self.assertRaisesRegex(FileNotFoundError, "there is no source"):
            library.Library("ops", [self.folder / "a.cpp"])
        with self.assertRaisesRegex(ValueError, "expected a C\\+\\+ source"):
            library.Library("ops", [self.folder / "a.py"])
        with self.assertRaisesRegex(ValueError, "sources for CUDA are built by structured_add_torch_library"):
            library.Library("ops", [self.folder / "a.cu"])

    def test_flags_are_lists(self):
        with self.assertRaisesRegex(TypeError, "extra_cflags: expected a list of strings, got '-O3'"):
            library.Library("ops", ["a.cpp"], extra_cflags="-O3")

    def test_stable_versions(self):
        self.assertEqual(library.stable_version("2.12"), (2, 12))
        for text in ("2.9", "2", "latest", 2):
            with self.assertRaisesRegex(ValueError, "2.10 or later"):
                library.stable_version(text)

    def test_headers_of_the_author(self):
        (self.folder / "inc").mkdir()
        (self.folder / "a.h").write_text('#include "b.h"\n  # include <c.h>\n')
        (self.folder / "b.h").write_text('#include "a.h"\n')
        (self.folder / "inc" / "c.h").write_text("#include <vector>\n")
        found = library.local_headers([(str(self.folder), b'#include "a.h"\n// #include "d.h"\n')], [str(self.folder / "inc")])
        self.assertEqual([os.path.basename(path) for path, _ in found], ["a.h", "b.h", "c.h"])

    def test_errors_of_folders(self):
        for number, text in ((28, "the disk is full"), (30, "the file system is read-only"), (13, "permission denied")):
            self.assertRegex(str(library.explain_os_error(OSError(number, "?"), "/cache")), f"cannot write to /cache: {text}; ")

    def test_locks_exclude(self):
        order = []
        with library.locked(self.folder / "locks" / "a"):
            def waiting():
                order.append("waits")
                raise InterruptedError
            with self.assertRaises(InterruptedError):
                with library.locked(self.folder / "locks" / "a", waiting):
                    order.append("entered")
        self.assertEqual(order, ["waits"])

    def test_namespace_of_kernel_builder(self):
        name = kernel_builder.PLACEHOLDER
        text = f'm.f<"{name}::add.out">(); Library library_{name}("{name}", define_{name});'
        self.assertEqual(kernel_builder.with_extension_name(text),
                         'm.f<C10_STRINGIZE(TORCH_EXTENSION_NAME) "::add.out">(); '
                         "Library library_operators(C10_STRINGIZE(TORCH_EXTENSION_NAME), define_operators);")


if __name__ == "__main__":
    unittest.main()
