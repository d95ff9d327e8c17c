"""Runs the code blocks of a page of documentation and compares the output with the page.

    run_code_blocks.py [--only-files] PAGE WORK_DIR SOURCE_DIR BUILD_DIR [PREFIX]

Commands use the installation in PREFIX, or without it, or for `console` blocks, the build.

The words after the three backquotes say how a block is checked:

    cpp NAME               becomes the file NAME in WORK_DIR; a later block with an equal name is appended. If SOURCE_DIR has
                           the file, the block must be equal to it. `cmake NAME`, `make NAME`, `python NAME` and `yaml NAME`
                           work in this way, too.
    cpp ORIGINAL NAME      becomes the file NAME in WORK_DIR, and must be equal to ORIGINAL in SOURCE_DIR.
    sh                     commands for bash in WORK_DIR. They must succeed, or fail in a block `sh fails`. A block
                           `sh PROGRAM` or `sh fails PROGRAM` is skipped, with its output, if PROGRAM is not installed.
    text                   the whole output of the last commands; a line `...` matches any lines. A block `text picture` is
                           not compared.
    console                commands after a prompt, run in SOURCE_DIR with BUILD_DIR for `build/release`. A command that would
                           run the tests or install packages runs as `--help`.
    cpp                    annotated declarations; the first such block of a page precedes every other one.
    schema                 the output of `structured-gen list` for the `cpp` block before.

Any other block is an error. With --only-files no command runs; the commands of `sh` blocks go to the file commands.sh.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Commands that run as `--help`, because they would run these tests or install packages.
NOT_RUN_HERE = re.compile(r"(\./dev (?:setup|demo|test|package|bench|format|lint))\b")
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Page:
    def __init__(self, options):
        self.options = options
        self.text = options.page.read_text()
        self.written = set()
        self.output = None
        self.prelude = None
        self.declarations = None

    def fail(self, position, message):
        line = self.text.count("\n", 0, position) + 1
        sys.exit(f"{self.options.page}:{line}: {message}")

    def check(self):
        blocks = list(FENCE.finditer(self.text))
        missing = []
        if not blocks:
            sys.exit(f"{self.options.page}: no code blocks")
        for block in blocks:
            info, body = block[1].split(), block[2]
            if len(info) in (2, 3) and info[0] in ("cpp", "cmake", "make", "python", "yaml"):
                self.file(block.start(), info[1], info[-1], body)
            elif self.options.only_files:
                if info == ["sh"]:
                    with (self.options.work_dir / "commands.sh").open("a") as file:
                        file.write(body)
            elif info == ["text", "picture"]:
                continue
            elif info == ["console"]:
                self.console(block.start(), body)
            elif info == ["cpp"]:
                self.prelude, self.declarations = (self.prelude, body) if self.prelude else (body, None)
            elif info == ["schema"]:
                self.schemas(block.start(), body)
            elif info[:1] == ["sh"] and len(info) <= 3:
                succeeds = info[1:2] != ["fails"]
                programs = info[1:] if succeeds else info[2:]
                missing = [program for program in programs if not shutil.which(program)]
                if missing:
                    print(f"skipped: {missing[0]} is not installed; `./dev setup --full` installs it")
                    self.output = None
                else:
                    self.commands(block.start(), body, succeeds)
            elif info == ["text"]:
                if not missing:
                    self.expected(block.start(), body)
            else:
                self.fail(block.start(), f"cannot check a block of kind `{block[1]}`")
        print(f"{self.options.page.name}: {len(blocks)} code blocks")

    def file(self, position, original_name, name, body):
        original = self.options.source_dir / original_name
        is_like = original.exists() and original_name != "CMakeLists.txt"
        if (is_like and original.read_text() != body) or (original_name != name and not is_like):
            self.fail(position, f"the block differs from {original_name}")
        path = self.options.work_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if name in self.written else "w") as file:
            file.write(body)
        self.written.add(name)

    def console(self, position, body):
        for line in body.splitlines():
            command = re.sub(r"\s+#.*", "", line.removeprefix("$ "))
            not_run = NOT_RUN_HERE.match(command)
            if not_run:
                command = not_run[1] + " --help"
            command = command.replace("build/release", str(self.options.build_dir))
            preload = os.environ.get("STRUCTURED_DOCS_CLANG_PRELOAD")
            if preload and command.startswith("clang++"):
                command = f"LD_PRELOAD={preload} {command}"
            self.run(position, command, self.options.source_dir)

    def schemas(self, position, body):
        if self.declarations is None:
            self.fail(position, "there are no declarations before this")
        (self.options.work_dir / "declarations.cpp").write_text(self.prelude + self.declarations)
        self.run(position, "structured-gen scan -o declarations.json declarations.cpp -- -I\"$structured_runtime\"\n"
                 "structured-gen list declarations.json 2>/dev/null", self.options.work_dir)
        self.expected(position, body)

    def commands(self, position, body, succeeds):
        # Samples take longer to compile than to run.
        body = body.replace("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1")
        preload = os.environ.get("STRUCTURED_DOCS_CLANG_PRELOAD")
        if preload and "clang" in body:
            wrappers = "".join(f'{program}() {{ LD_PRELOAD={preload} command {program} "$@"; }}\n'
                               for program in ("clang++-19", "clang-tidy-19", "run-clang-tidy-19"))
            body = f"{wrappers}export CMAKE_CXX_COMPILER_LAUNCHER='env;LD_PRELOAD={preload}'\n{body}"
        self.run(position, body, self.options.work_dir, succeeds)

    def installation(self):
        """Variables of the environment for programs that use the installation."""
        prefix = self.options.prefix
        if not prefix:
            return {}
        packages = [str(path.parent) for path in prefix.glob("lib/**/pkgconfig/structured.pc")]
        configs = [str(path.parent) for path in prefix.glob("lib/**/StructuredConfig.cmake")]
        if len(packages) != 1 or len(configs) != 1:
            sys.exit(f"{prefix}: expected one installation, found {packages} and {configs}")
        return {"PKG_CONFIG_PATH": packages[0], "Structured_DIR": configs[0], "structured": str(prefix),
                "structured_runtime": str(prefix / "include")}

    def run(self, position, commands, directory, succeeds=True):
        environment = dict(os.environ)
        environment["PATH"] = os.pathsep.join([str(self.options.build_dir / "bin"), environment["PATH"]])
        environment["Structured_DIR"] = str(self.options.build_dir)
        environment["structured_runtime"] = str(self.options.source_dir / "runtime")
        if not self.options.prefix:  # an installation has the headers of both in one folder
            environment["CPLUS_INCLUDE_PATH"] = str(self.options.source_dir / "schema")
        environment["digits"] = str(self.options.source_dir / "examples/digits")
        environment["sigproc"] = str(self.options.source_dir / "examples/sigproc")
        if directory != self.options.source_dir:
            environment.update(self.installation())
            if self.options.prefix:
                environment["PATH"] = os.pathsep.join([str(self.options.prefix / "bin"), environment["PATH"]])
        environment.pop("MAKELEVEL", None)
        environment["CXXFLAGS"] = os.environ.get("STRUCTURED_DOCS_CXXFLAGS", "")
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=directory, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if (run.returncode == 0) != succeeds:
            self.fail(position, f"the commands exited with {run.returncode}:\n{run.stdout}")
        self.output = run.stdout

    def expected(self, position, body):
        if self.output is None:
            self.fail(position, "no command printed this")
        lines = [r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in body.splitlines()]
        if not re.fullmatch("".join(lines), self.output if self.output.endswith("\n") else self.output + "\n"):
            self.fail(position, f"the commands printed something else:\n{self.output}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only-files", action="store_true")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("work_dir", type=pathlib.Path)
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("prefix", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    shutil.rmtree(options.work_dir, ignore_errors=True)
    options.work_dir.mkdir(parents=True)
    Page(options).check()


main()
