"""Reads native_functions.yaml files with torchgen, as PyTorch's build does, and returns the facts that it found."""
import pathlib
import re

import torchgen
from torchgen.gen import get_grouped_native_functions, parse_native_yaml
from torchgen.model import DeviceCheckType, Variant

PACKAGED = pathlib.Path(torchgen.__file__).parent / 'packaged' / 'ATen' / 'native'


def parse(path):
    """The functions and backend indices of the file. Raises torchgen's errors, for entries and for groups of variants."""
    parsed = parse_native_yaml(str(path), str(PACKAGED / 'tags.yaml'))
    get_grouped_native_functions(parsed.native_functions)
    return parsed


def normal(line):
    """The line with string defaults in double quotes, and with letters of alias sets in order of appearance."""
    letters = {}
    line = re.sub(r'\(([a-z])(?=!|\)| ->)', lambda m: '(' + letters.setdefault(m.group(1), chr(ord('a') + len(letters))), line)

    def requoted(match):
        inside = match.group(0)[1:-1].replace("\\'", "'")
        return '"' + re.sub(r'(?<!\\)"', r'\\"', inside) + '"'
    return re.sub(r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"',
                  lambda m: requoted(m) if m.group(0)[0] == "'" else m.group(0), line)


def facts(parsed):
    """Facts about each operator, by name, without kernel names and without variants that torchgen adds."""
    result = {}
    for function in parsed.native_functions:
        if 'generated' in function.tags:
            continue
        keys = [key.name for key, index in parsed.backend_indices.items() if index.has_kernel(function)]
        precomputed = function.precomputed
        result[str(function.func.name)] = {
            'schema': normal(str(function.func)),
            'structured': function.structured,
            'structured_delegate': function.structured_delegate and str(function.structured_delegate),
            'structured_inherits': function.structured_inherits,
            'precomputed': precomputed and (precomputed.to_list(), [str(a) for a in precomputed.add]),
            'method': Variant.method in function.variants,
            'device_check': function.device_check is not DeviceCheckType.NoCheck,
            'tags': sorted(function.tags),
            'cpp_no_default_args': sorted(function.cpp_no_default_args),
            'dispatch': sorted(keys),
        }
    return result


def differences(expected, found):
    """One line for each fact of `expected` that `found` does not have."""
    lines = []
    for name, wanted in expected.items():
        if name not in found:
            lines.append(f'{name}: missing')
            continue
        lines += [f'{name}: {fact}: expected {value}, found {found[name][fact]}'
                  for fact, value in wanted.items() if found[name][fact] != value]
    return lines
