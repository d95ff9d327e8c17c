"""compare.py PROGRAM: compares gradients of pointwise operators at edge values with those of the installed PyTorch.

Fails if a difference is not in known_differences.txt, or if one there no longer exists.
"""
import itertools
import math
import pathlib
import subprocess
import sys

import torch

VALUES = [0.0, -0.0, 1e-310, -1e-310, 1e-8, -1e-8, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -3.0,
          6.0, -6.0, 20.0, -20.0, 800.0, -800.0, math.inf, -math.inf, math.nan]
PAIRS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 3.0, math.inf, -math.inf, math.nan]

UNARY = {
    'relu': [], 'silu': [], 'mish': [], 'elu': [], 'leaky_relu': [0.2], 'threshold': [0.5, 2], 'softplus': [],
    'hardsigmoid': [], 'hardswish': [], 'hardtanh': [], 'hardshrink': [], 'softshrink': [], 'celu': [],
    'log_sigmoid': [], 'gelu': [], 'tanh': [], 'sigmoid': [], 'exp': [], 'exp2': [], 'expm1': [], 'log': [],
    'log2': [], 'log10': [], 'log1p': [], 'sqrt': [], 'rsqrt': [], 'reciprocal': [], 'sin': [], 'cos': [], 'tan': [],
    'asin': [], 'acos': [], 'atan': [], 'sinh': [], 'cosh': [], 'asinh': [], 'acosh': [], 'atanh': [], 'erf': [],
    'erfc': [], 'erfinv': [], 'lgamma': [], 'digamma': [], 'sinc': [], 'logit': [], 'special_entr': [], 'i0': [],
    'special_i0e': [], 'special_i1': [], 'special_i1e': [], 'special_ndtri': [], 'special_log_ndtr': [],
    'special_erfcx': [], 'abs': [], 'neg': [], 'sign': [], 'floor': [], 'ceil': [], 'round': [], 'trunc': [],
    'frac': [], 'deg2rad': [], 'rad2deg': [], 'angle': [], 'nan_to_num': [], 'clamp_min': [0.5], 'clamp_max': [0.5],
    'pow.Tensor_Scalar': [2.0], 'fmod.Scalar': [1.5], 'remainder.Scalar': [1.5], 'xlogy.Scalar_Other': [0.0],
    'copysign.Scalar': [-1.0],
}
BINARY = ['atan2', 'hypot', 'fmod.Tensor', 'remainder.Tensor', 'logaddexp', 'logaddexp2', 'xlogy.Tensor',
          'special_xlog1py', 'fmax', 'fmin', 'maximum', 'minimum', 'clamp_max.Tensor', 'clamp_min.Tensor',
          'copysign.Tensor', 'mul.Tensor', 'div.Tensor', 'pow.Tensor_Tensor']


def cases():
    for op, numbers in UNARY.items():
        for value in VALUES:
            yield op, [value], numbers
    for op in BINARY:
        for pair in itertools.product(PAIRS, PAIRS):
            yield op, list(pair), []


def text(op, tensors, numbers):
    return ' '.join([op] + [f't:{value!r}' for value in tensors] + [f'n:{value!r}' for value in numbers])


def expected(op, tensors, numbers):
    name, _, overload = op.partition('.')
    function = getattr(getattr(torch.ops.aten, name), overload or 'default')
    leaves = [torch.tensor(value, dtype=torch.double, requires_grad=True) for value in tensors]
    result = function(*leaves, *numbers)
    gradients = torch.autograd.grad(result, leaves, allow_unused=True)
    return [0.0 if gradient is None else gradient.item() for gradient in gradients]


def is_close(a, b):
    return (math.isnan(a) and math.isnan(b)) or a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300)


def main():
    program = sys.argv[1]
    known_path = pathlib.Path(__file__).with_name('known_differences.txt')
    lines = [line for line in known_path.read_text().splitlines() if line and not line.startswith('#')]
    known = {line.split(':', 1)[0] for line in lines}
    all_cases = list(cases())
    requests = [text(*case) for case in all_cases]
    output = subprocess.run([program], input='\n'.join(requests) + '\n', check=True, capture_output=True, text=True).stdout
    found = {}
    for case, request, line in zip(all_cases, requests, output.splitlines(), strict=True):
        ours = [float(word) for word in line[len(request):].split()]
        theirs = expected(*case)
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if not is_close(a, b):
                found.setdefault(f'{case[0]} {i}', []).append(f'{request}: {a!r}, PyTorch has {b!r}')
    for key in sorted(found.keys() - known):
        print(f'new difference: {key}')
        for example in found[key][:6]:
            print(f'  {example}')
    for key in sorted(known - found.keys()):
        print(f'no longer different: {key}')
    print(f'{len(all_cases)} cases in PyTorch {torch.__version__}, {len(found)} gradients with intended differences')
    return 1 if found.keys() != known else 0


if __name__ == '__main__':
    sys.exit(main())
