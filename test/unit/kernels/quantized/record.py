#!/usr/bin/python3
"""record.py OUTPUT: calls operators of quantized tensors by the torch of this Python, and writes arguments and results.

values.json was written with Debian's python3-torch, PyTorch 1.13.1, whose engine for quantized tensors is QNNPACK. Each line
is a call: the operator's full name, its arguments and its result. Tensors have a dtype, sizes and elements, quantized ones
also a scale and a zero point, or vectors of them and an axis.
"""
import json
import sys

import torch

torch.backends.quantized.engine = "qnnpack"
torch.manual_seed(1)
DTYPES = {torch.float: "Float", torch.double: "Double", torch.int64: "Long", torch.uint8: "Byte", torch.int8: "Char",
          torch.int32: "Int", torch.quint8: "QUInt8", torch.qint8: "QInt8", torch.qint32: "QInt32"}
calls = []


class Packed:
    """Parameters of a layer, made by an operator."""

    def __init__(self, op, *args):
        self.op, self.args = op, args


def function(op):
    name, _, overload = op.partition(".")
    namespace, _, name = name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), name)
    return getattr(packet, overload or "default")


def described(value):
    if isinstance(value, torch.Tensor):
        result = {"dtype": DTYPES[value.dtype], "sizes": list(value.shape)}
        if value.dim() == 4 and value.is_contiguous(memory_format=torch.channels_last) and not value.is_contiguous():
            result["channels_last"] = True
        elements = value
        if value.is_quantized:
            elements = value.int_repr()
            if value.qscheme() == torch.per_tensor_affine:
                result |= {"scale": value.q_scale(), "zero_point": value.q_zero_point()}
            else:
                result |= {"scales": value.q_per_channel_scales().tolist(),
                           "zero_points": value.q_per_channel_zero_points().tolist(), "axis": value.q_per_channel_axis()}
        elements = elements.contiguous().flatten()
        if elements.dtype == torch.float:  # the shortest text that gives the same number
            return result | {"data": [float(str(number)) for number in elements.numpy()]}
        return result | {"data": elements.tolist()}
    if isinstance(value, Packed):
        return {"op": value.op, "arguments": [described(argument) for argument in value.args]}
    if isinstance(value, torch.dtype):
        return {"scalar_type": DTYPES[value]}
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], torch.Tensor):
        return {"tensors": [described(tensor) for tensor in value]}
    return list(value) if isinstance(value, tuple) else value


def evaluated(value):
    return function(value.op)(*value.args) if isinstance(value, Packed) else value


def record(op, *args):
    with torch.no_grad():
        result = function(op)(*[evaluated(argument) for argument in args])
    calls.append({"op": op, "arguments": [described(argument) for argument in args], "result": described(result)})
    return result


def real(*sizes, scale=1.0):
    return torch.randn(*sizes) * scale


def quantized(*sizes, scale=0.1, zero_point=120, dtype=torch.quint8):
    info = {torch.quint8: (0, 256), torch.qint8: (-128, 128), torch.qint32: (-1000, 1000)}[dtype]
    integers = torch.randint(*info, sizes, dtype={torch.quint8: torch.uint8, torch.qint8: torch.int8,
                                                  torch.qint32: torch.int32}[dtype])
    return torch._make_per_tensor_quantized_tensor(integers, scale, zero_point)


def weight(*sizes, zero_point=0):
    return torch.quantize_per_tensor(real(*sizes), 0.02, zero_point, torch.qint8)


def channel_weight(*sizes):
    scales = torch.rand(sizes[0], dtype=torch.double) * 0.02 + 0.01
    return torch.quantize_per_channel(real(*sizes), scales, torch.zeros(sizes[0], dtype=torch.long), 0, torch.qint8)


# Ties, both ends of the range, and values beyond them.
edges = torch.tensor([-1e9, -300.0, -1.25, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.25, 63.5, 300.0, 1e9])
for dtype, zero_point in [(torch.quint8, 3), (torch.qint8, -4), (torch.qint32, 7)]:
    for values, scale in [(edges, 0.5), (real(17), 0.037)]:
        record("aten::dequantize.self", record("aten::quantize_per_tensor", values, scale, zero_point, dtype))
    record("aten::quantize_per_tensor.tensor_qparams", edges, torch.tensor(0.25), torch.tensor(zero_point), dtype)
    for axis, sizes in [(0, (3, 5)), (1, (2, 3, 2)), (2, (2, 1, 4))]:
        scales, zero_points = torch.rand(sizes[axis]) * 0.1 + 0.01, torch.randint(0, 5, (sizes[axis],))
        result = record("aten::quantize_per_channel", real(*sizes), scales, zero_points, axis, dtype)
        record("aten::dequantize.self", result)
        record("aten::int_repr", result)

image = real(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
record("aten::dequantize.self", record("aten::quantize_per_tensor", image, 0.02, 100, torch.quint8))
record("aten::quantize_per_channel", image, torch.rand(3) * 0.1 + 0.01, torch.tensor([0, 10, 255]), 1, torch.quint8)

for op in ["quantized::conv2d.new", "quantized::conv2d_relu.new"]:
    def convolution(x, w, bias, stride, padding, dilation, groups, scale, zero_point):
        packed = Packed("quantized::conv2d_prepack", w, bias, stride, padding, dilation, groups)
        record(op, x, packed, scale, zero_point)
    convolution(quantized(2, 3, 5, 6), weight(8, 3, 3, 3), real(8), [1, 1], [1, 1], [1, 1], 1, 0.7, 110)
    convolution(quantized(1, 3, 7, 6), channel_weight(17, 3, 3, 2), real(17), [2, 1], [0, 1], [1, 2], 1, 0.6, 130)
    convolution(quantized(1, 4, 4, 4, zero_point=0), weight(5, 4, 1, 1, zero_point=7), None, [1, 1], [0, 0], [1, 1], 1, 0.5, 90)
    convolution(quantized(1, 6, 5, 5), channel_weight(4, 3, 2, 2), real(4), [1, 1], [1, 0], [1, 1], 2, 0.9, 128)
    convolution(quantized(2, 9, 5, 4, zero_point=255), channel_weight(9, 1, 3, 3), real(9), [1, 1], [1, 1], [1, 1], 9, 0.4, 100)
    convolution(quantized(1, 8, 6, 5), weight(8, 1, 3, 3, zero_point=-3), real(8), [2, 2], [2, 1], [2, 1], 8, 0.5, 120)
    convolution(quantized(1, 4, 3, 3), weight(8, 1, 2, 2), real(8), [1, 1], [0, 0], [1, 1], 4, 0.3, 140)
    convolution(quantized(1, 2, 12, 9).contiguous(memory_format=torch.channels_last), weight(3, 2, 3, 3), real(3),
                [1, 1], [1, 1], [1, 1], 1, 0.8, 120)

for op in ["quantized::linear", "quantized::linear_relu"]:
    record(op, quantized(3, 7), Packed("quantized::linear_prepack", weight(5, 7), real(5)), 0.4, 100)
    record(op, quantized(11, 16), Packed("quantized::linear_prepack", channel_weight(33, 16), None), 0.6, 128)
    record(op, quantized(2, 3, 9), Packed("quantized::linear_prepack", weight(4, 9, zero_point=11), real(4)), 0.3, 0)
for op in ["quantized::linear_dynamic", "quantized::linear_relu_dynamic"]:
    record(op, real(4, 10), Packed("quantized::linear_prepack", weight(6, 10), real(6)))
    record(op, real(2, 3, 5), Packed("quantized::linear_prepack", channel_weight(17, 5), None))
    record(op, real(3, 4).abs() + 1, Packed("quantized::linear_prepack", weight(2, 4), real(2)))
    record(op, real(3, 4, scale=1e-6), Packed("quantized::linear_prepack", weight(2, 4), real(2)))

for op in ["quantized::add", "quantized::add_relu"]:
    record(op, quantized(3, 29), quantized(3, 29, scale=0.07, zero_point=33), 0.15, 77)
    record(op, quantized(2, 3, 4, 5), quantized(2, 3, 4, 5, scale=0.3), 0.25, 128)
    record(op, quantized(1, 5, scale=3.0), quantized(1, 5, scale=0.001, zero_point=0), 0.5, 200)
    record(op, quantized(41, scale=0.25, zero_point=128), quantized(41, scale=0.25, zero_point=128), 0.5, 128)
for op in ["quantized::mul", "quantized::mul_relu"]:
    record(op, quantized(3, 29), quantized(3, 29, scale=0.07, zero_point=33), 0.5, 100)
    record(op, quantized(2, 3, 4), quantized(3, 1, scale=0.2), 0.9, 128)
    record(op, quantized(5), quantized(2, 5, zero_point=255), 1.1, 10)

x = quantized(1, 3, 6, 9)
y = quantized(1, 3, 6, 9).contiguous(memory_format=torch.channels_last)
record("aten::cat", [x, x], 1)
for op in ["quantized::cat", "quantized::cat_relu"]:
    record(op, [quantized(2, 3), quantized(2, 5, scale=0.3, zero_point=10)], 1, 0.2, 128)
    record(op, [quantized(4), quantized(3)], 0, None, None)
for value in [x, y]:
    record("aten::max_pool2d", value, [2, 3], [2, 1], [1, 1], [1, 1], True)
    record("aten::max_pool2d", value, [3, 3], [1, 2], [0, 0], [2, 1], False)
    record("aten::upsample_nearest2d", value, [9, 13], None, None)
    record("aten::_adaptive_avg_pool2d", value, [3, 3])
    record("aten::adaptive_avg_pool2d", value, [1, 1])
    record("aten::adaptive_avg_pool2d", value, [6, 9])
    record("aten::mean.dim", value, [2, 3], True)
    record("aten::mean.dim", value, [2, 3], False)
    record("aten::clone", value)
record("aten::_adaptive_avg_pool2d", x, [4, 5])
record("aten::upsample_nearest2d", x, [3, 18], 0.5, 2.0)
every = torch._make_per_tensor_quantized_tensor(torch.arange(256, dtype=torch.uint8).reshape(4, 64), 0.043, 117)
signed = torch._make_per_tensor_quantized_tensor(torch.arange(-128, 128, dtype=torch.int8).reshape(4, 64), 0.043, -7)
for value in [every, signed]:
    record("aten::relu", value)
    record("aten::clamp", value, -1.0, 2.5)
    record("aten::hardtanh", value, -0.5, 0.75)
    record("quantized::relu6", value)
record("aten::sigmoid", every)
record("quantized::sigmoid", every, 1.0 / 256, 0)
record("quantized::hardswish", every, 0.05, 30)
record("quantized::hardswish", every, 0.031, 17)

with open(sys.argv[1], "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(call, separators=(",", ":")) for call in calls) + "\n]\n")
print(len(calls), "calls of", len({call["op"] for call in calls}), "operators")
