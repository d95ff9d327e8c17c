"""run_flavours.py SOURCE_DIR KERNELS_DIR WORK STRUCTURED_GEN CXX: makes each recorded call of test/conformance/sample.jsonl by
name and by the public function of its operator, in a library of each flavour, and compares them bit for bit.

KERNELS_DIR is the folder of our kernels in the build. The flavours differ in emitted sources only: those of the flavours
edge and static are compiled here, and linked with the objects of the kernels that are there.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DECLARATION = re.compile(r'/// `(?P<schema>[^`]*)`\n(?:///[^\n]*\n)*STRUCTURED_OPS_API (?P<text>[^;]*);')


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def split(text):
    """Parts of a list of parameters or types, without their default values and names."""
    parts, depth = [''], 0
    for c in text:
        depth += (c in '<({[') - (c in '>)}]')
        if c == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    parts = [part.split(' = ')[0].strip() for part in parts if part.strip()]
    return [re.sub(r'\s+\w+$', '', part) for part in parts]


def write_unboxed(ops, sample, path):
    """Writes the table of the functions that the recorded calls name."""
    wanted = set()
    for line in sample.read_text().splitlines():
        case = json.loads(line)
        wanted.add(case['op'] + ('.' + case['overload'] if case['overload'] else ''))
    headers, entries = [], []
    for header in sorted(ops.glob('*.h')):
        # Functions of single backends follow in namespaces of their own.
        text = header.read_text().split('\nnamespace structured::cpu {')[0]
        found = False
        for match in DECLARATION.finditer(text):
            schema = re.sub(r'\n/// ', ' ', match['schema'])
            name = 'aten::' + schema.split('(')[0]
            if name not in wanted:
                continue
            result, function, parameters = re.fullmatch(r'(.*?)\s*\b(\w+)\((.*)\)', match['text'], re.S).groups()
            types = ', '.join(split(re.sub(r'\s+', ' ', parameters)))
            outputs = len(re.findall(r'Tensor\(\w+!\)', schema.split(', *, ')[1].split(') -> ')[0])) if \
                function.endswith('_out') and ', *, ' in schema else 0
            entries.append((name, f'    {{"{name}", R"({schema})",\n     &call_function<static_cast<{result} (*)({types})>('
                                  f'&::structured::{function}), {outputs}>}},\n'))
            found = True
        if found:
            headers.append(f'#include <structured/ops/{header.name}>\n')
    path.write_text('// Written by run_flavours.py.\n' + ''.join(headers) + '''#include <algorithm>
#include <cstdint>
#include <iterator>

#include "unboxed.h"

namespace structured::test {
namespace {

const Unboxed table[] = {
''' + ''.join(text for name, text in sorted(entries)) + '''};

}  // namespace

const Unboxed* find_unboxed(std::string_view name) {
  const Unboxed* const found = std::lower_bound(std::begin(table), std::end(table), name,
                                                [](const Unboxed& entry, std::string_view key) { return entry.name < key; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

}  // namespace structured::test
''')


def emit(flavour, kernels, generated, gen):
    """Emits the library's sources for a flavour, with the other arguments that the build has."""
    arguments = (kernels / 'structured_kernels.gen.Release.arguments').read_text()
    arguments = arguments.replace(f'"{kernels}/structured_kernels.gen"', f'"{generated}"')
    response = generated.with_suffix('.arguments')
    response.write_text(f'"--flavour={flavour}"\n"--backends=CPU"\n' + arguments)
    run(gen, 'emit', '@' + str(response))


def main(source, kernels, work, gen, cxx):
    source, kernels, work = pathlib.Path(source), pathlib.Path(kernels), pathlib.Path(work)
    sample = source / 'test/conformance/sample.jsonl'
    failed = []
    for flavour in ['dynamic', 'edge', 'static']:
        folder = work / flavour
        folder.mkdir(parents=True, exist_ok=True)
        generated = folder / 'gen' if flavour != 'dynamic' else kernels / 'structured_kernels.gen'
        if flavour != 'dynamic':
            emit(flavour, kernels, generated, gen)
        write_unboxed(generated / 'include/structured/ops', sample, folder / 'unboxed.cpp')
        # The folders composite, cpu and meta have an object for each source or, in build/test, one for all.
        compiled = kernels / 'CMakeFiles/structured_kernels.dir'
        objects = sorted([*compiled.glob('[mc]*/*.o'), *compiled.glob('structured_kernels.groups/[mc]*.o')])
        (folder / 'objects.txt').write_text('\n'.join(map(str, objects)))
        run('cmake', '-G', 'Ninja', '-S', HERE, '-B', folder / 'build', '-DCMAKE_BUILD_TYPE=', f'-DCMAKE_CXX_COMPILER={cxx}',
            f'-DSTRUCTURED_SOURCE={source}', f'-DFLAVOUR={flavour}', f'-DGENERATED={generated}',
            '-DCMAKE_CXX_COMPILER_LAUNCHER=' + (shutil.which('ccache') or ''),
            f'-DUNBOXED={folder}/unboxed.cpp', f'-DOBJECTS={folder}/objects.txt', f'-DLIBRARIES={kernels.parent}/lib')
        run('cmake', '--build', folder / 'build', '--target', 'compare_calls', '-j2')
        done = subprocess.run([folder / 'build/compare_calls', sample], capture_output=True, text=True)
        print(f'{flavour}: {done.stdout}{done.stderr}', end='', flush=True)
        if done.returncode:
            failed.append(flavour)
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
