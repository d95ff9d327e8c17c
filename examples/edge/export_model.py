"""export_model.py FOLDER: exports MobileNetV3 with random weights from a seed to model.pt2, and writes its input and output
to expected.safetensors. Needs torch, torchvision and safetensors.
"""
import pathlib
import sys

import safetensors.torch
import torch
import torchvision

folder = pathlib.Path(sys.argv[1])
torch.manual_seed(0)
model = torchvision.models.mobilenet_v3_small().eval()
image = torch.randn(1, 3, 224, 224)
with torch.no_grad():
    output = model(image)
torch.export.save(torch.export.export(model, (image,)), folder / 'model.pt2')
safetensors.torch.save_file({'input.0': image, 'output.0': output}, folder / 'expected.safetensors')
