"""run_selections.py SOURCE_DIR WORK STRUCTURED_GEN STRUCTURED_RUN CXX MODELS [--names a,b]: runs each model in a program
with the operators of that model only.

For each model in MODELS (run_models.py exports them), selects its operators, builds the program of the folder selections, and
runs the model there. The program must have the functions of all operators that a run with our whole library calls, those
inside of composites included, and calls by name of the selected operators only; the record of that run must name these. The
next model of the list must be refused by the names of exactly those operators that its own selection has in addition.

Kernels are compiled once, with the operators and dtypes of all models. The table of operators, the only emitted source that
refers to calls by name, is emitted from the selection of each model, and the linker drops what the table does not lead to.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

from run_edge_model import launcher, run
from run_models import tolerance_of

HERE = pathlib.Path(__file__).parent
# Needs the library of quantized operators, which small programs lack.
REFUSED = 'quantized'
# Selected with operators that return lists of views; without them, loading keeps the lists.
OPTIONAL = {'aten::select.int', 'aten::slice.Tensor'}


def models(folder, names):
    """Programs with their expected values, in the order of models.txt."""
    lines = (HERE / 'models.txt').read_text().splitlines()
    for name in names or [line for line in lines if line and line[0] != '#']:
        expected = folder / (name + '.expected.safetensors')
        for suffix in ['.pt2', '.core.pt2']:
            if expected.exists() and (folder / (name + suffix)).exists():
                yield folder / (name + suffix), expected
    for values in sorted((folder / 'modules').glob('*.values.pt')):
        name = values.name.removesuffix('.values.pt')
        for suffix in ['.ptl', '.fb.ptl']:
            if name != REFUSED and (not names or name in names):
                yield values.with_name(name + suffix), values


def select(arguments, programs, selection, dtypes=()):
    """Writes the selection, if its text changes. Returns the selected operators and dtypes."""
    options = ['--select-dtypes', ','.join(sorted(dtypes))] if dtypes else []
    made = arguments.work / 'made.json'
    run(arguments.structured_gen, 'select', *programs, *options, '-o', made)
    write(selection, made.read_text())
    selected = json.loads(made.read_text())
    return set(selected['operators']), set(selected['dtypes'])


def write(path, text):
    """Writes a file, unless it has this text: then nothing is built again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def target_of(program):
    return 'run_' + re.sub(r'\W', '_', program.name)


def build(arguments, selection, *targets):
    folder = arguments.work / 'build'
    run('cmake', '-G', 'Ninja', '-S', HERE / 'selections', '-B', folder, '-DCMAKE_BUILD_TYPE=MinSizeRel',
        f'-DCMAKE_CXX_COMPILER={arguments.cxx}', f'-DSTRUCTURED_SOURCE={arguments.source}',
        f'-DSTRUCTURED_GEN_EXECUTABLE={arguments.structured_gen}', '-DSTRUCTURED_BUILD_TOOL=OFF',
        f'-DSELECTION={selection}', f'-DTABLES={arguments.work / "tables"}', '-DCMAKE_CXX_COMPILER_LAUNCHER=' + launcher())
    run('cmake', '--build', folder, '-j2', '--target', *targets)
    return folder


def emit_table(arguments, emission, selection, table):
    """Emits the table of the selected operators. `emission` are the arguments that emit the library of all models."""
    emitted = arguments.work / 'emitted'
    emission = [json.loads(line) for line in emission.read_text().splitlines()]
    emission[emission.index('--output-dir') + 1] = emitted
    emission = [argument for argument in emission if not str(argument).startswith('--select=')]
    run(arguments.structured_gen, 'emit', *emission, f'--select={selection}')
    write(table, (emitted / 'operators.cpp').read_text())


def recorded(arguments, program, expected):
    """Operators and dtypes that loading and running a program with our whole library needs."""
    record = arguments.work / 'record.json'
    run(arguments.structured_run, program, '--expect', expected, '--tolerance', tolerance_of(program.name), '--record', record)
    operators = json.loads(record.read_text())['operators']
    return set(operators), {dtype for dtypes in operators.values() for dtype in dtypes}


def unlinked(names, symbols):
    """Operators whose functions the executable lacks."""
    dispatched = set(re.findall(r' structured::emitted::dispatch_(\w+)\(', symbols))
    functions = set(re.findall(r' structured::(\w+)\(', symbols))  # composites select no backend
    absent = []
    for name in sorted(names):
        base, _, overload = name.removeprefix('aten::').partition('.')
        if name.removeprefix('aten::').replace('.', '_') not in dispatched and \
                base + ('_out' if 'out' in overload else '') not in functions:
            absent.append(name)
    return absent


def main():
    parser = argparse.ArgumentParser()
    for name in ['source', 'work', 'structured_gen', 'structured_run', 'cxx', 'models']:
        parser.add_argument(name, type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument('--names', type=lambda text: text.split(','))
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    programs = list(models(arguments.models, arguments.names))
    if not programs:
        print(f'skipped: no models in {arguments.models}; the test programs:models exports them')
        return 77
    tables = arguments.work / 'tables'
    tables.mkdir(exist_ok=True)
    everything = arguments.work / 'selection.json'
    _, dtypes = select(arguments, [program for program, _ in programs], everything)
    print(f'dtypes: {sorted(dtypes)}', flush=True)
    emission = build(arguments, everything, 'run_all') / 'structured/kernels/structured_edge_kernels.gen.MinSizeRel.arguments'
    operators = []
    for program, _ in programs:
        selection = arguments.work / (target_of(program) + '.json')
        operators.append(select(arguments, [program], selection, dtypes)[0])
        emit_table(arguments, emission, selection, tables / (target_of(program) + '.cpp'))
    folder = build(arguments, everything, *[target_of(program) for program, _ in programs])
    failed = []
    for i, (program, expected) in enumerate(programs):
        executable = folder / target_of(program)
        done = subprocess.run([executable, program, expected, tolerance_of(program.name)], capture_output=True, text=True)
        if done.returncode:
            failed.append(program.name)
            print(f'{program.name}: {done.stdout}{done.stderr}'.rstrip(), flush=True)
        symbols = run('nm', '-C', executable)
        needed, visited = recorded(arguments, program, expected)
        if visited - dtypes:
            failed.append(program.name)
            print(f'{program.name}: kernels compute in {sorted(visited - dtypes)}, which the selection lacks', flush=True)
        absent = unlinked(needed, symbols)
        if absent:
            failed.append(program.name)
            print(f'{program.name}: a run calls {absent}, which the linker has not taken', flush=True)
        if operators[i] - OPTIONAL - needed:
            failed.append(program.name)
            print(f'{program.name}: a selection from the record would lack {sorted(operators[i] - OPTIONAL - needed)}',
                  flush=True)
        boxed = set(re.findall(r' structured::emitted::boxed_(\w+)\(', symbols))
        selected = {name.removeprefix('aten::').replace('.', '_') for name in operators[i] if name.startswith('aten::')}
        if boxed != selected:
            failed.append(program.name)
            print(f'{program.name}: expected calls by name of the selected operators, found {sorted(boxed ^ selected)} in '
                  'one of both', flush=True)
        neighbour = (i + 1) % len(programs)
        missing = operators[neighbour] - operators[i]
        refusal = subprocess.run([executable, *programs[neighbour]], capture_output=True, text=True)
        found = set(re.findall(r'`(\w+::[\w.]+)`', refusal.stderr.partition('missing are ')[2]))
        if missing - OPTIONAL and (refusal.returncode == 0 or not missing - OPTIONAL <= found <= missing):
            failed.append(f'{programs[neighbour][0].name} in the build for {program.name}')
            print(f'{failed[-1]}: expected {sorted(missing)}, found {sorted(found)}: {refusal.stderr}', flush=True)
        print(f'{program.name}: {len(operators[i])} operators, {executable.stat().st_size} bytes; '
              f'{programs[neighbour][0].name} lacks {len(missing)}', flush=True)
    print(f'{len(programs)} builds; failed: {failed or "none"}')
    return 1 if failed else 0


sys.exit(main())
