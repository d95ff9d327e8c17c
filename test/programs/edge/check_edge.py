"""check_edge.py SOURCE_DIR WORK_DIR STRUCTURED_GEN CXX: builds the programs of this folder, and checks what is in them.

Flags: -Os -DNDEBUG -ffunction-sections -fdata-sections -Wl,--gc-sections -Wl,-z,noseparate-code, exceptions on, stripped,
libstdc++ shared.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

# Most bytes of stripped programs.
MOST_BYTES = {
    'edge_direct': 107000,
    'edge_by_name': 166000,
    'static_direct': 102000,
    'static_by_name': 161000,
    'selected_direct': 89000,
    'selected_by_name': 102000,
}
OUTPUTS = {
    'direct': '4 7\n',
    'by_name': '4\n-2\n6\n',
    'selected_by_name': '4\nmissing\n'
                        'add: expected a dtype that this build selects, one of Long, Float, Bool; got Double\n',
}
# Parsers of schemas and defaults.
PARSERS = ('structured::read_schema', 'structured::detail::default_value', 'structured::schema::view_schema',
           'structured::schema::parse_default')
# Sources of these parsers. The linker must take none of them from an archive, not even to drop its sections afterwards.
PARSER_SOURCES = {'schema.cpp', 'default_value.cpp', 'signature.cpp', 'parse.cpp', 'parser.cpp'}
# The public function, and the function with the switch.
ADD = 'edge::add(structured::Tensor const&, structured::Tensor const&)'
DISPATCH = ADD.replace('edge::add', 'edge::emitted::dispatch_add')


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def symbols(program):
    return run('nm', '-C', program)


def archive_members(link_map):
    """Sources of the members that the linker took from archives, by the first part of its map, and the archive of each."""
    title = 'Archive member included to satisfy reference by file (symbol)'
    listed = link_map.read_text().partition(title)[2].partition('\nDiscarded input sections')[0]
    members = re.findall(r'^(\S+\.a)\((\S+)\.o\)', listed, re.M)
    return {source: pathlib.Path(archive).name for archive, source in members}


def program_in(work, name):
    return work / ('selected' if name.startswith('selected') else '') / name


def targets(program, function):
    """Operands of the calls and jumps in a function: `*` begins those of indirect ones."""
    code = run('objdump', '-d', '-C', '--no-show-raw-insn', program).partition(f'<{function}>:\n')[2].partition('\n\n')[0]
    return [line.split(None, 2)[2] for line in code.splitlines() if line.split(None, 2)[1:2] in (['call'], ['jmp'])]


def milliseconds(program):
    """Processor time of one run, from start to end."""
    runs = 200

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    start = used()
    for _ in range(runs):
        os.waitpid(os.posix_spawn(program, [str(program)], os.environ,
                                  file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)]), 0)
    return (used() - start) / runs * 1000


def main(source, work, gen, cxx):
    here, work = pathlib.Path(__file__).parent, pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    (work / 'operators.txt').write_text('edge::add\n')
    run(gen, 'select', '--operators', work / 'operators.txt', '--select-dtypes', 'Float,Long,Bool', '-o',
        work / 'selection.json')
    for folder, selection in (work, ''), (work / 'selected', work / 'selection.json'):
        run('cmake', '-G', 'Ninja', '-S', here, '-B', folder, '-DCMAKE_BUILD_TYPE=MinSizeRel',
            f'-DCMAKE_CXX_COMPILER={cxx}', f'-DSTRUCTURED_SOURCE={source}', f'-DSTRUCTURED_GEN_EXECUTABLE={gen}',
            f'-DSTRUCTURED_EDGE_SELECTION={selection}')
        run('cmake', '--build', folder, '-j2')
    faults = []
    for name, most in MOST_BYTES.items():
        program = program_in(work, name)
        run('strip', '-o', work / (name + '.stripped'), program)
        size = (work / (name + '.stripped')).stat().st_size
        print(f'{name}: {size} bytes')
        if size > most:
            faults.append(f'{name}: {size} bytes, expected at most {most}')
        output = run(program)
        expected = OUTPUTS.get(name, OUTPUTS[name.split('_', 1)[1]])
        if output != expected:
            faults.append(f'{name}: printed {output!r}, expected {expected!r}')
        names = symbols(program)
        faults += [f'{name}: has {parser}' for parser in PARSERS if parser in names]
        members = archive_members(program.with_name(name + '.map'))
        # The map is read as expected if it names a source that all of these programs need.
        if members.get('tensor_impl.cpp') != 'libstructured_edge_runtime.a':
            faults.append(f'{name}.map: expected tensor_impl.cpp of the edge runtime, found {sorted(members)}')
        faults += [f'{name}.map: the linker reads {source}' for source in sorted(PARSER_SOURCES & members.keys())]
        if 'selected' in name or 'direct' in name:
            faults += [f'{name}: has {line}' for line in names.splitlines() if 'negate' in line]
        # One entry: the compiler's own start files.
        sections = [line.split() for line in run('readelf', '-SW', program).splitlines() if ' .init_array ' in line]
        size_of_array = int(sections[0][sections[0].index('INIT_ARRAY') + 3], 16) if sections else 0
        if size_of_array > 8:
            faults.append(f'{name}: code of {size_of_array // 8 - 1} initialisers runs at start')
    # Tables need an indirect call; the switch of the flavour `static` needs none.
    for flavour, is_indirect in ('edge', True), ('static', False), ('selected', False):
        program = program_in(work, f'{flavour}_direct')
        found = targets(program, ADD) + targets(program, DISPATCH)
        if not found or any(target.startswith('*') for target in found) != is_indirect:
            faults.append(f'{flavour}_direct: {ADD} calls {found}, expected {"an" if is_indirect else "no"} indirect call')
        if not is_indirect and not any('wrapper_cpu_add' in target for target in found):
            faults.append(f'{flavour}_direct: {ADD} calls {found}, expected the wrapper of the CPU kernel')
    # A library without selected operators has both.
    if 'boxed_negate' not in symbols(work / 'static_by_name'):
        faults.append('static_by_name: expected boxed_negate')
    # CMake finds the shared libgomp only.
    run(cxx, '-static', '-fopenmp', '-Wl,--gc-sections', '-o', work / 'static_alone',
        work / 'CMakeFiles/static_direct.dir/direct.cpp.o', work / 'libstatic_ops.a',
        work / 'structured/runtime/libstructured_edge_runtime.a')
    alone, nothing = milliseconds(work / 'static_alone'), milliseconds('/bin/true')
    print(f'static_alone: {alone:.2f} ms of processor time; /bin/true: {nothing:.2f} ms')
    if alone > nothing + 0.1:
        faults.append('static_alone: expected at most 0.1 ms more than /bin/true')
    print('\n'.join(faults))
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
