"""make_delegates.py SIGNATURES SOURCES...: writes an impl for each structured operator of PyTorch, for the backend
PrivateUse1. Each calls the operator of the CPU."""
import json
import pathlib
import sys


def canonical(type_):
    return type_ if isinstance(type_, str) else type_['canonical']


def delegate(number, operator):
    meta = operator['definition']
    inputs = meta['parameters'][1:]
    members = [member['name'] for member in meta.get('result_class', {}).get('members', [])]
    names = [parameter['name'] for parameter in inputs]
    parameters = [f'{canonical(p["type"])} {p["name"]}' for p in inputs if p['name'] not in members]
    if 'result_class' in meta:
        parameters.append(f'const {meta["result_class"]["name"]}& precomputed')
    parameters += [f'const at::Tensor& {name}' for name in operator['outputs']]
    arguments = [f'precomputed.{name}' if name in members else name for name in names] + operator['outputs']
    base, _, overload = operator['variants'][-1]['schema'].split('(')[0].partition('.')
    return [f'[[structured::impl("{base}.{overload}", "PrivateUse1")]]',
            f'void delegate_{number}({", ".join(parameters)}) {{',
            f'  delegate("aten::{base}", "{overload}", {", ".join(arguments)});', '}', '']


def main(signatures, *sources):
    operators = [operator for operator in json.loads(pathlib.Path(signatures).read_text())['operators']
                 if 'base_class' in operator['definition']]
    headers = sorted({operator['definition']['base_class']['header'] for operator in operators})
    for part, source in enumerate(sources):
        lines = [*[f'#include <{header}>' for header in ['ATen/core/IListRef.h', *headers]], '', '#include "delegate.h"', '',
                 'namespace delegates {', '']
        for number in range(part, len(operators), len(sources)):
            lines += delegate(number, operators[number])
        pathlib.Path(source).write_text('\n'.join([*lines, '}  // namespace delegates', '']))


main(*sys.argv[1:])
