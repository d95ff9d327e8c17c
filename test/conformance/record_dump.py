#!/usr/bin/env python3
"""Records calls of PyTorch's operators in PyTorch's own tests, one per line: record_dump.py CASES.jsonl

Runs with the Python of Debian's python3-torch. PyTorch lists valid and invalid sample inputs for each function
(OpInfo). The script calls the functions with them and records each distinct operator call that the dispatcher sees.
verify_dump.py removes the calls that are not reproducible.
"""
import argparse
import collections
import itertools
import json
import sys
import types
import unittest
import warnings

from recorded_values import Unrecordable, encoded

warnings.filterwarnings('ignore')
# PyTorch's test lists import a helper that Debian does not package, but do not use it.
sys.modules.setdefault('expecttest', types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=False))

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode


class Recorder(TorchDispatchMode):
    """Writes each distinct call made while it is active."""

    def __init__(self, out, max_bytes):
        super().__init__()
        self.out, self.max_bytes = out, max_bytes
        self.test, self.written, self.left_out = '', set(), collections.Counter()

    def __torch_dispatch__(self, function, _types, args=(), kwargs=None):
        kwargs = kwargs or {}
        schema = function._schema
        case = {'name': self.test, 'op': schema.name, 'overload': schema.overload_name, 'error': None,
                'expect': None, 'written': {}, 'random': is_random(function)}
        given = dict(zip((argument.name for argument in schema.arguments), args), **kwargs)
        writes = [argument.name for argument in schema.arguments
                  if argument.alias_info is not None and argument.alias_info.is_write and argument.name in given]
        try:
            case['args'] = [encoded(torch, value) for value in args]
            case['kwargs'] = {name: encoded(torch, value) for name, value in kwargs.items()}
        except Unrecordable as why:
            self.left_out[f'{function}: {why}'] += 1
            return function(*args, **kwargs)
        try:
            results = function(*args, **kwargs)
        except Exception as error:  # PyTorch raises many exception classes
            case['error'] = str(error)[:300]
            self.write(function, case)
            raise
        try:
            case['expect'] = [encoded(torch, result) for result in
                              (results if isinstance(results, (list, tuple)) else [results])]
            case['written'] = {name: encoded(torch, given[name]) for name in writes}
            self.write(function, case)
        except Unrecordable as why:
            self.left_out[f'{function}: {why}'] += 1
        return results

    def write(self, function, case):
        call = json.dumps([case['op'], case['overload'], case['args'], case['kwargs']], sort_keys=True)
        line = json.dumps(case, sort_keys=True)
        if len(line) > self.max_bytes:
            self.left_out[f'{function}: more than {self.max_bytes} bytes'] += 1
        elif call not in self.written:
            self.written.add(call)
            self.out.write(line + '\n')


def is_random(function):
    """Returns whether elements depend on a seed or on uninitialized memory."""
    name = function._schema.name
    return torch.Tag.nondeterministic_seeded in function.tags or 'empty' in name


def samples(info, dtype):
    """Yields the sample calls of one function. Generating samples may itself fail."""
    try:
        for sample in info.sample_inputs('cpu', dtype):
            yield sample
        if info.error_inputs_func is not None and dtype == torch.float32:  # they choose their own dtypes
            for wrong in info.error_inputs('cpu'):
                yield wrong.sample_input
    except Exception:
        return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cases')
    parser.add_argument('--only', help='record only this function')
    parser.add_argument('--max-bytes', type=int, default=200000, help='size limit of a recorded call')
    options = parser.parse_args()
    torch.set_num_threads(1)
    with open(options.cases, 'w', encoding='utf-8') as out, torch.no_grad():
        recorder = Recorder(out, options.max_bytes)
        for info, dtype in itertools.product(op_db, (torch.float32, torch.int64, torch.bool)):
            if options.only and info.name != options.only:
                continue
            torch.manual_seed(0)
            recorder.test = info.name
            for sample in list(samples(info, dtype)):
                try:
                    with recorder:
                        info.op(sample.input, *sample.args, **sample.kwargs)
                except Exception:  # recorded if an operator raised it
                    continue
    print(len(recorder.written), 'calls recorded,', sum(recorder.left_out.values()), 'left out')
    for why, count in sorted(recorder.left_out.items()):
        print(f'  {why} {count}')


main()
