"""vectorized_gradients.py COMPILE_COMMANDS EMITTED [-jN]: loops of scalar functions that are vectorised forward are so backward.

Compiles the sources in EMITTED/pointwise that contain gradients again, and reads the compiler's report. For each operator
whose loop over `float` with AVX2 is vectorised, that of each of its gradients must be, too, except those in
not_vectorized.txt beside this file, a line each: `atan2 self | reason`. Gradients of that list that are vectorised are errors.
"""
import argparse
import concurrent.futures
import gzip
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

KNOWN = pathlib.Path(__file__).with_name('not_vectorized.txt')
# The loop of one function over `float` with AVX2 in runtime/structured/iterator/pointwise.h.
LOOP = re.compile(r'PointwiseFunction<.*>::avx2\(')
FORWARD = re.compile(r'::cpu_of_(\w+)\(.*\{lambda\(float(?:, float)*\)')
BACKWARD = re.compile(r'Elementwise<float,.*::gradient_of_(\w+)_for_(\w+)\(')


def recompiled(command, folder):
    """Compiles a source again; returns the compiler's records."""
    words = shlex.split(command['command'])
    if 'ccache' in words[0]:
        words = words[1:]
    words[words.index('-o') + 1] = str(folder / 'object.o')
    subprocess.run([*words, '-fsave-optimization-record'], check=True, cwd=command['directory'])
    found = list(folder.glob('*opt-record.json.gz'))
    assert len(found) == 1, f'expected one report for {command["file"]}, found {found}'
    with gzip.open(found[0]) as file:
        return json.load(file)[2]


def names_in(records, vectorized):
    """Functions with a record, and adds those with a vectorised loop to `vectorized`."""
    names = set()
    pending = list(records)
    while pending:
        record = pending.pop()
        pending += record.get('children', [])
        name = record.get('function')
        if name is None:
            continue
        names.add(name)
        if any(isinstance(part, str) and 'loop vectorized' in part for part in record.get('message', [])):
            vectorized.add(name)
    return names


def demangled(names):
    names = list(names)
    output = subprocess.run(['c++filt'], input='\n'.join(names), check=True, capture_output=True, text=True).stdout
    return dict(zip(names, output.splitlines(), strict=True))


def loops_of(command):
    """{operator: is vectorised} and {(operator, input): is vectorised} of a source."""
    vectorized = set()
    with tempfile.TemporaryDirectory() as folder:
        names = names_in(recompiled(command, pathlib.Path(folder)), vectorized)
    forward, backward = {}, {}
    for name, text in demangled(names).items():
        if not LOOP.search(text):
            continue
        if found := BACKWARD.search(text):
            backward[found[1], found[2]] = backward.get((found[1], found[2]), False) or name in vectorized
        elif found := FORWARD.search(text):
            forward[found[1]] = forward.get(found[1], False) or name in vectorized
    return forward, backward


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('compile_commands', type=pathlib.Path)
    parser.add_argument('emitted', type=pathlib.Path)
    parser.add_argument('-j', dest='jobs', type=int, default=2)
    options = parser.parse_args()
    commands = [command for command in json.loads(options.compile_commands.read_text())
                if pathlib.Path(command['file']).parent == options.emitted / 'pointwise'
                and 'gradient_of_' in pathlib.Path(command['file']).read_text()]
    forward, backward = {}, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for some_forward, some_backward in pool.map(loops_of, commands):
            forward |= some_forward
            backward |= some_backward
    lines = [line for line in KNOWN.read_text().splitlines() if line and not line.startswith('#')]
    known = {line.split(' | ')[0] for line in lines}
    slow = {f'{op} {name}' for (op, name), is_vectorized in backward.items() if forward.get(op) and not is_vectorized}
    print(f'{sum(forward.values())} of {len(forward)} loops forward are vectorised, {sum(backward.values())} of '
          f'{len(backward)} backward')
    faults = [f'not vectorised: {name}' for name in sorted(slow - known)]
    faults += [f'in {KNOWN.name}, but vectorised or gone: {name}' for name in sorted(known - slow)]
    if sum(forward.values()) < 30 or sum(backward.values()) < 40:
        faults.append('expected at least 30 vectorised loops forward and 40 backward: the report is read wrongly')
    print('\n'.join(faults))
    sys.exit(bool(faults))


main()
