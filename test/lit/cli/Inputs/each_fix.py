"""each_fix.py STRUCTURED_GEN CLANG TEST... -- FLAGS...: applies each fix of each diagnostic in the tests, on its own.

The diagnostic has to be gone then, no other may have come, and what compiled before still has to compile.
Prints the kinds of diagnostics that were mended, sorted, and exits with 1 if anything was wrong.
"""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


class Tools:
    def __init__(self, structured_gen, clang, flags, folder):
        self.structured_gen, self.clang, self.flags, self.folder = structured_gen, clang.split(), flags, folder
        self.dialect = 'native'

    def results(self, source):
        """The results of `check`, or nothing if the source does not compile."""
        log = self.folder / 'log.sarif'
        log.unlink(missing_ok=True)
        command = [self.structured_gen, 'check', f'--source-root={self.folder}', f'--dialect={self.dialect}',
                   '--format=sarif', '-o', log, source]
        subprocess.run([*command, '--', *self.flags], stderr=subprocess.DEVNULL)
        return json.loads(log.read_text())['runs'][0]['results'] if log.exists() else None

    def compiles(self, source):
        return subprocess.run([*self.clang, '-fsyntax-only', *self.flags, source],
                              stderr=subprocess.DEVNULL).returncode == 0


def offset(text, line, column):
    """SARIF counts from 1, columns in code points; so do Python's strings."""
    start = 0
    for _ in range(line - 1):
        start = text.index('\n', start) + 1
    return start + column - 1


def mended(text, fix):
    change, = fix['artifactChanges']
    edits = []
    for replacement in change['replacements']:
        region = replacement['deletedRegion']
        edits.append((offset(text, region['startLine'], region['startColumn']),
                      offset(text, region['endLine'], region['endColumn']), replacement['insertedContent']['text']))
    for begin, end, inserted in sorted(edits, reverse=True):
        text = text[:begin] + inserted + text[end:]
    return text


def count(results):
    return collections.Counter((result['ruleId'], result['message']['text']) for result in results)


def check_fixes(tools, test):
    """Kinds mended in one test, and complaints."""
    text = test.read_text()
    if 'split-file' in text:
        return set(), []  # several sources; theirs are tested with the commands in the test
    dialect = re.search(r'--dialect=(\w+)', text)
    tools.dialect = dialect[1] if dialect else 'native'
    source = tools.folder / test.name
    source.write_text(text)
    results = tools.results(source) or []
    fixes = [(result, fix) for result in results for fix in result.get('fixes', [])]
    compiled = bool(fixes) and tools.compiles(source)
    kinds, complaints = set(), []
    for result, fix in fixes:
        source.write_text(mended(text, fix))
        kind, message = result['ruleId'], result['message']['text']
        place = f'{test.name}:{result["locations"][0]["physicalLocation"]["region"]["startLine"]}: {message}'
        after = tools.results(source)
        if after is None:
            complaints.append(f'{place}: the mended source cannot be read')
            continue
        added = count(after) - count(results)
        if count(after)[kind, message] >= count(results)[kind, message]:
            complaints.append(f'{place}: is still there')
        if added:
            complaints.append(f'{place}: the fix has made {sorted(added)}')
        if compiled and not tools.compiles(source):
            complaints.append(f'{place}: the mended source does not compile')
        kinds.add(kind)
    return kinds, complaints


def main(structured_gen, clang, *arguments):
    end = arguments.index('--')
    tests, flags = arguments[:end], arguments[end + 1:]
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        tools = Tools(structured_gen, clang, flags, folder)
        found = [check_fixes(tools, pathlib.Path(test)) for test in tests]
    finally:
        shutil.rmtree(folder)
    print('\n'.join(sorted(set().union(*(kinds for kinds, _ in found)))))
    complaints = [complaint for _, some in found for complaint in some]
    print('\n'.join(complaints), file=sys.stderr)
    return bool(complaints)


sys.exit(main(*sys.argv[1:]))
