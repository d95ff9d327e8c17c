"""Does what a page of documentation tells its reader to do, and compares what comes out with what the page shows.

    run_code_blocks.py [--only-files] PAGE WORK_DIR SOURCE_DIR BUILD_DIR

Fenced blocks mean, by what stands behind the three backquotes:

    cpp NAME, cmake NAME   the file NAME below WORK_DIR; further blocks of the same name are appended. If SOURCE_DIR has
                           a file of that name, the block must be equal to it.
    sh                     commands, run by bash in WORK_DIR. They must succeed unless the block says `sh fails`.
    text                   what the last commands printed; a line `...` stands for any lines. Every command that has
                           such a block must print just that.
    console                what people type at a prompt: every `./dev COMMAND` must exist. Not run.

Anything else is an error: nothing on the page goes unchecked. With --only-files commands are not run.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Page:
    def __init__(self, options):
        self.options = options
        self.text = options.page.read_text()
        self.written = set()
        self.output = None

    def fail(self, position, message):
        line = self.text.count("\n", 0, position) + 1
        sys.exit(f"{self.options.page}:{line}: {message}")

    def check(self):
        blocks = list(FENCE.finditer(self.text))
        if not blocks:
            sys.exit(f"{self.options.page}: no code blocks")
        for block in blocks:
            info, body = block[1].split(), block[2]
            if len(info) == 2 and info[0] in ("cpp", "cmake"):
                self.file(block.start(), info[1], body)
            elif info == ["console"]:
                self.console(block.start(), body)
            elif self.options.only_files and info in (["sh"], ["text"]):
                continue
            elif info in (["sh"], ["sh", "fails"]):
                self.commands(block.start(), body, succeeds=len(info) == 1)
            elif info == ["text"]:
                self.expected(block.start(), body)
            else:
                self.fail(block.start(), f"cannot check a block of kind `{block[1]}`")
        print(f"{self.options.page.name}: {len(blocks)} code blocks")

    def file(self, position, name, body):
        original = self.options.source_dir / name
        if original.exists() and name != "CMakeLists.txt" and original.read_text() != body:
            self.fail(position, f"the block differs from {name}")
        path = self.options.work_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if name in self.written else "w") as file:
            file.write(body)
        self.written.add(name)

    def console(self, position, body):
        for command in re.findall(r"\./dev (\w+)", body):
            run = subprocess.run(["./dev", command, "--help"], cwd=self.options.source_dir, stdout=subprocess.DEVNULL)
            if run.returncode != 0:
                self.fail(position, f"there is no `./dev {command}`")

    def commands(self, position, body, succeeds):
        environment = dict(os.environ)
        environment["PATH"] = os.pathsep.join([str(self.options.build_dir / "bin"), environment["PATH"]])
        environment["Structured_DIR"] = str(self.options.build_dir)
        environment["structured_runtime"] = str(self.options.source_dir / "runtime")
        environment["CXXFLAGS"] = os.environ.get("STRUCTURED_DOCS_CXXFLAGS", "")
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=self.options.work_dir, env=environment,
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
    options = parser.parse_args()
    shutil.rmtree(options.work_dir, ignore_errors=True)
    options.work_dir.mkdir(parents=True)
    Page(options).check()


main()
