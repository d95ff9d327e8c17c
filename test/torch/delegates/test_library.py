"""test_library.py LIBRARY: each variant of PyTorch's structured operators has a kernel on the device, and is called."""
import collections
import json
import pathlib
import sys
import unittest
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

library = pathlib.Path(sys.argv.pop()).absolute()
torch.ops.load_library(str(library))
torch.utils.rename_privateuse1_backend('host')


class DeviceModule:
    """`torch.host`, which PyTorch expects for a device."""
    is_available = staticmethod(lambda: True)
    device_count = staticmethod(lambda: 1)
    current_device = staticmethod(lambda: 0)
    _is_in_bad_fork = staticmethod(lambda: False)


torch._register_device_module('host', DeviceModule)

SIGNATURES = json.loads((library.parent / 'structured_aten' / 'signatures.json').read_text())['operators']
OPERATORS = [[variant['schema'].split('(')[0] for variant in operator['variants']]
             for operator in SIGNATURES if 'base_class' in operator['definition']]


def overload(name):
    base, _, rest = name.partition('.')
    return getattr(getattr(torch.ops.aten, base), rest or 'default')


class RecordedCalls(TorchDispatchMode):
    """Keeps the first calls of each functional variant for each dtype."""
    MOST = 3

    def __init__(self):
        super().__init__()
        self.calls = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.wanted = {names[0] for names in OPERATORS}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = str(function).removeprefix('aten.').removesuffix('.default')
        if name in self.wanted:
            kind = name, next(leaf.dtype for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor))
            self.counts[kind] += 1
            if self.counts[kind] <= self.MOST:
                self.calls[name].append(tree_map_only(torch.Tensor, torch.clone, (args, kwargs)))
        return function(*args, **kwargs)


def calls_of_samples():
    """Calls that PyTorch's own samples and their gradients make, by operator."""
    recorded = RecordedCalls()
    for op in op_db:
        for dtype in (torch.float32, torch.int64, torch.complex64):
            if dtype not in op.dtypes:
                continue
            requires_grad = dtype == torch.float32 and op.supports_autograd
            try:
                for sample, _ in zip(op.sample_inputs('cpu', dtype, requires_grad=requires_grad), range(6)):
                    with recorded:
                        results = tree_leaves(op(sample.input, *sample.args, **sample.kwargs))
                        results = [result for result in results if isinstance(result, torch.Tensor) and result.requires_grad]
                        if results:
                            sum(result.sum() for result in results).backward()
            except Exception:  # a sample that is wrong on purpose, or needs what this machine does not have
                continue
    return recorded.calls


def calls_by_hand():
    """Operators that no sample of PyTorch calls."""
    image, volume = torch.randn(1, 2, 4, 4), torch.randn(1, 2, 3, 4, 5)
    calls = {
        '_addmm_activation': [torch.randn(2, 3), torch.randn(2, 4), torch.randn(4, 3)],
        '_convert_indices_from_coo_to_csr': [torch.tensor([0, 0, 1, 2]), 3],
        '_convert_indices_from_csr_to_coo': [torch.tensor([0, 2, 3, 4]), torch.tensor([0, 1, 0, 2])],
        'clamp_max': [image, 0.5],
        'fractional_max_pool2d': [image, [2, 2], [2, 2], torch.rand(1, 2, 2)],
        'fractional_max_pool2d_backward': [torch.randn(1, 2, 2, 2), image, [2, 2], [2, 2],
                                           torch.arange(8).view(1, 2, 2, 2)],
        'fractional_max_pool3d': [torch.randn(1, 2, 5, 5, 5), [2, 2, 2], [2, 2, 2], torch.rand(1, 2, 3)],
        'isin.Tensor_Scalar': [torch.tensor([1, 2, 3]), 2],
        'reflection_pad3d': [volume, [1] * 6],
        'reflection_pad3d_backward': [torch.randn(1, 2, 5, 6, 7), volume, [1] * 6],
        'replication_pad3d': [volume, [1] * 6],
        'slow_conv_transpose2d': [image, torch.randn(2, 3, 2, 2), [2, 2], torch.randn(3)],
    }
    for name in 'bicubic', 'lanczos':
        calls[f'_upsample_{name}2d_aa'] = [image, [3, 3], False]
        calls[f'_upsample_{name}2d_aa_backward'] = [torch.randn(1, 2, 3, 3), [3, 3], [1, 2, 4, 4], False]
    for name in '_upsample_nearest_exact2d', '_upsample_nearest_exact3d', 'upsample_nearest3d':
        x = image if '2d' in name else volume
        size = [2 * extent for extent in x.shape[2:]]
        calls[name] = [x, size]
        calls[f'{name}_backward'] = [torch.randn(1, 2, *size), size, list(x.shape)]
    rows, columns = (torch.randn(16, 32).to(torch.float8_e4m3fn) for _ in range(2))
    scale = [[torch.ones(())], [0], [0]]
    calls['_scaled_mm_v2'] = [rows, columns.t(), *scale, *scale, None, torch.float]
    calls = {name: [(arguments, {})] for name, arguments in calls.items()}
    calls['norm.ScalarOpt_dim_dtype'] = [((image, 2, [0], False), {'dtype': torch.double})]
    calls['scatter.value_reduce'] = [((image, 0, torch.zeros(1, 2, 4, 4, dtype=torch.long), 2.0), {'reduce': 'add'})]
    return calls


# Why some operators cannot be delegated to the CPU.
NOT_DELEGATED = {'_scaled_addmm': 'PyTorch has no kernel for the CPU',
                 '_scaled_grouped_mm_v2': 'PyTorch has no kernel for the CPU',
                 'isin.Scalar_Tensor': 'the impl resizes its output, which a view of memory of the device cannot'}


def to_host(value):
    def move(tensor):
        return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device='host').copy_(tensor)
    return tree_map_only(torch.Tensor, move, value)


class Delegates(unittest.TestCase):
    def test_each_variant_has_a_kernel(self):
        names = [name for names in OPERATORS for name in names]
        print(f'{len(OPERATORS)} structured operators, {len(names)} variants')
        self.assertGreaterEqual(len(OPERATORS), 279)
        missing = [name for name in names
                   if not torch._C._dispatch_has_kernel_for_dispatch_key(f'aten::{name}', 'PrivateUse1')]
        self.assertEqual(missing, [])

    def test_calls(self):
        x, y = torch.randn(3, 4), torch.randn(4)
        for function in (lambda x, y: torch.add(x, y, alpha=2), lambda x, y: torch.cat([x, y[None]]),
                         lambda x, y: x.max(1)[1], lambda x, y: x[torch.tensor([2, 0], device=x.device)],
                         lambda x, y: x @ y[:, None], lambda x, y: x.clone().mul_(y), lambda x, y: x.softmax(0),
                         lambda x, y: torch.sort(x, 1)[0], lambda x, y: x.sum(1, keepdim=True)):
            result = function(x.to('host'), y.to('host'))
            self.assertEqual(result.device.type, 'host')
            torch.testing.assert_close(result.cpu(), function(x, y))

    def check(self, functional, name, args, kwargs):
        """Calls a variant on both devices with arguments of the functional variant, whose results are passed too.
        Returns why the call is not one for this variant."""
        function = overload(name)
        outputs = [argument.name for argument in function._schema.arguments if argument.is_out]
        is_mutating = function._schema.is_mutable

        def call(args, kwargs, results):
            if outputs:
                kwargs = dict(kwargs, **{output: torch.empty(0, dtype=result.dtype, device=result.device)
                                         for output, result in zip(outputs, results, strict=True)})
            elif is_mutating:
                args = (args[0].clone(), *args[1:])
            returned = tree_leaves(function(*args, **kwargs))
            self.assertFalse(outputs and not all(a is b for a, b in zip(returned, list(kwargs.values())[-len(outputs):])))
            return returned

        results = tree_leaves(overload(functional)(*args, **kwargs))
        try:
            expected = call(args, kwargs, results)
        except (RuntimeError, IndexError) as error:  # for example, the result of an in-place variant has another shape
            return f'the CPU refuses the call: {error}'
        actual = call(*to_host((args, kwargs)), to_host(results))
        for a, e in zip(actual, expected, strict=True):
            self.assertEqual(a.device.type, 'host')
            torch.testing.assert_close(a.cpu(), e, equal_nan=True)
        return None

    def test_calls_of_each_variant(self):
        warnings.simplefilter('ignore')
        torch.manual_seed(0)
        calls = calls_of_samples()
        for name, by_hand in calls_by_hand().items():
            calls[name] = [*calls[name], *by_hand]
        called, not_called = 0, {}
        for names in OPERATORS:
            if names[0] in NOT_DELEGATED:
                not_called.update(dict.fromkeys(names, NOT_DELEGATED[names[0]]))
                continue
            for name in names:
                why_not = ['no call of the functional variant was recorded']
                for args, kwargs in calls[names[0]]:
                    with self.subTest(name):
                        why_not.append(self.check(names[0], name, args, kwargs))
                    if why_not[-1] is None:
                        break
                if why_not[-1] is None:
                    called += 1
                else:
                    not_called[name] = why_not[-1]
        print(f'{called} variants called, {len(not_called)} not:')
        for name, why in not_called.items():
            print(f'  {name}: {why.splitlines()[0]}')
        self.assertEqual([name for name, why in not_called.items() if why not in NOT_DELEGATED.values()], [])


unittest.main(verbosity=2)
