#!/usr/bin/env python3
"""Checks that the documentation of each operator stands alone: `operator_comments.py OPERATORS.json`.

Prints the operators whose documentation is empty, refers to another comment, or has a first sentence that is too long
for a table, and exits with 1 if there are any. docs/operators.md sorts operators, and editors show one at a time.
"""
import json
import pathlib
import re
import sys

REFERENCE = re.compile(r"(The same|What|Of|Likewise|As above|As before|Those|Nothing|Another name|Other names)\b")
LONGEST_SENTENCE = 300


def problem(text):
    if not text:
        return "is empty"
    opening = REFERENCE.match(text)
    if opening:
        return f"begins with `{opening[0]}`, which does not say what it computes"
    if not text.endswith("."):
        return "does not end with a full stop"
    sentence = re.split(r"\.\s", text)[0]
    if len(sentence) > LONGEST_SENTENCE:
        return f"has a first sentence of {len(sentence)} characters; {LONGEST_SENTENCE} are allowed"
    return None


def main():
    operators = json.loads(pathlib.Path(sys.argv[1]).read_text())["operators"]
    count = 0
    for op in operators:
        found = problem(op.get("documentation", ""))
        if found:
            print(f"{op['variants'][0]['schema'].partition('(')[0]}: the documentation {found}")
            count += 1
    print(f"{len(operators)} operators, {count} problems")
    return bool(count)


if __name__ == "__main__":
    sys.exit(main())
