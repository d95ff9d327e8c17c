"""Checks that no two files define a type of the same name in the same namespace.

    python3 one_definition.py ROOT

Two types of one name are one type to the linker, which keeps one version of each of their inline functions: a destructor of the one
then destroys the other. No compiler sees both, and whether a program fails depends on what is inlined. Types in unnamed
namespaces, in functions and in templates' specialisations are not looked at.
"""
import collections
import pathlib
import re
import sys

FOLDERS = ('kernels', 'lsp', 'operator_tests', 'options', 'plugin', 'python', 'replay', 'run', 'runtime', 'schema', 'tool')
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
SCOPE = re.compile(r'''\bnamespace(?P<namespace>(?:\s+\[\[[^]]*\]\])?(?:\s+[\w:]+)?)\s*\{
                       |\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^]]*\]\]\s*|alignas\([^)]*\)\s*)*
                        (?P<type>\w+)(?:\s+final)?\s*(?::(?!:)[^;{()]*)?\{
                       |[{}]''', re.VERBOSE)


def types_of(text):
    """The qualified names of the types that the text defines in named namespaces."""
    scopes = []  # the name of each namespace and type; None for another block
    for found in SCOPE.finditer(IGNORED.sub(' ', text)):
        if found.group() == '}':
            del scopes[-1:]
            continue
        name = None
        if found['type']:
            name = found['type']
            if None not in scopes:
                yield '::'.join([*scopes, name])
        elif found['namespace'] is not None:
            name = found['namespace'].split(']]')[-1].strip() or None
        scopes.append(name)


def main():
    root = pathlib.Path(sys.argv[1])
    places = collections.defaultdict(set)
    for path in sorted(path for folder in FOLDERS for path in root.joinpath(folder).rglob('*')):
        if path.suffix in ('.h', '.cpp', '.cu', '.cuh'):
            for name in types_of(path.read_text()):
                places[name].add(str(path.relative_to(root)))
    mistakes = [f'{min(files)}: error: `{name}` is defined in {" and in ".join(sorted(files)[1:])}, too'
                for name, files in places.items() if len(files) > 1]
    print('\n'.join(mistakes + [f'{len(places)} types, {len(mistakes)} mistakes']))
    planted = 'namespace a::b { namespace { struct Hidden {}; } class [[x]] C final : public D<1> { struct E { }; }; struct F::G {}; }'
    assert [*types_of(planted)] == ['a::b::C', 'a::b::C::E']
    return 1 if mistakes or not places else 0


if __name__ == '__main__':
    sys.exit(main())
