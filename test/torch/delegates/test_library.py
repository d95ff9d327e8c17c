"""test_library.py LIBRARY: each variant of PyTorch's structured operators has a kernel on the device, and some are called."""
import json
import pathlib
import sys
import unittest

import torch

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


unittest.main(verbosity=2)
