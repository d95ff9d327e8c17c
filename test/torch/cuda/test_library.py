"""test_library.py LIBRARY: tests a library with kernels for CUDA. Values on a GPU are compared where there is one."""
import pathlib
import re
import sys
import unittest

import torch

LIBRARY = pathlib.Path(sys.argv.pop(1)).absolute()
sys.path.insert(0, str(LIBRARY.parent.parent))
import gpu_ops  # noqa: E402

VARIANTS = ['axpy', 'axpy_', 'axpy.out', 'gated', 'gated_', 'gated.out', 'int_power', 'int_power_', 'is_near', 'is_near_',
            'is_near.out', 'choose', 'choose.out', 'cut', 'cut_', 'cut.out']


def samples(dtype, device):
    """Calls of each operator: name, arguments and keywords."""
    def tensor(*size):
        numbers = torch.arange(torch.Size(size).numel(), device=device).reshape(size) % 7 - 3
        return numbers.to(dtype)

    a, b, mask = tensor(33, 70), tensor(70), tensor(33, 1) > 0
    rows = tensor(70, 33).t()
    yield 'axpy', (a, b), {'alpha': 2}
    yield 'axpy', (a, rows), {}
    yield 'axpy', (a, torch.ones(70, device=device, dtype=torch.int32)), {}
    if dtype in [torch.float32, torch.bfloat16]:
        yield 'gated', (a, 0.5, b), {}
    if dtype in [torch.float32, torch.int64]:
        yield 'is_near', (a, b), {'tolerance': 1}
    if dtype in [torch.float16, torch.float32]:
        yield 'choose', (a, b, mask), {'most': 2}
    if dtype == torch.float32:
        yield 'int_power', (a, 3), {'absolute': True}


class Registered(unittest.TestCase):
    def test_a_kernel_for_each_variant(self):
        for name in VARIANTS:
            self.assertTrue(torch._C._dispatch_has_kernel_for_dispatch_key(f'gpu::{name}', 'CUDA'), name)

    def test_gradients_of_scalar_functions(self):
        kernels = torch._C._dispatch_get_registrations_for_dispatch_key('CUDA')
        hidden = [name for name in kernels if name.startswith('gpu::_') and 'backward' in name]
        self.assertTrue(any('gated_backward_self' in name for name in hidden), hidden)


class DeviceCode(unittest.TestCase):
    def test_loops_of_each_dtype(self):
        # The names of kernels, by which the library registers them at the CUDA runtime.
        names = re.findall(rb'\w*cuda_of_\w+_element\w*', LIBRARY.read_bytes())
        for element, dtype in [('axpy', 'N3c104HalfE'), ('axpy', 'N3c108BFloat16E'), ('axpy', 'd'), ('axpy', 'l'), ('gated', 'f'),
                               ('int_power', 'f'), ('is_near', 'l'), ('choose', 'f')]:
            parts = f'cuda_of_{element}_element'.encode(), f'8OfStoredI{dtype}'.encode()
            self.assertTrue(any(all(part in name for part in parts) for name in names), f'no loop of {element} for {dtype}')


class Shapes(unittest.TestCase):
    def test_fake_tensors_on_a_gpu(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode(), torch.device('cuda'):
            out = torch.ops.gpu.axpy(torch.empty(4, 1), torch.empty(3))
            self.assertEqual((out.shape, out.device.type, out.dtype), ((4, 3), 'cuda', torch.float32))
            self.assertEqual(torch.ops.gpu.is_near(out, out).dtype, torch.bool)


class Values(unittest.TestCase):
    def test_on_the_cpu(self):
        a = torch.tensor([1.0, -2.0, 4.0])
        torch.testing.assert_close(gpu_ops.axpy(a, a, alpha=2), 3 * a)

    def test_gradients_on_the_cpu(self):
        a = torch.tensor([0.5, -2.0], requires_grad=True)
        out = gpu_ops.gated(a, 0.5, torch.ones(2))
        expected, = torch.autograd.grad((a / (1 + torch.exp(-0.5 * a))).sum(), a)
        torch.testing.assert_close(torch.autograd.grad(out.sum(), a)[0], expected)

    def test_on_the_gpu(self):
        if not torch.cuda.is_available():
            self.skipTest('PyTorch finds no GPU')
        for dtype in [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64]:
            on_gpu = samples(dtype, 'cuda')
            for name, arguments, keywords in samples(dtype, 'cpu'):
                with self.subTest(f'{name} of {dtype}'):
                    _, gpu_arguments, _ = next(on_gpu)
                    operator = getattr(torch.ops.gpu, name)
                    torch.testing.assert_close(operator(*gpu_arguments, **keywords).cpu(), operator(*arguments, **keywords))
        a = torch.rand(1000, device='cuda')
        torch.testing.assert_close(torch.ops.gpu.cut(a, 0.5), a.clamp(max=0.5))


unittest.main(verbosity=2)
