#!/usr/bin/env python3
"""Selects the cases that every build replays: make_sample.py CASES.jsonl OPERATORS.json SAMPLE.jsonl

For each operator of the library, takes the smallest cases that differ in the dtypes and ranks of their tensors, in
which arguments are given, and in whether the call was rejected; then the smallest others, up to --count.
"""
import argparse
import collections
import json


def tensors(value):
    if isinstance(value, dict):
        if 'tensor' in value:
            yield value['tensor']
        for content in value.values():
            yield from tensors(content)
    elif isinstance(value, list):
        for content in value:
            yield from tensors(content)


def is_whole(case):
    """Returns whether all tensors lie within their recorded storage. Tensors that were resized may not."""
    sizes = {'bool': 1, 'uint8': 1, 'int8': 1, 'int16': 2, 'float16': 2, 'bfloat16': 2, 'int32': 4, 'float32': 4,
             'complex128': 16}
    for tensor in tensors(case):
        last = tensor['offset'] + sum((n - 1) * s for n, s in zip(tensor['shape'], tensor['strides']))
        if 0 not in tensor['shape'] and (last + 1) * sizes.get(tensor['dtype'], 8) > len(tensor['storage']) * 3 // 4:
            return False
    return True


def kind(case):
    """Returns the properties by which cases are considered different."""
    inputs = [(t['dtype'], min(len(t['shape']), 3)) for t in tensors([case['args'], case['kwargs']])]
    tags = [next(iter(value)) for value in case['args']]
    return json.dumps([inputs, tags, sorted(case['kwargs']), case['error'] is not None])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('cases')
    parser.add_argument('operators')
    parser.add_argument('sample')
    parser.add_argument('--count', type=int, default=12, help='cases for each operator')
    parser.add_argument('--bytes', type=int, default=6000, help='size limit of a case')
    options = parser.parse_args()
    with open(options.operators, encoding='utf-8') as file:
        library = json.load(file)
    names = set()
    for operator in library['operators']:
        for variant in operator['variants']:
            names.add(library['schema_namespace'] + '::' + variant['schema'].split('(')[0])
    found = collections.defaultdict(list)
    with open(options.cases, encoding='utf-8') as file:
        for line in file:
            case = json.loads(line)
            name = case['op'] + ('.' + case['overload'] if case['overload'] else '')
            if name in names and len(line) <= options.bytes and is_whole(case):
                found[name].append((len(line), line, kind(case)))
    with open(options.sample, 'w', encoding='utf-8') as file:
        for name in sorted(found):
            cases = sorted(found[name])
            seen, first, others = set(), [], []
            for size, line, what in cases:
                (others if what in seen else first).append(line)
                seen.add(what)
            file.writelines(sorted((first + others)[:options.count]))
    print(len(found), 'of', len(names), 'operators have cases')


main()
