#!/usr/bin/env python3
"""Selects the programs with gradients that every build replays: make_gradient_sample.py PROGRAMS.jsonl... SAMPLE.jsonl

For each sample name, variant and dtype of record_gradients.py, takes the smallest programs, first those with second derivatives and
tangents. A later program must call other operators or pass other arguments by name than the earlier ones.
"""
import argparse
import collections
import json


def shape_of(program):
    return json.dumps([[step['op'], step['overload'], sorted(step['kwargs'])] for step in program['steps']])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('programs', nargs='+')
    parser.add_argument('sample')
    parser.add_argument('--count', type=int, default=2, help='programs for each name and variant')
    parser.add_argument('--bytes', type=int, default=8000, help='size limit of a program')
    options = parser.parse_args()
    found = collections.defaultdict(list)
    for path in options.programs:
        with open(path, encoding='utf-8') as file:
            for line in file:
                program = json.loads(line)
                if len(line) <= options.bytes:
                    lacks = ('double' not in program) + ('forward' not in program)
                    key = program['name'], program['variant'], program['dtype']
                    found[key].append((lacks, len(line), shape_of(program), line))
    with open(options.sample, 'w', encoding='utf-8') as file:
        for _, programs in sorted(found.items()):
            shapes = set()
            for _, _, shape, line in sorted(programs):
                if shape not in shapes and len(shapes) < options.count:
                    shapes.add(shape)
                    file.write(line)


if __name__ == '__main__':
    main()
