"""Tests of the command `structured`: new, doctor, explain and emit, without PyTorch."""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILDS = ["scikit-build-core", "setuptools", "meson"]


def run(*arguments, **options):
    environment = dict(os.environ, **options.pop("environment", {}))
    return subprocess.run([sys.executable, "-B", "-m", "structured_gen", *map(str, arguments)], capture_output=True, text=True,
                          env=environment, **options)


class New(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def new(self, *arguments):
        return run("new", *arguments, cwd=self.folder)

    def test_every_template_is_complete(self):
        for kind, build in [*itertools.product(("--torch", "--stable"), BUILDS), ("--native", None)]:
            name = f"ops_{kind[2:]}_{(build or 'cmake').replace('-', '_')}"
            done = self.new(name, kind, *([f"--build={build}"] if build else []))
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
            files = {path.relative_to(self.folder / name).as_posix(): path.read_text()
                     for path in (self.folder / name).rglob("*") if path.is_file()}
            text = "\n".join([*files, *files.values()])
            self.assertNotIn("my_ops", text)
            self.assertNotRegex(text, r"@[a-z_]+@")
            self.assertIn("README.md", files)
            self.assertEqual("STABLE_ABI" in text or "stable_abi=" in text or "--stable-abi" in text, kind == "--stable")
            for where, content in files.items():
                if where.endswith(".py"):
                    compile(content, where, "exec")

    def test_says_how_to_build(self):
        self.assertIn("pip install --no-build-isolation ./clip_ops", self.new("clip_ops").stdout)

    def test_refuses_names(self):
        for name in ("Ops", "1ops", "a-b", "class", "namespace", "aten", "torch", "json", "a__b", "a_", "", "ops/x"):
            done = self.new(name)
            self.assertEqual(done.returncode, 2, name)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_does_not_touch_what_exists(self):
        (self.folder / "ops").mkdir()
        done = self.new("ops")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ops exists; remove it or name another folder", done.stderr)
        self.assertEqual(list((self.folder / "ops").iterdir()), [])

    def test_writes_nothing_where_it_cannot_write(self):
        done = self.new("ops", self.folder / "missing" / "file")
        self.assertEqual(done.returncode, 0, done.stderr)  # folders above are made
        (self.folder / "file").write_text("")
        done = self.new("ops", self.folder / "file" / "ops")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_path_with_spaces_and_other_letters(self):
        done = self.new("ops", "mein Ordner é")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "mein Ordner é" / "CMakeLists.txt").exists())

    def test_native_projects_have_no_choice_of_builds(self):
        done = self.new("ops", "--native", "--build=meson")
        self.assertEqual(done.returncode, 2)
        self.assertIn("`--native` makes a library for CMake", done.stderr)


class Command(unittest.TestCase):
    def test_without_arguments_prints_its_usage(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: structured", done.stderr)

    def test_version_and_folders(self):
        self.assertRegex(run("--version").stdout, r"^structured \d+\.\d+\.\d+\n$")
        for flag in run("--include").stdout.split():
            self.assertTrue(os.path.isdir(flag[2:]), flag)

    def test_explain_is_that_of_the_generator(self):
        own = run("explain", "--help")
        gen = subprocess.run([os.environ["STRUCTURED_GEN"], "explain", "--help"], capture_output=True, text=True)
        self.assertEqual((own.returncode, own.stdout), (gen.returncode, gen.stdout))

    def test_missing_program_is_one_line(self):
        done = run("explain", "x", environment={"STRUCTURED_GEN": "/nowhere/structured-gen"})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("/nowhere/structured-gen", done.stderr)

    def test_importing_the_module_loads_nothing_heavy(self):
        code = "import sys, structured_gen; print([m for m in ('torch', 'setuptools', 'subprocess', 'json') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "[]\n", done.stderr)

    def test_doctor_names_what_is_missing_and_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("doctor", environment={"PATH": folder, "CXX": "", "STRUCTURED_CACHE_DIR": folder})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"missing  compiler: .*apt install g\+\+")
        self.assertRegex(done.stdout, r"ok +generator: structured-gen")
        self.assertNotIn("Traceback", done.stdout + done.stderr)

    def test_doctor_refuses_old_compilers(self):
        for macros, found in (("#define __GNUC__ 11", r"found g\+\+ 11"),
                              ("#define __GNUC__ 4\n#define __clang_major__ 12", r"found clang\+\+ 12")):
            with tempfile.TemporaryDirectory() as folder:
                compiler = pathlib.Path(folder, "compiler")
                compiler.write_text(f"#!/bin/sh\ncat <<END\n{macros}\nEND\n")
                compiler.chmod(0o755)
                done = run("doctor", environment={"CXX": str(compiler), "STRUCTURED_CACHE_DIR": folder})
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"missing  compiler: kernels need C\+\+20: g\+\+ 12 .*" + found + ".*export CXX=")


if __name__ == "__main__":
    unittest.main()
