"""Tests of the build backend of structured-gen, without a build."""
import contextlib
import io
import os
import pathlib
import sys
import tarfile
import tempfile
import unittest
import zipfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "structured_gen"))
import build_backend  # noqa: E402


def fake_build(static):
    def build(build_dir, staging):
        (staging / "bin").mkdir(parents=True)
        program = staging / "bin" / "structured-gen"
        program.write_bytes(b"program")
        program.chmod(0o755)
        return static
    return build


class Backend(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def wheel(self, static=True, licences=None):
        found = licences or {name: b"text" for name in build_backend.LICENCES}
        missing = sorted(set(build_backend.LICENCES) - set(found))
        with mock.patch.object(build_backend, "build", fake_build(static)), \
                mock.patch.object(build_backend, "licences", lambda: ({**found, "NOTICE.txt": b"text"}, missing)), \
                contextlib.redirect_stdout(io.StringIO()):
            return self.folder / build_backend.build_wheel(self.folder)

    def test_static_wheel_is_for_every_linux(self):
        self.assertRegex(self.wheel().name, r"^structured_gen-[0-9.]+-py3-none-manylinux_2_17_\w+\.manylinux2014_\w+\.musllinux_1_1_\w+\.whl$")

    def test_other_wheels_are_for_this_machine(self):
        self.assertRegex(self.wheel(static=False).name, r"-py3-none-linux_\w+\.whl$")
        self.assertRegex(self.wheel(licences={"LLVM.txt": b"text"}).name, r"-py3-none-linux_\w+\.whl$")

    def test_contents(self):
        with zipfile.ZipFile(self.wheel()) as archive:
            names = archive.namelist()
            self.assertEqual(len(names), len(set(names)))
            program = archive.getinfo("structured_gen/bin/structured-gen")
            self.assertEqual(program.external_attr >> 16, 0o100755)
            info = next(name for name in names if name.endswith("/METADATA")).rpartition("/")[0]
            for name in [*build_backend.LICENCES, "NOTICE.txt", "LICENSE"]:
                self.assertIn(f"{info}/licenses/{name}", names)
            self.assertIn("structured_gen/templates/torch/kernels/soft_clip.cpp", names)
            self.assertFalse([name for name in names if "__pycache__" in name])
            entry_points = archive.read(f"{info}/entry_points.txt").decode()
            self.assertIn("[cmake.prefix]\nstructured = structured_gen\n", entry_points)
            self.assertIn("structured = structured_gen.command:main\n", entry_points)
            recorded = [line.rsplit(",", 2)[0] for line in archive.read(f"{info}/RECORD").decode().splitlines()]
            self.assertEqual(sorted(recorded), sorted(names))

    def test_entry_points_exist(self):
        import importlib
        for line in build_backend.entry_points().splitlines():
            module, _, function = line.partition(" = ")[2].partition(":")
            if function:
                self.assertTrue(callable(getattr(importlib.import_module(module), function)), line)

    def test_wheels_of_equal_files_are_equal(self):
        first = self.wheel().read_bytes()
        self.assertEqual(self.wheel().read_bytes(), first)

    def test_source_distribution(self):
        path = self.folder / build_backend.build_sdist(self.folder)
        with tarfile.open(path) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
        for name in ("PKG-INFO", "pyproject.toml", "build_backend.py", "structured_gen/command.py", "source/CMakeLists.txt",
                     "source/tool/driver/main.cpp", "source/lsp/server.cpp", "source/cmake/StructuredSourcePackage.cmake",
                     "source/bazel/structured.bzl"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if name.startswith(("source/kernels", "source/test", "source/build"))])

    def test_licences_name_places_on_this_machine(self):
        if not os.path.isdir("/usr/share/doc/llvm-19-dev"):
            self.skipTest("the licences of LLVM 19 are those of Debian's package llvm-19-dev, which is not installed")
        texts, missing = build_backend.licences()
        self.assertEqual(missing, [])
        self.assertIn(b"GNU LESSER GENERAL PUBLIC LICENSE", texts["LGPL-2.1.txt"])
        self.assertIn(b"LLVM Exceptions", texts["LLVM.txt"])

    def test_names_no_distribution_of_others(self):
        self.assertEqual(build_backend.project()["name"], "structured-gen")
        for path in [ROOT / "pyproject.toml", ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("python/structured_gen/**/*.toml")]:
            self.assertNotRegex(path.read_text(), r'pip install (\S+ )*structured(?![\w-])|(requires|dependencies) = .*"structured[">=]', str(path))


if __name__ == "__main__":
    unittest.main()
