"""test_autocast.py LIBRARY: operators with a rule for torch.autocast: `soft_sign` lower_precision, `leaky` and
`soft_clip` fp32, `mix` promote."""
import pathlib
import sys
import unittest

import torch

torch.ops.load_library(str(pathlib.Path(sys.argv.pop(1))))
trial = torch.ops.trial


class Autocast(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x = torch.randn(3, 4)
        self.low = self.x.bfloat16()

    def test_rules(self):
        with torch.autocast('cpu', torch.bfloat16):
            self.assertEqual(trial.soft_sign(self.x).dtype, torch.bfloat16)
            self.assertEqual(trial.leaky(self.low).dtype, torch.float)
            self.assertEqual(trial.soft_clip(self.low).dtype, torch.float)
            self.assertEqual(trial.mix(self.low, self.low, self.low).dtype, torch.bfloat16)
            self.assertEqual(trial.mix(self.low, self.x, self.low).dtype, torch.float)
            self.assertEqual(trial.axpy(self.x, self.x).dtype, torch.float)  # has no rule
        torch.testing.assert_close(trial.soft_sign(self.x), trial.soft_sign(self.low).float(), rtol=0.02, atol=0.02)
        self.assertEqual(trial.soft_sign(self.x).dtype, torch.float)

    def test_values(self):
        with torch.autocast('cpu', torch.bfloat16):
            self.assertTrue(torch.equal(trial.soft_sign(self.x), trial.soft_sign(self.low)))
            self.assertTrue(torch.equal(trial.leaky(self.low), trial.leaky(self.low.float())))

    def test_nested_regions(self):
        with torch.autocast('cpu', torch.bfloat16):
            with torch.autocast('cpu', enabled=False):
                self.assertEqual(trial.soft_sign(self.x).dtype, torch.float)
                self.assertEqual(trial.leaky(self.low).dtype, torch.bfloat16)
                with torch.autocast('cpu', torch.bfloat16):
                    self.assertEqual(trial.soft_sign(self.x).dtype, torch.bfloat16)
                self.assertEqual(trial.soft_sign(self.x).dtype, torch.float)
            self.assertEqual(trial.soft_sign(self.x).dtype, torch.bfloat16)

    def test_other_calls(self):
        with torch.autocast('cpu', torch.bfloat16):
            self.assertEqual(trial.soft_sign(self.x.double()).dtype, torch.double)
            self.assertEqual(trial.soft_sign(torch.tensor([1, 2])).dtype, torch.float)
            self.assertEqual(trial.soft_sign_(self.x.clone()).dtype, torch.float)
            out = torch.empty(0)
            self.assertEqual(trial.soft_sign(self.x, out=out).dtype, torch.float)

    def test_gradients(self):
        x = self.x.requires_grad_()
        with torch.autocast('cpu', torch.bfloat16):
            result = trial.soft_sign(x)
        gradient, = torch.autograd.grad(result.sum(), x)
        self.assertEqual(gradient.dtype, torch.float)
        torch.testing.assert_close(gradient, 1 / (1 + x.detach().abs()).square(), rtol=0.02, atol=0.02)

    @unittest.skipUnless(hasattr(torch, 'compile'), 'no compilers')
    def test_compiled(self):
        def model(x):
            with torch.autocast('cpu', torch.bfloat16):
                return trial.leaky(trial.soft_sign(x)), trial.mix(x, x, x)

        for actual, expected in zip(torch.compile(model, fullgraph=True)(self.x), model(self.x)):
            self.assertEqual(actual.dtype, expected.dtype)
            torch.testing.assert_close(actual, expected, rtol=0.02, atol=0.02)  # Inductor leaves out rounding to bfloat16


if __name__ == '__main__':
    unittest.main()
