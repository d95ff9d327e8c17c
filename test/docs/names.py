"""Compares the names in the documentation with the sources: functions of CMake and their arguments, variables, commands and
options of our programs, tiers of tests, and kinds of diagnostics. Every option of the project and every argument of a function of CMake must be in the documentation.

    names.py SOURCE_DIR
"""
import json
import pathlib
import re
import subprocess
import sys

CALL = re.compile(r"\b(structured_(?:add|install)_\w+)\s*\(")
# A function of CMake with the keywords that its first statement may parse, on as many lines as they take.
DEFINITION = re.compile(r"^function\((structured_(?:add|install)_\w+).*\n(?: *cmake_parse_arguments\(([^)]*)\))?", re.MULTILINE)
FUNCTION = re.compile(r"\bstructured_(?:add|install)_\w+")
VARIABLE = re.compile(r"\bSTRUCTURED_[A-Z][A-Z0-9_]*\b(?!\()")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
OPTION_OF_CMAKE = re.compile(r"^option\((STRUCTURED_\w+)", re.MULTILINE)
DIFF = re.compile(r"^```diff\n.*?^```$", re.MULTILINE | re.DOTALL)  # may add commands and options
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# Sources in which a program's options are spelled, and the pattern of an option there.
PROGRAMS = {
    "structured-gen": ("tool/driver/**/*.cpp", r'\boptions\.(?:flag|value|values|comma_values)\(\s*"([\w-]+)"'),
    "structured-run": ("run/main.cpp", r'"--([\w-]+)=?"'),
    "structured-replay": ("replay/main.cpp", r'"--([\w-]+)=?"'),
    "structured-lsp": ("lsp/language_server.cpp", r'"--([\w-]+)=?"'),
    "./dev": ("dev", r"--([a-z][\w-]*)"),
}
# Patterns of commands in the same sources.
COMMANDS = {"structured-gen": r'^ +\{"([\w-]+)", "[A-Z]', "./dev": r"^command_(\w+)\(\)"}
EVERYWHERE = {"help", "version"}
TIER = re.compile(r"--only=([\w-]+)")
KIND = re.compile(r"\[(structured-[a-z-]+)\]")


def cmake_functions(root):
    """Keywords of each public function."""
    functions = {}
    for path in root.glob("cmake/*.cmake"):
        for name, keywords in DEFINITION.findall(path.read_text()):
            functions[name] = [word for group in re.findall(r'"([A-Z0-9_;]*)"', keywords) for word in group.split(";") if word]
    return functions


def calls(text):
    """Yields the function and the arguments of each call."""
    for match in CALL.finditer(text):
        end, depth = match.end(), 1
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield match[1], re.sub(r'"[^"]*"|\$[{<][^}>]*[}>]', "", text[match.end():end - 1])


def call_faults(name, arguments, functions):
    if name not in functions:
        return
    keyword = None
    for word in re.findall(r"[\w./:-]+", arguments):
        if word in functions[name]:
            keyword = word
        elif re.fullmatch(r"[A-Z][A-Z0-9_]+", word) and keyword not in ("BACKENDS", "DEPENDENCIES") and word != "NAME":
            yield f"passes {word} to {name}, which has no such argument"


def commands(text):
    """Yields the program, its first word and its options for each command of ours, up to the flags of a compiler."""
    names = "|".join(re.escape(name) for name in PROGRAMS)
    for line in text.replace("\\\n", " ").splitlines():
        for part in re.split(r"\||&&|;|\$\(", line):
            if re.search(r"\b(pip|uvx)\b", part):  # names of distributions
                continue
            if match := re.search(rf"(?<![\w/.-])(?:\S*/)?({names})(?=\s)(.*)", part):
                words = re.split(r"\s--\s", match[2])[0]
                first = re.match(r"\s+([a-z][a-z-]*)(?=\s|$)", words)
                yield match[1], first and first[1], OPTION.findall(words)


def page_faults(text, known):
    functions, options = known["functions"], known["options"]
    for name in set(FUNCTION.findall(text)) - set(functions):
        yield f"names {name}, which cmake/ does not define"
    for name, arguments in calls(text):
        yield from call_faults(name, arguments, functions)
    for name in set(VARIABLE.findall(text)) - known["variables"]:
        yield f"names {name}, which no source uses"
    for name in set(TIER.findall(text)) - known["tiers"]:
        yield f"names the tests {name}, which do not exist"
    for name in set(KIND.findall(text)) - known["kinds"]:
        yield f"names the diagnostic {name}, which does not exist"
    for code in CODE.findall(DIFF.sub("", text)):
        for program, command, found in commands(code.strip("`")):
            if command and command not in known["commands"].get(program, {command}):
                yield f"runs {program} {command}, which is not a command"
            for option in found:
                if option not in options[program] | EVERYWHERE:
                    yield f"passes --{option} to {program}, which has no such option"


def tracked(root):
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.split()]
    return [path for folder in ("cmake", "runtime", "tool", "test", "python", "run", "replay", "lsp", "plugin", "kernels",
                                "examples", "bench") for path in (root / folder).rglob("*")] + [root / "CMakeLists.txt"]


def read_known(root):
    """Returns the names that the sources define."""
    sources = {name: "".join(path.read_text() for path in sorted(root.glob(pattern)))
               for name, (pattern, _) in PROGRAMS.items()}
    presets = json.loads((root / "CMakePresets.json").read_text())
    known = {
        "functions": cmake_functions(root),
        "options": {name: set(re.findall(pattern, sources[name])) for name, (_, pattern) in PROGRAMS.items()},
        "commands": {name: {found.replace("_", "-") for found in re.findall(pattern, sources[name], re.MULTILINE)}
                     for name, pattern in COMMANDS.items()},
        "tiers": {preset["name"] for preset in presets["testPresets"]},
        "kinds": set(re.findall(r'"(structured-[a-z-]+)"', (root / "tool/check/diagnostic_kinds.def").read_text())),
        "variables": set(),
    }
    for path in tracked(root):
        if path.suffix == ".md" or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        known["variables"].update(VARIABLE.findall(text))
        if path.name == "CMakeLists.txt":
            known["tiers"].update(re.findall(r"structured_unit_test\((\w+)", text))
    return known


def main(source_dir):
    root = pathlib.Path(source_dir)
    known = read_known(root)
    functions, options = known["functions"], known["options"]
    pages = [page for page in [*root.glob("*.md"), *root.glob("docs/*.md")] if page.name != "CHANGELOG.md"]
    faults = []
    for page in pages:
        text = page.read_text()
        if page.name == "extending.md":  # which defines kinds of its own
            text = KIND.sub("", text)
        faults += [f"{page.relative_to(root)}: {fault}" for fault in page_faults(text, known)]
    for path in root.glob("cmake/*.cmake"):
        comments = "\n".join(re.findall(r"^#(.*)$", path.read_text(), re.MULTILINE))
        for name, arguments in calls(comments):
            faults += [f"{path.relative_to(root)}: {fault}" for fault in call_faults(name, arguments, functions)]
    everything = "\n".join(page.read_text() for page in pages)
    for name in OPTION_OF_CMAKE.findall((root / "CMakeLists.txt").read_text()):
        if f"`{name}" not in everything:
            faults.append(f"docs: do not describe the option {name}")
    for name, keywords in sorted(functions.items()):
        for keyword in keywords:
            if not re.search(rf"\b{keyword}\b", everything):
                faults.append(f"docs: do not describe {keyword} of {name}")
    for kind, tables in (("options", options), ("commands", known["commands"]), ("arguments", functions)):
        faults += [f"names.py: found no {kind} of {name}" for name, found in tables.items()
                   if not found and name not in NO_ARGUMENTS]
    if faults or len(pages) < 20:
        sys.exit("\n".join(sorted(set(faults))) or f"expected more than {len(pages)} pages")
    print(f"{len(pages)} pages, {len(functions)} functions, {len(known['variables'])} variables")


NO_ARGUMENTS = {"structured_add_linked_dependencies"}
if __name__ == "__main__":
    main(*sys.argv[1:])
