"""Layers, activations and losses as modules."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from structured import _operators
from structured._core import Tensor
from structured._types import DTypeLike
from structured.nn import functional as F
from structured.nn import init
from structured.nn._module import Module, Parameter

IntOrInts = int | Sequence[int]


def _new(sizes: Sequence[int], dtype: DTypeLike | None) -> Parameter:
    return Parameter(_operators.empty(sizes, dtype=dtype))


def _uniform_by_inputs(weight: Parameter, bias: Parameter | None, inputs: int) -> None:
    bound = 1 / math.sqrt(inputs) if inputs else 0.0
    init.uniform_(weight, -bound, bound)
    if bias is not None:
        init.uniform_(bias, -bound, bound)


class Linear(Module):
    """`input @ weight.T + bias` for `weight` [out_features, in_features]."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: DTypeLike | None = None) -> None:
        self.in_features = in_features
        self.out_features = out_features
        self.weight = _new((out_features, in_features), dtype)
        self.bias = _new((out_features,), dtype) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Gives the parameters new random values."""
        _uniform_by_inputs(self.weight, self.bias, self.in_features)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Flatten(Module):
    """Makes one dimension of those from `start_dim` to `end_dim`."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Identity(Module):
    """Returns its argument."""

    def forward(self, input: Any) -> Any:
        return input


def _repeated(value: IntOrInts, count: int) -> tuple[int, ...]:
    values = (value,) * count if isinstance(value, int) else tuple(value)
    if len(values) != count:
        raise ValueError(f"expected {count} numbers, got {len(values)}")
    return values


class _Convolution(Module):
    rank = 0

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: IntOrInts, stride: IntOrInts = 1,
        padding: IntOrInts | str = 0, dilation: IntOrInts = 1, groups: int = 1, bias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> None:
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"{type(self).__name__}: {in_channels} and {out_channels} channels are not multiples of "
                             f"{groups} groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _repeated(kernel_size, self.rank)
        self.stride = _repeated(stride, self.rank)
        self.padding = padding if isinstance(padding, str) else _repeated(padding, self.rank)
        self.dilation = _repeated(dilation, self.rank)
        self.groups = groups
        self.weight = _new((*self._weight_channels(), *self.kernel_size), dtype)
        self.bias = _new((out_channels,), dtype) if bias else None
        self.reset_parameters()

    def _weight_channels(self) -> tuple[int, int]:
        return self.out_channels, self.in_channels // self.groups

    def reset_parameters(self) -> None:
        """Gives the parameters new random values."""
        _uniform_by_inputs(self.weight, self.bias, self.weight[0].numel())

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self.rank:
            text += f", padding={self.padding!r}"
        if self.dilation != (1,) * self.rank:
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text + ("" if self.bias is not None else ", bias=False")


class Conv1d(_Convolution):
    """Convolution of [N, C, L]."""

    rank = 1

    def forward(self, input: Tensor) -> Tensor:
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Convolution):
    """Convolution of [N, C, H, W]."""

    rank = 2

    def forward(self, input: Tensor) -> Tensor:
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Convolution):
    """Convolution of [N, C, D, H, W]."""

    rank = 3

    def forward(self, input: Tensor) -> Tensor:
        return F.conv3d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class ConvTranspose2d(_Convolution):
    """Transposed convolution of [N, C, H, W]: the gradient of a convolution with respect to its input."""

    rank = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: IntOrInts, stride: IntOrInts = 1,
        padding: IntOrInts = 0, output_padding: IntOrInts = 0, groups: int = 1, bias: bool = True,
        dilation: IntOrInts = 1, dtype: DTypeLike | None = None,
    ) -> None:
        self.output_padding = _repeated(output_padding, 2)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, dtype)

    def _weight_channels(self) -> tuple[int, int]:
        return self.in_channels, self.out_channels // self.groups

    def forward(self, input: Tensor) -> Tensor:
        assert not isinstance(self.padding, str)
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation)


class _BatchNorm(Module):
    ranks: tuple[int, ...] = ()
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, dtype: DTypeLike | None = None,
    ) -> None:
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(_operators.ones(num_features, dtype=dtype)) if affine else None
        self.bias = Parameter(_operators.zeros(num_features, dtype=dtype)) if affine else None
        tracks = track_running_stats
        self.register_buffer("running_mean", _operators.zeros(num_features, dtype=dtype) if tracks else None)
        self.register_buffer("running_var", _operators.ones(num_features, dtype=dtype) if tracks else None)
        self.register_buffer("num_batches_tracked", _operators.zeros((), dtype=int) if tracks else None)

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in self.ranks:
            raise ValueError(f"{type(self).__name__}: expected {' or '.join(map(str, self.ranks))} dimensions, got "
                             f"{input.dim()}")
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                momentum = 1 / int(self.num_batches_tracked.item())
        uses_batch = self.training or self.running_mean is None
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, uses_batch, momentum, self.eps)

    def extra_repr(self) -> str:
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"track_running_stats={self.track_running_stats}")


class BatchNorm1d(_BatchNorm):
    """Normalizes each channel of [N, C] or [N, C, L]."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalizes each channel of [N, C, H, W]."""

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalizes each channel of [N, C, D, H, W]."""

    ranks = (5,)


class LayerNorm(Module):
    """Normalizes over the last dimensions, whose sizes are `normalized_shape`."""

    def __init__(
        self, normalized_shape: IntOrInts, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> None:
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        self.weight = Parameter(_operators.ones(shape, dtype=dtype)) if elementwise_affine else None
        self.bias = Parameter(_operators.zeros(shape, dtype=dtype)) if elementwise_affine and bias else None

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Normalizes groups of channels of each sample."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: DTypeLike | None = None,
    ) -> None:
        if num_channels % num_groups:
            raise ValueError(f"GroupNorm: {num_channels} channels are not a multiple of {num_groups} groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.weight = Parameter(_operators.ones(num_channels, dtype=dtype)) if affine else None
        self.bias = Parameter(_operators.zeros(num_channels, dtype=dtype)) if affine else None

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


class Embedding(Module):
    """Rows of `weight` [num_embeddings, embedding_dim]. The row `padding_idx` starts as zeros and gets no gradient."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.weight = _new((num_embeddings, embedding_dim), dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Gives the rows new random values."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.detach()[self.padding_idx])

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        return text if self.padding_idx is None else text + f", padding_idx={self.padding_idx}"


class Dropout(Module):
    """Zeroes each element with probability `p` in training, and scales the others by `1 / (1 - p)`."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"Dropout: expected a probability from 0 to 1, got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class _Pool(Module):
    def __init__(
        self, kernel_size: IntOrInts, stride: IntOrInts | None = None, padding: IntOrInts = 0, ceil_mode: bool = False,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1d(_Pool):
    """The largest element of each window of [N, C, L]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, 1, self.ceil_mode)


class MaxPool2d(_Pool):
    """The largest element of each window of [N, C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, 1, self.ceil_mode)


class AvgPool2d(_Pool):
    """The mean of each window of [N, C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode)


class AdaptiveAvgPool2d(Module):
    """Means of evenly spaced windows that cover [N, C, H, W]: [N, C, *output_size]."""

    def __init__(self, output_size: IntOrInts) -> None:
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, _repeated(self.output_size, 2))

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class Upsample(Module):
    """Resizes the spatial dimensions."""

    def __init__(
        self, size: IntOrInts | None = None, scale_factor: float | Sequence[float] | None = None, mode: str = "nearest",
        align_corners: bool = False,
    ) -> None:
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)


# ---------------------------------------------------------------------------------------------------- activations


class _InPlaceActivation(Module):
    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class ReLU(_InPlaceActivation):
    """The larger of each element and zero."""

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class ReLU6(_InPlaceActivation):
    """Elements limited to the range from 0 to 6."""

    def forward(self, input: Tensor) -> Tensor:
        return F.relu6(input, self.inplace)


class SiLU(_InPlaceActivation):
    """`x * sigmoid(x)`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_InPlaceActivation):
    """`x * tanh(softplus(x))`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class Hardswish(_InPlaceActivation):
    """`x * relu6(x + 3) / 6`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Hardsigmoid(_InPlaceActivation):
    """`relu6(x + 3) / 6`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class SELU(_InPlaceActivation):
    """Scaled exponential linear unit."""

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class LeakyReLU(Module):
    """Rectified linear unit with a slope for negative elements."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    """Exponential linear unit."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}"


class Hardtanh(Module):
    """Elements limited to the range from `min_val` to `max_val`."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}"


class GELU(Module):
    """Gaussian error linear unit."""

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class PReLU(Module):
    """Rectified linear unit with slopes that are trained."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: DTypeLike | None = None) -> None:
        self.num_parameters = num_parameters
        self.weight = Parameter(_operators.full((num_parameters,), init, dtype=dtype))

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Sigmoid(Module):
    """`1 / (1 + exp(-x))`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.sigmoid(input)


class Tanh(Module):
    """Hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        return F.tanh(input)


class LogSigmoid(Module):
    """Logarithm of sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softplus(Module):
    """`log(1 + exp(beta * x)) / beta`."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class _AlongDim(Module):
    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """Exponentials of the elements, divided by their sum along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim)


class LogSoftmax(_AlongDim):
    """Logarithm of softmax."""

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim)


class GLU(_AlongDim):
    """The first half of a dimension times the sigmoid of the second half."""

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


# --------------------------------------------------------------------------------------------------------- losses


class _Loss(Module):
    def __init__(self, reduction: str = "mean") -> None:
        self.reduction = reduction


class MSELoss(_Loss):
    """Squared error."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, self.reduction)


class L1Loss(_Loss):
    """Absolute error."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, self.reduction)


class SmoothL1Loss(_Loss):
    """Absolute error, squared where it is less than `beta`."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, self.reduction, self.beta)


class HuberLoss(_Loss):
    """Squared error, linear where it is larger than `delta`."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, self.reduction, self.delta)


class _WeightedLoss(_Loss):
    weight: Tensor | None

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class NLLLoss(_WeightedLoss):
    """Negative log-likelihood of classes."""

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class CrossEntropyLoss(_WeightedLoss):
    """Cross entropy of softmax of the input and classes, or probabilities."""

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class BCELoss(_WeightedLoss):
    """Binary cross entropy of probabilities."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """Binary cross entropy of sigmoid of the input."""

    pos_weight: Tensor | None

    def __init__(
        self, weight: Tensor | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(input, target, self.weight, self.reduction, self.pos_weight)


class KLDivLoss(_Loss):
    """Kullback-Leibler divergence of the target from log-probabilities."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, self.reduction, self.log_target)
