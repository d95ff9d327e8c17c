"""newest_calls.py STRUCTURED_REPLAY STRUCTURED_GEN OPERATORS_JSON CASES KNOWN KNOWN_16BIT: replays calls recorded from the
newest PyTorch (see docs/conformance.md), except for the differences listed in KNOWN and, for 16-bit dtypes, in KNOWN_16BIT.

CASES, or the file named by the environment variable STRUCTURED_NEWEST_CALLS, has the format of test/conformance/README.md. The
file beside it whose name ends in `_16bit` has the calls of 16-bit dtypes. Files that do not exist are recorded, and verified,
with the Python named by STRUCTURED_NEWEST_PYTHON, which must be able to import torch. Without a file and an interpreter, exits
with 77, which ctest counts as skipped. Arguments that have a default value in PyTorch only are filled in, and calls that our
schemas cannot express are omitted.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ITEM_SIZES = {'bool': 1, 'uint8': 1, 'int8': 1, 'int16': 2, 'float16': 2, 'bfloat16': 2, 'int32': 4, 'float32': 4}


class Unsayable(Exception):
    """A call that the schema cannot express, and the reason."""


def arguments_of(schema):
    """(name, type, whether it has a default, whether it is keyword-only) of each argument."""
    inside = schema[schema.index('(') + 1:schema.rindex(') ->')]
    is_keyword_only = False
    for part in re.split(r',\s*(?![^()\[\]]*[)\]])', inside):
        if part == '*':
            is_keyword_only = True
        elif part:
            declaration = part.split('=')[0].split()
            yield declaration[1], declaration[0], '=' in part, is_keyword_only


def is_tensor_made(value):
    """Whether the recorded storage contains all elements of the tensor."""
    tensor = value.get('tensor')
    if tensor is None:
        return all(is_tensor_made(item) for item in value.get('list', []))
    if 0 in tensor['shape']:
        return True
    last = tensor['offset'] + sum((size - 1) * stride for size, stride in zip(tensor['shape'], tensor['strides']))
    held = len(tensor['storage']) // 4 * 3 - tensor['storage'].count('=')
    return (last + 1) * ITEM_SIZES.get(tensor['dtype'], 8) <= held


def adapted(value, kind):
    """`value` as an argument of the type `kind`."""
    number = value.get('float')
    if kind.startswith(('int', 'SymInt')) and '[' not in kind and number is not None:
        if number in ('nan', 'inf', '-inf') or not float.fromhex(number).is_integer():
            raise Unsayable(f'{kind} that is no whole number')
        return {'int': int(float.fromhex(number))}
    return value


def adapt(case, schema):
    values = case['args']
    given = case['kwargs']
    arguments = list(arguments_of(schema))
    names = [name for name, *_ in arguments]
    if len(values) > len([1 for *_, is_keyword_only in arguments if not is_keyword_only]):
        raise Unsayable('more arguments')
    if set(given) - set(names):
        raise Unsayable(f'argument `{min(set(given) - set(names))}`')
    if not all(is_tensor_made(value) for value in [*values, *given.values()]):
        raise Unsayable('tensor that is larger than its storage')
    kinds = {name: kind for name, kind, *_ in arguments}
    case['args'] = [adapted(value, kinds[name]) for value, name in zip(values, names)]
    case['kwargs'] = {name: adapted(value, kinds[name]) for name, value in given.items()}
    for name, kind, has_default, _ in arguments[len(values):]:
        if not has_default and name not in given:
            if not kind.endswith('?'):
                raise Unsayable(f'no argument `{name}`')
            case['kwargs'][name] = {'none': None}
    return case


def write_adapted(cases, schemas, target):
    left_out = collections.Counter()
    for line in cases:
        case = json.loads(line)
        name = case['op'].removeprefix('aten::') + ('.' + case['overload'] if case['overload'] else '')
        if name in schemas:
            try:
                line = json.dumps(adapt(case, schemas[name])) + '\n'
            except Unsayable as why:
                left_out[f'{name}: {why}'] += 1
                continue
        target.write(line)
    return left_out


def record(python, cases, dtypes):
    cases.parent.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(__file__).resolve().parent.parent / 'conformance'
    recorded, part = cases.with_suffix('.recorded'), cases.with_suffix('.part')
    subprocess.run([python, folder / 'record_dump.py', recorded, '--dtypes', dtypes], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([python, folder / 'verify_dump.py', recorded, part], check=True)
    recorded.unlink()
    part.rename(cases)


def replay_adapted(replay, schemas, cases, known):
    """Replays the calls of `cases` that our schemas can express, and returns the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        sayable = pathlib.Path(folder) / 'calls.jsonl'
        with open(cases, encoding='utf-8') as source, open(sayable, 'w', encoding='utf-8') as target:
            left_out = write_adapted(source, schemas, target)
        for why, times in sorted(left_out.items()):
            print(f'omitted {times}: {why}')
        print(f'{sum(left_out.values())} omitted, because our schemas cannot express them', flush=True)
        options = [option for file in known for option in ('--known', file)]
        return subprocess.run([replay, sayable, *options, '--verbose']).returncode


def main(replay, structured_gen, operators, cases, known, known_16bit):
    cases = pathlib.Path(os.environ.get('STRUCTURED_NEWEST_CALLS', cases))
    listed = subprocess.run([structured_gen, 'list', operators], check=True, stdout=subprocess.PIPE, text=True).stdout
    schemas = {line.split('(')[0]: line for line in listed.splitlines()}
    statuses = []
    for file, dtypes, differences in (
            (cases, 'float32,int64,bool,float64,complex64,int32,uint8', [known]),
            (cases.with_stem(cases.stem + '_16bit'), 'float16,bfloat16', [known, known_16bit])):
        if not file.exists():
            python = os.environ.get('STRUCTURED_NEWEST_PYTHON')
            if python is None:
                print(f"skipped: no {file}; it, or STRUCTURED_NEWEST_CALLS, has the newest PyTorch's calls, or "
                      'STRUCTURED_NEWEST_PYTHON names a Python to record them with')
                continue
            record(python, file, dtypes)
        statuses.append(replay_adapted(replay, schemas, file, differences))
    return max(statuses, default=77)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
