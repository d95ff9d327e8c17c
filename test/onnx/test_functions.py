"""test_functions.py STRUCTURED_GEN WORK_DIR: runs the ONNX functions of this project's scalar functions in ONNX Runtime and compares
their results with those of the functions' graphs. Exits with 77, which ctest counts as skipped, without the packages."""
import importlib.util
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

for package in ('onnx', 'onnxruntime', 'torch'):
    if importlib.util.find_spec(package) is None:
        print(f'skipped: {package} is not installed')
        sys.exit(77)

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from scalar_graph import evaluate

TOOL, WORK = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).absolute()
ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / 'test/torch/decompositions/copy_scalar_functions.py'

DTYPES = {'float32': torch.float, 'float64': torch.double, 'int64': torch.long, 'int32': torch.int, 'int16': torch.short,
          'int8': torch.int8, 'uint8': torch.uint8, 'bool': torch.bool}
# Names of dtypes in operators.json.
WORDS = {'float32': 'float', 'float64': 'double', 'int64': 'long', 'int32': 'int', 'int16': 'short', 'int8': 'char', 'uint8': 'byte',
         'bool': 'bool'}
# STRUCTURED_SCALAR_OP(name, operands, rule, domain, is_exact, ...)
IS_EXACT = {name: exact == 'true' for name, exact in re.findall(
    r'^STRUCTURED_SCALAR_OP\((\w+), \d, \w+, \w+, (true|false),', (ROOT / 'schema/structured/schema/scalar_ops.def').read_text(),
    re.MULTILINE)}
MAX_ULP = 4

# Functions beyond 4 ulp on some of the numbers below, by dtype: ONNX Runtime's Tanh for float, and Sin and Cos for double, have larger
# errors, and ONNX's own evaluator computes Erf in float. In the others, leading digits cancel.
KNOWN_DIFFERENCES = {
    'float32': {'tanh'},
    'float64': {'cos', 'sin', 'sinc', 'special_spherical_bessel_j0', 'logaddexp', 'logaddexp2',
                'special_ndtri', 'special_log_ndtr', 'erf', 'erfinv'},
}


def emit():
    """Returns the operators and the model of the library."""
    shutil.rmtree(WORK, ignore_errors=True)
    subprocess.run([sys.executable, COPY, ROOT / 'kernels', WORK / 'kernels'], check=True)
    headers = sorted(map(str, (WORK / 'kernels/pointwise').glob('*.h')))
    flags = ['-std=c++20', f'-I{WORK}/kernels', f'-I{ROOT}/runtime', f'-I{ROOT}/schema']
    subprocess.run([TOOL, 'scan', '--scalar-graphs', '--namespace=own', f'--source-root={WORK}/kernels', f'--output-dir={WORK}/fragments',
                    *headers, '--', *flags], check=True)
    fragments = sorted(map(str, (WORK / 'fragments').rglob('*.json')))
    emitted = subprocess.run([TOOL, 'emit', '--target=onnx', '--namespace=own', f'--output-dir={WORK}/out', *fragments], check=True,
                             stderr=subprocess.PIPE, text=True)
    operators = json.loads((WORK / 'out/operators.json').read_text())['operators']
    return operators, onnx.load(WORK / 'out/functions.onnx'), emitted.stderr


OPERATORS, LIBRARY, NOTES = emit()


def elements(dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e-3, -1e-3, 1e-6, 7.25, -30.0, 88.0, limits.max, limits.min, limits.tiny,
                   limits.eps, 1 - limits.eps, float('inf'), -float('inf'), float('nan')]
        random = torch.randn(40, generator=torch.Generator().manual_seed(0), dtype=torch.double) * 3
        return torch.cat([torch.tensor(special, dtype=torch.double), random]).to(dtype)
    limits = torch.iinfo(dtype)
    small = [value for value in range(-9, 40) if value >= limits.min]
    return torch.tensor([*small, limits.max, limits.max - 1, limits.min, limits.min + 1], dtype=dtype)


def cases_of(schema, dtype):
    """Argument lists of an operator; None stands for an argument that is left out."""
    values = elements(dtype)
    tensors = [argument for argument in schema.arguments if str(argument.type) == 'Tensor']
    numbers = [True] if dtype == torch.bool else [1, 2] if not dtype.is_floating_point else [1, 0.5, -1.5]
    choices = []
    for argument in schema.arguments:
        kind = str(argument.type)
        if kind == 'Tensor':
            shape = [1] * len(tensors)
            shape[tensors.index(argument)] = -1
            grid = (values if len(tensors) < 3 else values[::3]).reshape(shape)
            choices.append([grid > 0 if schema.name.startswith('own::where') and argument.name == 'condition' else grid])
        elif kind.startswith('Optional'):
            choices.append([None, 0.25 if dtype.is_floating_point else numbers[0]])
        elif kind == 'bool':
            choices.append([False, True])
        elif kind == 'int':
            choices.append([1, 2])
        else:
            choices.append(([None] if argument.has_default_value() else []) + numbers)
    return itertools.product(*choices)


def onnx_tensor(value, dtype):
    """A number as PyTorch's operator sees it: without one, no elements."""
    if value is None:
        return np.zeros(0, dtype)
    return value.numpy() if isinstance(value, torch.Tensor) else np.asarray(value, np.float64 if isinstance(value, float) else None)


def run(function, arguments, values, dtype):
    """Returns the result of a model that calls the function, and whether ONNX's own evaluator computed it, since ONNX Runtime lacks an
    operator for the dtype."""
    defaults = {attribute.name for attribute in function.attribute_proto}
    attributes, feeds = {}, {}
    for argument, value in zip(arguments, values):
        if argument.name not in defaults:
            feeds[argument.name] = onnx_tensor(value, np.float64)
            if not isinstance(value, torch.Tensor) and str(argument.type) == 'number':
                feeds[argument.name] = feeds[argument.name].astype(torch.empty(0, dtype=dtype).numpy().dtype)
        elif value is not None:
            attributes[argument.name] = numpy_helper.from_array(onnx_tensor(value, np.float64))
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(feed.dtype), feed.shape) for name, feed in feeds.items()]
    node = helper.make_node(function.name, list(function.input), ['result'], domain='own', **attributes)
    graph = helper.make_graph([node], 'call', inputs, [onnx.ValueInfoProto(name='result')])
    model = helper.make_model(graph, functions=[function], opset_imports=LIBRARY.opset_import, ir_version=LIBRARY.ir_version)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        session = ReferenceEvaluator(model)
    with np.errstate(all='ignore'):
        result = session.run(None, feeds)[0]
    return torch.from_numpy(np.array(result)), isinstance(session, ReferenceEvaluator)


def graph_of(operator, word):
    bodies = operator['pointwise']['bodies']
    return next(body['graph'] for body in bodies if body['dtype'] == WORDS[word] and not body.get('derivative'))


def expected_value(schema, graph, values):
    parameters = {argument.name: argument.default_value if value is None else value.numpy() if isinstance(value, torch.Tensor) else value
                  for argument, value in zip(schema.arguments, values)}
    shape = np.broadcast_shapes(*(value.shape for value in values if isinstance(value, torch.Tensor)))
    return torch.from_numpy(np.array(np.broadcast_to(evaluate(graph, parameters), shape)))


def ordered(tensor):
    """Integers that are apart by the number of floating-point numbers in between. Both zeros are one: ONNX Runtime's Where turns -0 into 0."""
    bits = tensor.numpy().view(np.int32 if tensor.dtype == torch.float else np.int64).astype(object)
    least = -2 ** (31 if tensor.dtype == torch.float else 63)
    return np.where(bits < 0, least - bits, bits)


def ulps(actual, expected):
    if not expected.is_floating_point():
        return 0 if torch.equal(actual, expected) else 2 ** 63
    is_nan = expected.isnan()
    if not torch.equal(actual.isnan(), is_nan):
        return 2 ** 63
    return max(abs(ordered(actual[~is_nan]) - ordered(expected[~is_nan])), default=0)


class Functions(unittest.TestCase):
    def test_model(self):
        onnx.checker.check_model(LIBRARY)
        self.assertEqual(len(LIBRARY.graph.node), 0)
        missing = {entry.key for entry in LIBRARY.metadata_props}
        self.assertEqual(missing, {line.split('`')[1] for line in NOTES.splitlines() if 'no ONNX function' in line})

    def test_values(self):
        functions = {function.name: function for function in LIBRARY.functions}
        names, compared, lacking, beyond = set(), {}, {}, {}
        for each in OPERATORS:
            schema = torch._C.parse_schema('own::' + each['variants'][0]['schema'])
            name = schema.name.removeprefix('own::') + (f'_{schema.overload_name}' if schema.overload_name else '')
            for word, dtype in DTYPES.items():
                function = functions.get(f'{name}_{word}', functions.get(name))
                if function is None or word not in function.doc_string.rpartition('Elements: ')[2].rstrip('.').split(', '):
                    continue
                names.add(name)
                with self.subTest(name=name, dtype=word):
                    worst, lacks = self.compare(function, schema, graph_of(each, word), dtype)
                    (lacking if lacks else compared).setdefault(word, []).append(name)
                    if worst > MAX_ULP:
                        beyond.setdefault(word, {})[name] = worst
        print(f'{len(OPERATORS)} scalar functions, {len(names)} translated, in {len(LIBRARY.functions)} ONNX functions', file=sys.stderr)
        for word in DTYPES:
            print(f'{word}: {len(compared.get(word, []))} run in ONNX Runtime, beyond {MAX_ULP} ulp: {beyond.get(word, {})}\n'
                  f'  in ONNX\'s own evaluator: {" ".join(lacking.get(word, []))}', file=sys.stderr)
        for word, found in beyond.items():
            self.assertLessEqual(set(found), KNOWN_DIFFERENCES.get(word, set()), word)
        self.assertGreaterEqual(len(names), 129)
        self.assertGreaterEqual(len(compared['float32']), 117)

    def compare(self, function, schema, graph, dtype):
        """Returns the largest difference, and whether ONNX Runtime lacks an operator."""
        is_exact = all(IS_EXACT[node['op']] for node in graph['nodes'])
        worst = 0
        for values in cases_of(schema, dtype):
            expected = expected_value(schema, graph, values)
            actual, lacks = run(function, schema.arguments, values, dtype)
            self.assertEqual(actual.shape, expected.shape)
            self.assertEqual(actual.dtype, expected.dtype)
            difference = ulps(actual, expected)
            if is_exact:
                self.assertEqual(difference, 0)
            worst = max(worst, difference)
        return worst, lacks


if __name__ == '__main__':
    unittest.main()
