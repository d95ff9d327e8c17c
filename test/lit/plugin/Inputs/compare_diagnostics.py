"""Checks that the command line and the plugin report the same diagnostics and notes with the same ranges and edits for
the same sources.

usage: compare_diagnostics.py [--plugin-flag FLAG] STRUCTURED_GEN PLUGIN COMPILER SOURCE... -- FLAG...

COMPILER is a command in one argument. Every source must have diagnostics; their text is checked by its own test.
"""
import argparse
import difflib
import json
import pathlib
import re
import shlex
import subprocess
import sys

HEAD = re.compile(r"^(?P<place>\S+:\d+:\d+): (?P<severity>error|warning|note|fatal error): (?P<message>.*)$")
EDIT = re.compile(r'^fix-it:"(?P<file>.*)":\{(?P<range>\d+:\d+-\d+:\d+)\}:"(?P<text>.*)"$')
CLANGS_OWN_WARNING = re.compile(r"\[-W[\w-]+(,-W[\w-]+)*\]$")  # the command line leaves these to compilers


def run(command, ok=(0, 1)):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in ok:
        sys.exit(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done


def heads(output):
    found = [match for match in map(HEAD.match, output.splitlines()) if match]
    return [match[0] for match in found if not CLANGS_OWN_WARNING.search(match["message"])]


def edits_in_text(output):
    return [f"{match['file']}:{match['range']}: {json.loads(chr(34) + match['text'] + chr(34))}"
            for match in map(EDIT.match, output.splitlines()) if match]


def edits_in_sarif(output):
    results = json.loads(output)["runs"][0]["results"] if output else []
    for result in results:
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                for edit in change["replacements"]:
                    region = edit["deletedRegion"]
                    yield (f"{change['artifactLocation']['uri']}:{region['startLine']}:{region['startColumn']}-"
                           f"{region['endLine']}:{region['endColumn']}: {edit['insertedContent']['text']}")


def by_command_line(options, source):
    check = [options.structured_gen, "check", "--partial"]
    text = run([*check, source, "--", *options.flags])
    # SARIF has no errors of Clang's parser, which stop the scan; Clang prints their edits itself.
    sarif = run([*check, "--format=sarif", source, "--", *options.flags])
    return heads(text.stderr) + sorted([*edits_in_text(text.stderr), *edits_in_sarif(sarif.stdout)])


def by_plugin(options, source):
    done = run([*shlex.split(options.compiler), *options.flags, *options.plugin_flag, "-fsyntax-only",
                "-fplugin=" + options.plugin, source])
    return heads(done.stderr) + sorted(edits_in_text(done.stderr))


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        arguments, flags = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin-flag", action="append", default=[])
    for name in ("structured_gen", "plugin", "compiler"):
        parser.add_argument(name)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)
    options.flags = [*flags, "-fdiagnostics-parseable-fixits", "-ferror-limit=0"]
    compared = edits = 0
    has_differences = False
    for source in options.sources:
        expected, found = by_command_line(options, source), by_plugin(options, source)
        compared += len(expected)
        edits += sum(not HEAD.match(line) for line in expected)
        if expected != found:
            has_differences = True
            print("\n".join(difflib.unified_diff(expected, found, f"{source}, check", f"{source}, plugin",
                                                 lineterm="", n=0)))
    print(f"{len(options.sources)} sources, {compared - edits} diagnostics and notes, {edits} edits")
    return has_differences or compared == 0


if __name__ == "__main__":
    sys.exit(main())
