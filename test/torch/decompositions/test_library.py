"""test_library.py LIBRARY: compares what compilers see of this project's scalar functions with their kernels, in every dtype."""
import itertools
import json
import pathlib
import re
import sys
import unittest

import torch
from torch.utils._python_dispatch import TorchDispatchMode

LIBRARY = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[3]
torch.ops.load_library(str(LIBRARY))
OPERATORS = json.loads((LIBRARY.parent / 'own.gen' / 'operators.json').read_text())['operators']

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.half, torch.bfloat16, torch.float,
          torch.double]
# Names of dtypes in operators.json; 16-bit numbers are computed as float.
WORDS = {torch.bool: 'bool', torch.uint8: 'byte', torch.int8: 'char', torch.int16: 'short', torch.int32: 'int', torch.int64: 'long',
         torch.half: 'float', torch.bfloat16: 'float', torch.float: 'float', torch.double: 'double'}
# STRUCTURED_SCALAR_OP(name, operands, rule, domain, is_exact, ...)
IS_EXACT = {name: exact == 'true' for name, exact in re.findall(
    r'^STRUCTURED_SCALAR_OP\((\w+), \d, \w+, \w+, (true|false),', (ROOT / 'schema/structured/schema/scalar_ops.def').read_text(),
    re.MULTILINE)}

IS_EXACT['sqrt'] = False  # ATen's kernel for float calls MKL, which does not round correctly; Inductor's loops do


class Follow(TorchDispatchMode):
    """Makes operators show what they compute, which ATen's kernels then compute."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.calls.append(str(function))
        return function(*arguments, **(keywords or {}))


def elements(dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e-3, 7.25, -30.0, 88.0, limits.max, limits.min, limits.tiny,
                   limits.smallest_normal / 4, limits.eps, 1 - limits.eps, float('inf'), -float('inf'), float('nan')]
        random = torch.randn(40, generator=torch.Generator().manual_seed(0), dtype=torch.double) * 3
        return torch.cat([torch.tensor(special, dtype=torch.double), random]).to(dtype)
    limits = torch.iinfo(dtype)
    small = [value for value in range(-9, 40) if value >= limits.min]
    return torch.tensor([*small, limits.max, limits.max - 1, limits.min, limits.min + 1], dtype=dtype)


def cases_of(schema, dtype):
    """Calls of an operator, each as a function of the operator."""
    values = elements(dtype)
    count = sum(str(each.type) == 'Tensor' for each in schema.arguments)
    grids = []
    for dimension in range(count):
        shape = [1] * count
        shape[dimension] = -1
        grids.append((values if count < 3 else values[::3]).reshape(shape))
    numbers = [True] if dtype == torch.bool else [1, 2] if not dtype.is_floating_point else [1, 0.5, -1.5]
    choices = []
    for argument in schema.arguments:
        kind = str(argument.type)
        if kind == 'Tensor':
            choices.append([grids.pop(0)])
        elif kind.startswith('Optional'):
            choices.append([None, numbers[0]])
        elif kind == 'bool':
            choices.append([False, True])
        elif kind == 'int':
            choices.append([1, 2])
        else:
            choices.append(numbers)
    masked = {'where': 0}.get(schema.name.split('::')[1])
    for case in itertools.product(*choices):
        case = list(case)
        if masked is not None:
            case[masked] = case[masked] > 0
        keywords = {argument.name: value for argument, value in zip(schema.arguments, case) if argument.kwarg_only}
        positional = case[:len(case) - len(keywords)]
        yield lambda function, positional=positional, keywords=keywords: function(*positional, **keywords)


def bits(tensor):
    if not tensor.is_floating_point():
        return tensor
    integers = {2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return torch.where(tensor.isnan(), torch.full((), float('nan'), dtype=tensor.dtype), tensor).view(integers)


def functions():
    """(name, operator, opaque operator, description) of each functional operator that compilers see into."""
    for each in OPERATORS:
        variant = next(variant for variant in each['variants'] if variant['kind'] == 'functional')
        name, _, overload = variant['schema'].partition('(')[0].partition('.')
        if 'pointwise' in each and hasattr(torch.ops.own, f'_opaque_{name}'):
            yield (f'{name}.{overload}'.rstrip('.'), getattr(getattr(torch.ops.own, name), overload or 'default'),
                   getattr(getattr(torch.ops.own, f'_opaque_{name}'), overload or 'default'), each['pointwise'])


class Decompositions(unittest.TestCase):
    def compare(self, function, opaque, case, is_exact, name):
        try:
            expected = case(opaque)
        except (RuntimeError, NotImplementedError) as error:
            with Follow(), self.assertRaises(type(error)):
                case(function)
            return False
        with Follow() as follow:
            actual = case(function)
        self.assertEqual(actual.dtype, expected.dtype)
        self.assertEqual(actual.shape, expected.shape)
        if str(opaque) in follow.calls:  # no decomposition for the dtype
            return False
        if is_exact:
            self.assertTrue(torch.equal(bits(actual), bits(expected)),
                            f'{name}: {[(a, b) for a, b in zip(actual.flatten(), expected.flatten()) if a != b and not (a.isnan() and b.isnan())][:5]}')
        else:
            torch.testing.assert_close(actual, expected, equal_nan=True)
        return True

    def test_values(self):
        compared = {}
        for name, function, opaque, description in functions():
            graphs = {body['dtype']: body.get('graph') for body in description['bodies'] if not body.get('derivative')}
            for dtype in DTYPES:
                graph = graphs.get(WORDS[dtype])
                is_exact = graph is not None and all(IS_EXACT[node['op']] for node in graph['nodes'])
                for number, case in enumerate(cases_of(function._schema, dtype)):
                    with self.subTest(name=name, dtype=dtype, case=number):
                        if self.compare(function, opaque, case, is_exact, name):
                            compared.setdefault(name, set()).add(dtype)
        print(f'{len(compared)} scalar functions compared, in {sum(map(len, compared.values()))} pairs with dtypes', file=sys.stderr)
        self.assertGreaterEqual(len(compared), 110)
        self.assertEqual({name for name, _, _, _ in functions()} - set(compared), set())

    def test_compiled(self):
        """Inductor's loops of arithmetic, comparisons and selections give the bits of the kernels."""
        for dtype in (torch.float, torch.double):
            chosen = []
            for name, function, opaque, description in functions():
                graph = next((body.get('graph') for body in description['bodies']
                              if body['dtype'] == WORDS[dtype] and not body.get('derivative')), None)
                if graph and all(IS_EXACT[node['op']] for node in graph['nodes']):
                    chosen.append((name, function, opaque, next(cases_of(function._schema, dtype))))

            def all_functions(cases):
                return [case(function) for (_, function, _, _), case in zip(chosen, cases)]

            compiled = torch.compile(all_functions, fullgraph=True)([case for _, _, _, case in chosen])
            for (name, _, opaque, case), actual in zip(chosen, compiled):
                with self.subTest(name=name, dtype=dtype):
                    self.assertTrue(torch.equal(bits(actual), bits(case(opaque))))
            print(f'{len(chosen)} functions compiled for {dtype}', file=sys.stderr)
            self.assertGreater(len(chosen), 40)


if __name__ == '__main__':
    unittest.main()
