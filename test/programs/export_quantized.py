#!/usr/bin/env python3
"""export_quantized.py OUTDIR [--size PIXELS] [--names a,b]: writes models that torchao's PT2E flow has quantized.

    NAME.pt2                    torch.export.export of the converted module
    NAME.float.pt2              the same model, not quantized
    NAME.expected.safetensors   tensors `input.0` and `output.0` of the converted module in PyTorch

Each model is exported, prepared with observers, calibrated with random images, converted, and exported again. Random weights
from a seed; batch norms get statistics from random data. Names end in the quantizer: `xnnpack` has activations of dtype int8,
and `x86` of dtype uint8; both quantize weights by channels.
"""
import argparse
import pathlib
import warnings

warnings.filterwarnings('ignore')
import torch
import torchvision
from safetensors.torch import save_file
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from export_models import settle_batch_norms


class Perceptron(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * size * size, 256), torch.nn.ReLU(),
                                          torch.nn.Linear(256, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))

    def forward(self, x):
        return self.layers(x)


MODELS = {
    'mlp': Perceptron,
    'resnet18': lambda size: torchvision.models.resnet18(weights=None),
    'mobilenet_v2': lambda size: torchvision.models.mobilenet_v2(weights=None),
}


# torchao's quantizer for x86 refuses ResNet-18, whose layers relu computes in place.
NAMES = ['mlp.xnnpack', 'mlp.x86', 'resnet18.xnnpack', 'mobilenet_v2.xnnpack']


def quantizer(kind):
    if kind == 'x86':
        from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
        return x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config())
    from torchao.testing.pt2e import _xnnpack_quantizer as xnnpack
    return xnnpack.XNNPACKQuantizer().set_global(xnnpack.get_symmetric_quantization_config(is_per_channel=True))


def export(name, outdir, size):
    model_name, _, kind = name.rpartition('.')
    torch.manual_seed(0)
    model = MODELS[model_name](size).eval().requires_grad_(False)
    x = torch.randn(1, 3, size, size)
    settle_batch_norms(model, (x,))
    torch.export.save(torch.export.export(model, (x,)), outdir / f'{name}.float.pt2')
    with torch.no_grad():
        prepared = prepare_pt2e(torch.export.export(model, (x,)).module(), quantizer(kind))
        for _ in range(4):
            prepared(torch.randn(1, 3, size, size))
        converted = convert_pt2e(prepared)
        torch.export.save(torch.export.export(converted, (x,)), outdir / f'{name}.pt2')
        save_file({'input.0': x, 'output.0': converted(x).contiguous()}, outdir / f'{name}.expected.safetensors')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('outdir', type=pathlib.Path)
    parser.add_argument('--size', type=int, default=64)
    parser.add_argument('--names', default=','.join(NAMES))
    arguments = parser.parse_args()
    arguments.outdir.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    for name in arguments.names.split(','):
        export(name, arguments.outdir, arguments.size)


if __name__ == '__main__':
    main()
