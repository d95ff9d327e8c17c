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

from recorded_values import Unrecordable, encoded, encoded_call

warnings.filterwarnings('ignore')
# PyTorch's test lists import a helper that Debian does not package, but do not use it.
sys.modules.setdefault('expecttest', types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=False))

import torch
from torch.testing._internal import common_methods_invocations as sample_lists
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
            case.update(encoded_call(torch, args, kwargs))
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


def is_foreach(info):
    return info in getattr(sample_lists, 'foreach_op_db', [])


def samples(info, dtype):
    """Yields the sample calls of one function. Generating samples may itself fail."""
    short_lists = {'num_input_tensors': [3]} if is_foreach(info) else {}
    try:
        for sample in info.sample_inputs('cpu', dtype, **short_lists):
            yield sample
        if info.error_inputs_func is not None and dtype == torch.float32:  # they choose their own dtypes
            for wrong in info.error_inputs('cpu'):
                yield wrong.sample_input
    except Exception:
        return


def functions_of(info):
    """The function of `info` and, for operators on lists, its in-place variant."""
    yield info.op
    if is_foreach(info) and info.inplace_variant is not None:
        yield info.inplace_variant


def record_fused_steps(recorder, dtype):
    """Records fused steps of optimisers for parameters of several sizes; PyTorch's samples have none."""
    shapes = [(), (3,), (5, 7), (0, 2), (4, 1, 6), (41,)]
    cases = [('_fused_adam_', torch.optim.Adam, ({}, {'amsgrad': True}, {'weight_decay': 0.1, 'maximize': True},
                                                 {'betas': (0.3, 0.9)})),
             ('_fused_adamw_', torch.optim.AdamW, ({}, {'amsgrad': True, 'weight_decay': 0.1}, {'maximize': True})),
             ('_fused_sgd_', torch.optim.SGD, ({}, {'momentum': 0.9, 'dampening': 0.25, 'weight_decay': 0.1},
                                               {'momentum': 0.9, 'nesterov': True, 'maximize': True})),
             ('_fused_adagrad_', torch.optim.Adagrad, ({}, {'lr_decay': 0.1, 'weight_decay': 0.1},
                                                       {'maximize': True}))]
    for name, optimizer, options in cases:
        recorder.test = name
        for number, option in enumerate(options):
            for rate in (0.01, torch.tensor(0.01)):
                torch.manual_seed(number)
                parameters = [torch.randn(shape).to(dtype) for shape in shapes]
                parameters.append(torch.randn(6, 4).to(dtype).t())  # strides that are not in row-major order
                steps = optimizer(parameters, lr=rate, fused=True, **option)
                for scale in (None, torch.tensor(4.)):
                    for parameter in parameters:
                        parameter.grad = torch.randn_like(parameter)
                    if scale is not None:
                        steps.grad_scale, steps.found_inf = scale, torch.tensor(float(number == 1))
                    with recorder:
                        steps.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cases')
    parser.add_argument('--only', help='record only this function')
    parser.add_argument('--dtypes', default='float32,int64,bool', help='dtypes of samples; rejected calls with float32')
    parser.add_argument('--max-bytes', type=int, default=200000, help='size limit of a recorded call')
    options = parser.parse_args()
    dtypes = [getattr(torch, name) for name in options.dtypes.split(',')]
    torch.set_num_threads(1)
    with open(options.cases, 'w', encoding='utf-8') as out, torch.no_grad():
        recorder = Recorder(out, options.max_bytes)
        infos = sample_lists.op_db + getattr(sample_lists, 'foreach_op_db', [])
        for info, dtype in itertools.product(infos, dtypes):
            if options.only and info.name != options.only:
                continue
            torch.manual_seed(0)
            recorder.test = info.name
            for function, sample in itertools.product(functions_of(info), list(samples(info, dtype))):
                try:
                    with recorder:
                        function(sample.input, *sample.args, **sample.kwargs)
                except Exception:  # recorded if an operator raised it
                    continue
        if hasattr(torch, '_fused_adagrad_') and not options.only:
            for dtype in dtypes:
                if dtype.is_floating_point:
                    record_fused_steps(recorder, dtype)
    print(len(recorder.written), 'calls recorded,', sum(recorder.left_out.values()), 'left out')
    for why, count in sorted(recorder.left_out.items()):
        print(f'  {why} {count}')


main()
