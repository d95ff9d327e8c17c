#!/usr/bin/env python3
"""Checks comments, documentation and messages against the writing rules in CONTRIBUTING.md.

    writing.py [--summary] [FILE...]

Checks FILES, or every file that git tracks. Prints `file:line: message` for each finding and exits with 1 if there are
any. With --summary, prints the number of findings in each folder instead.

Comments are read from C++, CMake, Python and shell; string literals from the same languages, except in test/. Skipped:
code in backquotes, code blocks of Markdown, and the lines of lit tests that quote output.
"""
import argparse
import bisect
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Pages made from comments and messages that are checked in their sources, and a text of others.
SKIPPED = {"docs/cuda_operators.md", "docs/operators.md", "docs/diagnostics.md", "LICENSE", "test/lint/writing.py", "test/lint/writing_test.py"}

OPENING = re.compile(r"(What|Of|The same|Likewise|Those|Nothing)\b|(It is)\b[^.,;:?!]*\bthat\b")
OPENING_ANY_CASE = re.compile(OPENING.pattern, re.IGNORECASE)
SENTENCE_START = re.compile(r"(?:[.!?:;][\"')*_]*|\|)\s+(?=[A-Z])")

# A phrase, the contexts in which it is correct, and what to write instead.
PHRASES = [
    ("what goes back through", None, "the gradient of"),
    ("sums of products of single numbers", None, "the standard term"),
    ("numbers of a higher category", None, "a dtype of a higher category"),
    ("places", "decimal places", "source locations, positions or call sites"),
    ("ways", None, "methods, variants, paths or directions"),
    ("duties", None, "requirements"),
    ("is written", None, "an active verb, `is mutable` or `is stored`"),
    ("is no", r"there is no|is no (?:longer|more than|less than|larger than|smaller than)", "is not a"),
    ("is none of", None, "is not one of"),
    ("as it stands", None, "unchanged"),
    ("sees to", None, "a verb that says what happens"),
    ("whoever", None, "a noun: the caller, the author, the library"),
    ("of which", None, "`whose`, or a sentence of its own"),
    ("is not in vain", None, "is used"),
    ("bears", None, "has or carries"),
    ("is that of", None, "equals, or `is the … of`"),
    ("has it that", None, "says that"),
    ("tells of", None, "reports"),
]
PHRASES = [(re.compile(rf"\b{phrase}\b", re.IGNORECASE), exception and re.compile(rf"\b(?:{exception})\b", re.IGNORECASE),
            instead) for phrase, exception, instead in PHRASES]

QUOTED_OUTPUT = re.compile(r"\s*(?:RUN|REQUIRES|UNSUPPORTED|XFAIL|(?:RE)?DEFINE|[A-Z0-9_-]*(?:CHECK|FIX|NOTE|OUT|ERR)"
                           r"[A-Z0-9_-]*(?:\{[A-Z]+\})?) *:|\s*(?:expected-|NOLINT|clang-format|noqa|pylint)")
NEW_BLOCK = re.compile(r"\s*(?:[-*+]|\d+\.|#+)\s+|\s*\|")


class Block:
    """A paragraph, list item, table row or message: its text, and the source line of each offset."""

    def __init__(self, kind):
        self.kind = kind
        self.text = ""
        self.starts = []
        self.lines = []

    def add(self, line, text):
        self.text += " " if self.text else ""
        self.starts.append(len(self.text))
        self.lines.append(line)
        self.text += text.strip()

    def line_of(self, offset):
        return self.lines[bisect.bisect_right(self.starts, offset) - 1]

    def findings(self):
        """Yields (line, message)."""
        text = re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), self.text)
        starts = [0] + [match.end() for match in SENTENCE_START.finditer(text)]
        for start in starts:
            # A comment may begin in lower case; in a message, `what` may follow the function's name.
            opening = OPENING_ANY_CASE if start == 0 and self.kind == "comment" else OPENING
            match = opening.match(text, start)
            if match:
                name = f"`{match[1]}`" if match[1] else "`It is … that`"
                yield self.line_of(start), f"a sentence begins with {name}; begin with its subject or a verb"
        for phrase, exception, instead in PHRASES:
            allowed = [match.span() for match in exception.finditer(text)] if exception else []
            for match in phrase.finditer(text):
                if not any(begin <= match.start() and match.end() <= end for begin, end in allowed):
                    yield self.line_of(match.start()), f"`{match[0]}`: write {instead}"


def paragraphs(comments):
    """Blocks of (line, column, text): lines below each other in one column, up to a blank one or a new list item."""
    block, last = None, None
    for line, column, text in comments:
        if QUOTED_OUTPUT.match(text) or not text.strip():
            last = None
            continue
        item = NEW_BLOCK.match(text)
        if last != (line - 1, column) or item:
            if block:
                yield block
            block = Block("comment")
        block.add(line, text[item.end():] if item else text)
        last = (line, column)
    if block:
        yield block


def messages(strings):
    """Blocks of lists of (line, text), one for each literal with its adjacent ones."""
    for pieces in strings:
        block = Block("message")
        for line, text in pieces:
            block.add(line, text)
        if " " in block.text:
            yield block


def with_positions(text):
    starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def position(offset):
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1]
    return position


CPP_TOKEN = re.compile(r"""
    (?P<line>//[^\n]*) | (?P<block>/\*.*?\*/) | (?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>"(?:\\.|[^"\\\n])*") | '(?:\\.|[^'\\\n])+' | \b\d[\w.']* | (?P<code>[^\s"'/\d]+|.)
  """, re.VERBOSE | re.DOTALL)


def cpp(text):
    position = with_positions(text)
    comments, strings, adjacent = [], [], False
    for token in CPP_TOKEN.finditer(text):
        line, column = position(token.start())
        if token["line"]:
            comments.append((line, column, re.sub(r"^//[/!]?<?", "", token["line"])))
        elif token["block"]:
            for number, part in enumerate(token["block"][2:-2].split("\n")):
                comments.append((line + number, 0, re.sub(r"^\s*\*+ ?", "", part)))
        elif token["string"] or token["raw"]:
            part = token["string"] or token["raw"]
            part = re.sub(r'\\[n"t]', " ", part[part.index('"') + 1:-1])
            if not adjacent:
                strings.append([])
            strings[-1] += [(line + number, piece) for number, piece in enumerate(part.split("\n"))]
            adjacent = True
        elif token[0].strip():
            adjacent = False
    return comments, strings


def python(text):
    comments, strings, previous = [], [], None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.start[1], token.string.lstrip("#!")))
        elif token.type == tokenize.STRING:
            quoted = re.sub(r"^\w*('''|\"\"\"|'|\")|('''|\"\"\"|'|\")$", "", token.string)
            if previous in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.NL) and len(quoted) > 1:  # a docstring
                comments += [(token.start[0] + number, 0, part) for number, part in enumerate(quoted.split("\n"))]
            elif previous == tokenize.STRING:
                strings[-1].append((token.start[0], quoted))
            else:
                strings.append([(token.start[0], quoted)])
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            previous = token.type
    return comments, strings


def hash_comments(text):
    """CMake and shell: comments; quoted text of `message`, `say`, `fail`; here-documents."""
    comments, strings, here = [], [], None
    for line, content in enumerate(text.split("\n"), 1):
        if here:
            if content.strip() == here:
                here = None
            else:
                comments.append((line, 0, content))
            continue
        opened = re.search(r"<<-?'?(\w+)'?", content)
        here = opened and opened[1]
        comment = re.match(r"^((?:[^\"#]|\"(?:\\.|[^\"\\])*\")*?(?:^|\s))#(?!!)(.*)$", content)
        if comment:
            comments.append((line, len(comment[1]), comment[2]))
        strings += [[(line, part[1:-1])] for part in re.findall(r'"(?:\\.|[^"\\])*"', (comment or ("", content))[1])]
    return comments, strings


def markdown(text):
    comments, fence = [], False
    for line, content in enumerate(text.split("\n"), 1):
        if content.lstrip().startswith("```"):
            fence = not fence
            content = ""
        if fence or content.startswith("    ") or re.match(r"\s*(?:<!--|\|[-: |]*$)", content):
            content = ""
        comments.append((line, 0, re.sub(r"\]\([^)]*\)", "]", content)))
    return comments, []


READERS = {".cpp": cpp, ".h": cpp, ".cu": cpp, ".cuh": cpp, ".def": cpp, ".py": python, ".md": markdown,
           ".cmake": hash_comments, ".sh": hash_comments}


def reader_of(path):
    name = pathlib.PurePath(path).name
    if name == "CMakeLists.txt" or path in ("dev", ".ci/run"):
        return hash_comments
    return READERS.get(pathlib.PurePath(path).suffix)


def findings_in(path, text):
    """Findings of a file, as (line, message): what `path` says about the language and the folder counts."""
    reader = reader_of(path)
    if reader is None or path in SKIPPED:
        return []
    comments, strings = reader(text)
    blocks = list(paragraphs(comments))
    if not path.startswith("test/"):
        blocks += messages(strings)
    return sorted({finding for block in blocks for finding in block.findings()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--summary", action="store_true", help="print counts by folder")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.files:
        paths = [str(file.resolve().relative_to(ROOT)) for file in options.files]
    else:
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        paths = sorted(path for path in listed.split("\0") if path)
    counts = collections.Counter()
    for path in paths:
        if not (ROOT / path).is_file() or reader_of(path) is None:
            continue
        for line, message in findings_in(path, (ROOT / path).read_text(encoding="utf-8")):
            counts[str(pathlib.PurePath(path).parent)] += 1
            if not options.summary:
                print(f"{path}:{line}: {message}")
    if options.summary:
        for folder, count in sorted(counts.items()):
            print(f"{count:6} {folder}")
    print(f"writing: {sum(counts.values())} findings in {len(paths)} files")
    sys.exit(1 if counts else 0)


if __name__ == "__main__":
    main()
