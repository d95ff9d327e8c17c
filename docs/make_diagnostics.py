#!/usr/bin/env python3
"""Generates docs/diagnostics.md: one section for each kind of diagnostic in the registry.

    docs/make_diagnostics.py            prints the page
    docs/make_diagnostics.py --check    fails unless the page is the one in the tree

tool/check/diagnostic_kinds.def has a kind's name, severity and summary. Everything else comes from its test,
test/lit/check/<identifier>.cpp, so every example and message of the page is tested:

    // Why: ...            the reason; the following lines of the comment belong to it
    // Cure: ...           the remedy
    // example begin       the code shown, followed by the expected messages
    // example end
"""
import argparse
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGISTRY = ROOT / "tool" / "check" / "diagnostic_kinds.def"
TESTS = ROOT / "test" / "lit" / "check"
PAGE = ROOT / "docs" / "diagnostics.md"

HEAD = """# Diagnostics

All kinds of diagnostics, each with an example, the reason and the remedy. The name in brackets at the end of a message
is the title of its section. `structured-gen check`, `structured-gen emit` and the Clang plugin report the same kinds
with the same messages. `emit` writes nothing if there are errors; warnings do not stop it. If one edit corrects the
mistake, `structured-gen check --fix` makes it.

`docs/make_diagnostics.py` generates this page from the registry of kinds and their tests.
"""

# Lines of an example that say nothing about the diagnostic.
FRAME = {'#include "mock.h"', "using namespace structured;", "namespace kernels {", "}  // namespace kernels"}


class Fault(Exception):
    """Something that the page needs is missing."""


def registry():
    """Yields (group, identifier, name, severity, summary); the group is the comment above the kinds."""
    text = REGISTRY.read_text()
    group = None
    pattern = re.compile(
        r'^// (?P<comment>.+)$|^STRUCTURED_DIAGNOSTIC\((?P<id>\w+), "(?P<name>[^"]+)", (?P<severity>\w+),'
        r'\s*(?P<summary>(?:"[^"]*"\s*)+)\)', re.MULTILINE)
    for match in pattern.finditer(text, text.index("#endif")):
        if match["comment"]:
            group = match["comment"].rstrip(".")
        else:
            yield (group, match["id"], match["name"], match["severity"],
                   "".join(re.findall(r'"([^"]*)"', match["summary"])))


class Test:
    """The test of one kind."""

    def __init__(self, path):
        if not path.exists():
            raise Fault(f"{path}: expected a test")
        self.path = path
        self.lines = path.read_text().splitlines()
        try:
            self.begin, self.end = self.lines.index("// example begin") + 1, self.lines.index("// example end")
        except ValueError:
            raise Fault(f"{path}: expected `// example begin` and `// example end`") from None
        # An example can be several files. The expected messages stand before the first.
        self.files = {line[len("//--- "):]: index for index, line in enumerate(self.lines)
                      if line.startswith("//--- ")}

    def comment(self, label):
        """The text of the comment that starts with `// <label>: `, as a paragraph."""
        start = f"// {label}: "
        for index, line in enumerate(self.lines):
            if line.startswith(start):
                parts = [line[len(start):]]
                for more in self.lines[index + 1:]:
                    if not more.startswith("// ") or re.match(r"// [A-Z][\w-]*: ", more):
                        break
                    parts.append(more[3:])
                return textwrap.fill(f"**{label}:** " + " ".join(parts), 120, break_on_hyphens=False)
        raise Fault(f"{self.path}: expected a comment that starts with `{start}`")

    def code(self):
        shown = [re.sub(r"^//--- ", "// ", line) for line in self.lines[self.begin:self.end]
                 if line not in FRAME and not re.match(r"\s*// (CHECK[A-Z-]*: |expected-)", line)]
        return "\n".join(shown).strip("\n")

    def messages(self):
        """The expected messages of the example, with the lines that they point at."""
        shown = []
        for index in range(0 if self.files else self.begin, self.begin if self.files else self.end):
            expected = re.match(
                r"\s*// CHECK: (?P<file>[\w.]+):(?P<line>\d+|\[\[@LINE(?P<offset>[+-]\d+)\]\]):(?P<column>\d+): "
                r"(?P<message>(error|warning|note): .*)$", self.lines[index])
            if not expected:
                continue
            shown.append(expected["message"])
            if expected["offset"]:
                place = index + int(expected["offset"])
            elif expected["file"] in self.files:
                place = self.files[expected["file"]] + int(expected["line"])
            else:
                continue  # a file that the test makes
            shown += [self.lines[place], " " * (int(expected["column"]) - 1) + "^"]
        if not shown:
            raise Fault(f"{self.path}: expected `// CHECK: ...: error: ...` for the example")
        return "\n".join(shown)


def section(identifier, name, severity, summary):
    test = Test(TESTS / f"{identifier}.cpp")
    return (f"### {name}\n\n{severity.capitalize()}: {summary}.\n\n```cpp\n{test.code()}\n```\n\n"
            f"```text\n{test.messages()}\n```\n\n{test.comment('Why')}\n\n{test.comment('Cure')}\n")


def page():
    parts = [HEAD]
    last_group = None
    for group, *kind in registry():
        if group != last_group:
            parts.append(f"## {group}\n")
            last_group = group
        parts.append(section(*kind))
    if last_group is None:
        raise Fault(f"{REGISTRY}: expected kinds of diagnostics")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description="Makes docs/diagnostics.md.")
    parser.add_argument("--check", action="store_true", help="fail unless the page is the one in the tree")
    options = parser.parse_args()
    made = page()
    if not options.check:
        sys.stdout.write(made)
    elif not PAGE.exists() or PAGE.read_text() != made:
        raise Fault(f"{PAGE}: is out of date; regenerate it: "
                    f"docs/make_diagnostics.py > docs/diagnostics.md")


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"{sys.argv[0]}: {fault}")
