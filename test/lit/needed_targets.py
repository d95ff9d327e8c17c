"""needed_targets.py REGEX: prints the targets of the programs and libraries that the text tests matching REGEX run.

REGEX is searched in paths relative to this folder. Exits with 2 if no test matches.
"""
import pathlib
import re
import sys

# A target, and the substitutions of lit.cfg.py that need it.
TARGETS = {
    'structured-gen': '',
    'structured-lsp': '%structured_lsp|%(cmake|kernels|runtime_lib|build_dir)',
    'StructuredPlugin': '%plugin|%(cmake|kernels|runtime_lib|build_dir)',
    'structured_runtime': '%(cmake|kernels|runtime_lib|build_dir)',
    'structured_kernels': '%(cmake|kernels|runtime_lib|build_dir)',
}


def main(regex):
    folder = pathlib.Path(__file__).parent
    texts = [path.read_text() for path in folder.rglob('*')
             if path.suffix in ('.cpp', '.test', '.json', '.cu', '.h') and 'Inputs' not in path.parts
             and re.search(regex, str(path.relative_to(folder)))]
    if not texts:
        print(f'dev: error: `test`: no test in test/lit matches `{regex}`', file=sys.stderr)
        return 2
    print(*(target for target, pattern in TARGETS.items() if re.search(pattern, '\n'.join(texts))))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
