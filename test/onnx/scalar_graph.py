"""Values of the graphs of scalar functions in operators.json, in NumPy: arithmetic is exact, other functions are computed in double."""
import numpy as np
import torch

TYPES = {'boolean': np.dtype(bool), **{name: np.dtype(name) for name in (
    'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64')}}


def in_double(function):
    return lambda *operands: function(*(each.astype(np.float64) for each in operands)).astype(operands[0].dtype)


def of_torch(function):
    return in_double(lambda operand: function(torch.from_numpy(np.atleast_1d(operand))).numpy().reshape(operand.shape))


OPERATIONS = {
    'select': np.where, 'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'div': np.divide, 'neg': np.negative,
    'eq': np.equal, 'ne': np.not_equal, 'lt': np.less, 'le': np.less_equal, 'gt': np.greater, 'ge': np.greater_equal,
    'bit_and': np.bitwise_and, 'bit_or': np.bitwise_or, 'bit_xor': np.bitwise_xor, 'bit_not': np.bitwise_not,
    'shift_left': np.left_shift, 'shift_right': np.right_shift, 'fabs': np.abs, 'copysign': np.copysign, 'fmin': np.fmin,
    'fmax': np.fmax, 'floor': np.floor, 'ceil': np.ceil, 'trunc': np.trunc, 'nearbyint': np.rint, 'sqrt': np.sqrt, 'fmod': np.fmod,
    'nextafter': np.nextafter, 'hypot': in_double(np.hypot), 'pow': in_double(np.power), 'exp': in_double(np.exp),
    'exp2': in_double(np.exp2), 'expm1': in_double(np.expm1), 'log': in_double(np.log), 'log2': in_double(np.log2),
    'log10': in_double(np.log10), 'log1p': in_double(np.log1p), 'sin': in_double(np.sin), 'cos': in_double(np.cos),
    'tan': in_double(np.tan), 'asin': in_double(np.arcsin), 'acos': in_double(np.arccos), 'atan': in_double(np.arctan),
    'atan2': in_double(np.arctan2), 'sinh': in_double(np.sinh), 'cosh': in_double(np.cosh), 'tanh': in_double(np.tanh),
    'asinh': in_double(np.arcsinh), 'acosh': in_double(np.arccosh), 'atanh': in_double(np.arctanh), 'erf': of_torch(torch.erf),
    'erfc': of_torch(torch.erfc), 'lgamma': of_torch(torch.lgamma)}


def constant(node, dtype):
    text = node['value']
    if node['type'] == 'boolean':
        return np.asarray(text == 'true')
    if text.startswith('0x'):
        return np.asarray(int(text, 16), f'u{dtype.itemsize}').view(dtype)
    return np.asarray(float(text) if dtype.kind == 'f' else int(text), dtype)


def evaluate(graph, values):
    """Returns the value of a graph for the values of the function's parameters, by name; None for an optional one without a value."""
    results = []
    with np.errstate(all='ignore'):
        for node in graph['nodes']:
            op, dtype = node['op'], TYPES[node['type']]
            if op == 'input':
                entry = graph['inputs'][node['operands'][0]]
                value = values[entry['name']]
                result = np.asarray(value is not None if entry.get('is_presence') else 0 if value is None else value).astype(dtype)
            elif op == 'constant':
                result = constant(node, dtype)
            else:
                operands = [results[index] for index in node['operands']]
                if op == 'cast':
                    result = operands[0].astype(dtype)
                elif op == 'bit_cast':
                    result = operands[0].view(dtype)
                else:
                    result = np.asarray(OPERATIONS[op](*operands))
            results.append(result)
    return results[-1]
