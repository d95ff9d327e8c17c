"""Checks that printers of C++ decide nothing by text, and that lowering spells no runtime.

usage: printers.py [ROOT]

Fails if a printer searches for a name or an operator in a string, or compares a string with one: lowering stores the
answer, as a step, a flag or a type. Fails if lowering has a name of a runtime in a literal: printers and the type
tables of tool/dialect spell those. First checks itself on lines with one fault of each kind, and on lines without.
"""
import os
import re
import sys

PRINTERS = ["tool/emit/" + name for name in ("cpp", "native", "python", "torch", "torch_stable")]
LOWERING = ["tool/lower"]
# No questions: suffixes of paths (".h"), the bracket of an include directive, the name of a schema's argument, and the
# scope of a qualified name, which is printed as a namespace.
QUESTION = re.compile(r'\b(?:starts_with|ends_with|contains|consume_front|consume_back|r?find|split)\("(?:::|&|\s|=|[A-Za-z_])'
                      r'|(?<!\.name )[=!]= "(?:::|[A-Za-z_])')
SPELLING = re.compile(r'"[^"]*(?:\bstructured::(?!gen)|\bat::|\bc10::|\btorch::|<structured/|<ATen/)')


def lines_of(root, folders):
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith((".h", ".cpp")):
                with open(os.path.join(root, folder, name), encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        if not line.startswith("#include"):
                            yield f"{folder}/{name}:{number}", line.split("//")[0]


def check_self():
    for line in ('if (type.contains("optional<")) {', 'if (result == "void") return;', 'text.find(" = ")',
                 'name.starts_with("::")', 'return !type.ends_with("&");', 'name.split("::").first', 'text != "Tensor"'):
        assert QUESTION.search(line), line
    for line in ('path.ends_with(".h")', 'directive.starts_with("<")', 'call("void f(")', 'map.find(name)',
                 'argument.name == "self"', 'name.rsplit("::").first', 'push_back(name + " != " + type)'):
        assert not QUESTION.search(line), line
    assert SPELLING.search('return "::structured::OutVariant<" + name;') and SPELLING.search('insert("<ATen/Tensor.h>")')
    assert not SPELLING.search('omitted{"const", "std", "structured", "at"}')


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    check_self()
    faults = [f"{place}: a printer asks a question of text: {line.strip()}"
              for place, line in lines_of(root, PRINTERS) if QUESTION.search(line)]
    faults += [f"{place}: lowering spells a runtime: {line.strip()}"
               for place, line in lines_of(root, LOWERING) if SPELLING.search(line)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
