"""test_library.py LIBRARY: compares the operators of the device with those of the CPU, on PyTorch's own samples."""
import collections
import json
import pathlib
import sys
import unittest
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db

library = pathlib.Path(sys.argv.pop()).absolute()
torch.ops.load_library(str(library))
torch.utils.rename_privateuse1_backend('host')


class DeviceModule:
    """`torch.host`, which PyTorch expects for a device."""

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def device_count():
        return 1

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def _is_in_bad_fork():
        return False

    @staticmethod
    def manual_seed_all(seed):
        pass


torch._register_device_module('host', DeviceModule)
torch.utils.generate_methods_for_privateuse1_backend()


def structured_operators():
    """Schema names of the variants of operators with an impl: `add.Tensor`."""
    imported = json.loads((library.parent / 'host_device.gen' / 'operators.json').read_text())['imported']
    names = [[variant['schema'].split('(')[0].removeprefix('aten::') for variant in entry['operator']['variants']]
             for entry in imported if 'structured' in entry['operator']]
    return names


def overload(name):
    base, _, rest = name.partition('.')
    return getattr(getattr(torch.ops.aten, base), rest or 'default')


OPERATORS = structured_operators()
# OpInfo's names of operators that call one with another name.
OTHER_NAMES = {'softmax': '_softmax', 'nn.functional.softmax': '_softmax', 'log_softmax': '_log_softmax',
               'nn.functional.log_softmax': '_log_softmax', '__getitem__': 'index', 'true_divide': 'div'}


def on_device(value, requires_grad=False):
    def convert(item):
        if isinstance(item, torch.Tensor):
            # Detached copies keep strides.
            copy = torch.empty_strided(item.size(), item.stride(), dtype=item.dtype, device='host')
            return copy.copy_(item.detach()).requires_grad_(item.requires_grad)
        return item
    return torch.utils._pytree.tree_map(convert, value)


def tensors(value):
    return [item for item in torch.utils._pytree.tree_leaves(value) if isinstance(item, torch.Tensor)]


class Samples(unittest.TestCase):
    maxDiff = None

    def compare(self, actual, expected):
        actual, expected = tensors(actual), tensors(expected)
        self.assertEqual(len(actual), len(expected))
        for a, e in zip(actual, expected):
            self.assertEqual(a.device.type, 'host')
            torch.testing.assert_close(a.cpu(), e, rtol=2e-4, atol=1e-5, equal_nan=True)

    def variants(self, op, sample, requires_grad):
        """Names of variants, and functions that return the results on the CPU and on the device."""
        def call(function, moved):
            return function(moved.input, *moved.args, **moved.kwargs)

        def functional(moved):
            return call(op, moved)
        yield 'functional', functional

        if op.supports_out and not requires_grad:
            def out(moved):
                results = call(op, moved)
                single = isinstance(results, torch.Tensor)
                outs = [torch.empty_like(result) for result in ([results] if single else results)]
                op(moved.input, *moved.args, **moved.kwargs, out=outs[0] if single else tuple(outs))
                return outs
            yield 'out=', out
        if op.inplace_variant is not None and not sample.broadcasts_input and not requires_grad:
            def inplace(moved):
                copy = moved.input.clone()
                op.inplace_variant(copy, *moved.args, **moved.kwargs)
                return copy
            yield 'in-place', inplace
        if requires_grad:
            def gradients(moved):
                results = [result for result in tensors(call(op, moved)) if result.requires_grad]
                inputs = [each for each in tensors((moved.input, moved.args, moved.kwargs)) if each.requires_grad]
                return torch.autograd.grad([result.sum() for result in results], inputs, allow_unused=True)
            yield 'gradients', gradients

    def check_sample(self, op, sample, requires_grad, counts, failures):
        for name, function in self.variants(op, sample, requires_grad):
            try:
                expected = function(sample)
            except Exception:  # not a call that the CPU accepts
                continue
            moved = sample.transform(on_device)
            counts[name] += 1
            try:
                self.compare(function(moved), expected)
            except Exception as error:
                failures.append(f'{op.full_name} {name}: {str(error).strip().splitlines()[0]}')

    def test_operators_give_the_results_of_the_cpu(self):
        warnings.simplefilter('ignore')
        bases = {name.partition('.')[0] for names in OPERATORS for name in names}
        counts, failures, covered = collections.Counter(), [], set()
        before = torch.ops.host_device.fallbacks()
        for op in op_db:
            base = OTHER_NAMES.get(op.full_name, op.aten_name)
            if base not in bases:
                continue
            for dtype in (torch.float32, torch.int64, torch.bool):
                if dtype not in op.dtypes:
                    continue
                covered.add(base)
                requires_grad = [False] + [True] * (dtype == torch.float32 and op.supports_autograd)
                for with_gradients in requires_grad:
                    for sample in op.sample_inputs('cpu', dtype, requires_grad=with_gradients):
                        self.check_sample(op, sample, with_gradients, counts, failures)
        total = sum(counts.values())
        print(f'{len(covered)} operators, {total} calls ({dict(counts)}), {len(failures)} fail')
        for failure in sorted(set(failures)):
            print('  ', failure)
        self.assertGreater(total, 3000)
        self.assertLessEqual(len(failures), total // 100)
        # The device's own kernels ran.
        after = torch.ops.host_device.fallbacks()
        fallen = {name.removeprefix('aten::') for name in after if after[name] != before.get(name)}
        self.assertEqual(fallen & {name for names in OPERATORS for name in names}, set())


class Backend(unittest.TestCase):
    def test_has_kernels_of_core_aten(self):
        core = [names[0] for names in OPERATORS if torch.Tag.core in overload(names[0]).tags]
        print(f'{len(OPERATORS)} structured operators, {len(core)} of them in Core ATen')
        self.assertGreaterEqual(len(core), 60)

    def test_falls_back_to_the_cpu(self):
        x = torch.randn(5, 3, device='host')
        before = torch.ops.host_device.fallbacks().get('aten::logit', 0)
        result = x.logit(0.1)
        self.assertEqual(result.device.type, 'host')
        torch.testing.assert_close(result.cpu(), x.cpu().logit(0.1))
        self.assertEqual(torch.ops.host_device.fallbacks()['aten::logit'], before + 1)

    def test_random_numbers_come_from_a_generator_of_the_device(self):
        generator = torch.Generator(device='host')
        first = torch.rand(4, device='host', generator=generator.manual_seed(3))
        second = torch.rand(4, device='host', generator=generator.manual_seed(3))
        self.assertTrue(torch.equal(first.cpu(), second.cpu()))
        self.assertFalse(torch.equal(first.cpu(), torch.rand(4, device='host', generator=generator).cpu()))
        with self.assertRaisesRegex(RuntimeError, "(?i)generator"):
            torch.rand(4, device='host', generator=torch.Generator())

    def test_trains_a_model(self):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 3))
        x, target = torch.randn(6, 4), torch.randint(0, 3, (6,))
        losses = []
        for device in ('cpu', 'host'):
            copy = torch.nn.Sequential(*[type(layer)(layer.in_features, layer.out_features)
                                         if isinstance(layer, torch.nn.Linear) else layer for layer in model])
            copy.load_state_dict(model.state_dict())
            copy.to(device)
            optimizer = torch.optim.SGD(copy.parameters(), lr=0.5)
            for _ in range(5):
                optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(copy(x.to(device)), target.to(device))
                loss.backward()
                optimizer.step()
            losses.append(loss.item())
        self.assertAlmostEqual(*losses, places=4)

    def test_reports_wrong_arguments_like_the_cpu(self):
        x, y = torch.ones(2, 3, device='host'), torch.ones(2, 4, device='host')
        with self.assertRaisesRegex(RuntimeError, 'must match the size of tensor b'):
            x + y
        with self.assertRaisesRegex(RuntimeError, 'mat1 and mat2 shapes cannot be multiplied'):
            x @ x
        with self.assertRaisesRegex(RuntimeError, 'Expected all tensors to be on the same device'):
            torch.mm(x, torch.ones(3, 2))
        with self.assertRaisesRegex(NotImplementedError, 'expected real numbers on the device, found ComplexFloat'):
            torch.ones(2, dtype=torch.complex64, device='host') + 1
        with self.assertWarnsRegex(UserWarning, 'An output with one or more elements was resized'):
            torch.add(x, 1, out=torch.ones(7, device='host'))


unittest.main(verbosity=2)
