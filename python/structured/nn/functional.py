"""Functions of neural networks: layers without parameters of their own, activations and losses."""
from __future__ import annotations

from collections.abc import Sequence

from structured import _operators
from structured._core import Tensor
from structured._operators import adaptive_avg_pool1d as adaptive_avg_pool1d
from structured._operators import adaptive_avg_pool2d as adaptive_avg_pool2d
from structured._operators import adaptive_avg_pool3d as adaptive_avg_pool3d
from structured._operators import avg_pool1d as avg_pool1d
from structured._operators import avg_pool2d as avg_pool2d
from structured._operators import avg_pool3d as avg_pool3d
from structured._operators import conv1d as conv1d
from structured._operators import conv2d as conv2d
from structured._operators import conv3d as conv3d
from structured._operators import conv_transpose1d as conv_transpose1d
from structured._operators import conv_transpose2d as conv_transpose2d
from structured._operators import conv_transpose3d as conv_transpose3d
from structured._operators import linear as linear
from structured._operators import one_hot as one_hot
from structured._operators import pixel_shuffle as pixel_shuffle
from structured._operators import pixel_unshuffle as pixel_unshuffle
from structured._operators import prelu as prelu
from structured._operators import scaled_dot_product_attention as scaled_dot_product_attention
from structured._operators import sigmoid as sigmoid
from structured._operators import softplus as softplus
from structured._operators import tanh as tanh
from structured._types import DTypeLike

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name: str) -> int:
    if name not in _REDUCTIONS:
        raise ValueError(f"expected `none`, `mean` or `sum` as reduction, got `{name}`")
    return _REDUCTIONS[name]


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    code = _reduction(reduction)
    return loss if code == 0 else loss.mean() if code == 1 else loss.sum()


# ---------------------------------------------------------------------------------------------------- activations


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Rectified linear unit: the larger of each element and zero."""
    return input.relu_() if inplace else _operators.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elements limited to the range from 0 to 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elements limited to the range from `min_val` to `max_val`."""
    return (_operators.hardtanh_ if inplace else _operators.hardtanh)(input, min_val, max_val)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Rectified linear unit with a slope for negative elements."""
    return (_operators.leaky_relu_ if inplace else _operators.leaky_relu)(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Exponential linear unit: `alpha * (exp(x) - 1)` for negative elements."""
    return (_operators.elu_ if inplace else _operators.elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled exponential linear unit."""
    return (_operators.selu_ if inplace else _operators.selu)(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Continuously differentiable exponential linear unit."""
    return (_operators.celu_ if inplace else _operators.celu)(input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Sigmoid linear unit: `x * sigmoid(x)`."""
    return (_operators.silu_ if inplace else _operators.silu)(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """`x * tanh(softplus(x))`."""
    return (_operators.mish_ if inplace else _operators.mish)(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """`x * relu6(x + 3) / 6`."""
    return (_operators.hardswish_ if inplace else _operators.hardswish)(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """`relu6(x + 3) / 6`."""
    return (_operators.hardsigmoid_ if inplace else _operators.hardsigmoid)(input)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Elements above `threshold`, and `value` for the others."""
    return (_operators.threshold_ if inplace else _operators.threshold)(input, threshold, value)


def logsigmoid(input: Tensor) -> Tensor:
    """Logarithm of sigmoid."""
    return _operators.log_sigmoid(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Gaussian error linear unit."""
    return _operators.gelu(input, approximate=approximate)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Gated linear unit: the first half of a dimension times the sigmoid of the second half."""
    return _operators.glu(input, dim)


def softmax(input: Tensor, dim: int, dtype: DTypeLike | None = None) -> Tensor:
    """Exponentials of the elements, divided by their sum along `dim`."""
    return _operators.softmax(input, dim, dtype)


def log_softmax(input: Tensor, dim: int, dtype: DTypeLike | None = None) -> Tensor:
    """Logarithm of softmax."""
    return _operators.log_softmax(input, dim, dtype)


def softmin(input: Tensor, dim: int, dtype: DTypeLike | None = None) -> Tensor:
    """Softmax of the negated elements."""
    return _operators.softmax(-input, dim, dtype)


def softsign(input: Tensor) -> Tensor:
    """`x / (1 + |x|)`."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """`x - tanh(x)`."""
    return input - input.tanh()


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divides by the p-norm along `dim`, or by `eps` if the norm is smaller."""
    return input / _operators.linalg_vector_norm(input, p, dim, True).clamp_min(eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Cosine of the angle between vectors along `dim`."""
    squares = (x1 * x1).sum(dim) * (x2 * x2).sum(dim)
    return (x1 * x2).sum(dim) / squares.clamp_min(eps * eps).sqrt()


# --------------------------------------------------------------------------------------------------------- layers


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes each element with probability `p` and scales the others by `1 / (1 - p)`, in training."""
    return (_operators.dropout_ if inplace else _operators.dropout)(input, p, training)


def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False,
) -> Tensor:
    """Rows of `weight` at the indices `input`. The row `padding_idx` gets no gradient. With `max_norm`, first scales
    used rows with a larger norm down to that norm, in place."""
    if padding_idx is None:
        padding_idx = -1
    elif not -weight.size(0) <= padding_idx < weight.size(0):
        raise ValueError(f"embedding: expected padding_idx from {-weight.size(0)} to {weight.size(0) - 1}, "
                         f"got {padding_idx}")
    elif padding_idx < 0:
        padding_idx += weight.size(0)
    if max_norm is not None:
        _operators.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return _operators.embedding(weight, input, padding_idx, scale_grad_by_freq)


def batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel, by the statistics of the batch in training and by the running statistics otherwise."""
    if training and input.numel() // max(input.size(1), 1) == 1:
        raise ValueError(f"batch_norm: expected more than one value for each channel in training, got shape "
                         f"{tuple(input.shape)}")
    return _operators.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel of each sample."""
    return _operators.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes over the last dimensions, whose sizes are `normalized_shape`."""
    return _operators.layer_norm(input, normalized_shape, weight, bias, eps)


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
) -> Tensor:
    """Normalizes groups of channels of each sample."""
    return _operators.group_norm(input, num_groups, weight, bias, eps)


def _windows(stride: int | Sequence[int] | None) -> int | Sequence[int]:
    return [] if stride is None else stride


def max_pool1d(
    input: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window."""
    return _operators.max_pool1d(input, kernel_size, _windows(stride), padding, dilation, ceil_mode)


def max_pool2d(
    input: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window."""
    return _operators.max_pool2d(input, kernel_size, _windows(stride), padding, dilation, ceil_mode)


def max_pool3d(
    input: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """The largest element of each window."""
    return _operators.max_pool3d(input, kernel_size, _windows(stride), padding, dilation, ceil_mode)


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Pads the last dimensions by pairs of widths, the last dimension first."""
    return _operators.pad(input, pad, mode, value)


def interpolate(
    input: Tensor, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest", align_corners: bool = False,
) -> Tensor:
    """Resizes the spatial dimensions of [N, C, ...] to `size`, or by `scale_factor`. Modes are `nearest`,
    `nearest-exact`, `linear`, `bilinear`, `bicubic` and `trilinear`, for the rank that PyTorch has them for."""
    rank = input.dim() - 2
    names = {
        "nearest": f"upsample_nearest{rank}d", "nearest-exact": f"_upsample_nearest_exact{rank}d",
        "linear": "upsample_linear1d", "bilinear": "upsample_bilinear2d", "bicubic": "upsample_bicubic2d",
        "trilinear": "upsample_trilinear3d"}
    if mode not in names or not hasattr(_operators, names[mode]) or not names[mode].endswith(f"{rank}d"):
        raise ValueError(f"interpolate: mode `{mode}` does not exist for inputs with {input.dim()} dimensions")
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: expected either size or scale_factor")
    if isinstance(size, int):
        size = [size] * rank
    if isinstance(scale_factor, (int, float)):
        scale_factor = [float(scale_factor)] * rank
    function = getattr(_operators, names[mode])
    if mode.startswith("nearest"):
        return function(input, size, scale_factor)  # type: ignore[no-any-return]
    return function(input, size, align_corners, scale_factor)  # type: ignore[no-any-return]


# --------------------------------------------------------------------------------------------------------- losses


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Squared error."""
    return _operators.mse_loss(input, target, _reduction(reduction))


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Absolute error."""
    return _operators.l1_loss(input, target, _reduction(reduction))


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Absolute error, squared where it is less than `beta`."""
    if beta == 0.0:
        return l1_loss(input, target, reduction)
    return _operators.smooth_l1_loss(input, target, _reduction(reduction), beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """Squared error, linear where it is larger than `delta`."""
    return _operators.huber_loss(input, target, _reduction(reduction), delta)


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
) -> Tensor:
    """Negative log-likelihood of the classes `target` [N, ...] for log-probabilities `input` [N, C, ...] or [C]."""
    code = _reduction(reduction)
    if input.dim() <= 2:
        return _operators.nll_loss(input, target, weight, code, ignore_index)
    # Classes become the last dimension, and all others rows.
    rows = input.movedim(1, -1).reshape(-1, input.size(1))
    loss = _operators.nll_loss(rows, target.reshape(-1), weight, code, ignore_index)
    return loss.reshape(target.shape) if code == 0 else loss


def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross entropy of softmax of the scores `input` [N, C, ...] or [C] and `target`: class indices [N, ...], or
    probabilities of the shape of `input`."""
    if not 0.0 <= label_smoothing <= 1.0:
        raise ValueError(f"cross_entropy: expected label_smoothing from 0 to 1, got {label_smoothing}")
    dim = 0 if input.dim() == 1 else 1
    logarithms = _operators.log_softmax(input, dim)
    classes = input.size(dim)
    if target.shape == input.shape and target.is_floating_point():
        if label_smoothing > 0.0:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        products = logarithms * target
        if weight is not None:
            products = products * weight.reshape([-1] + [1] * (input.dim() - dim - 1))
        loss = -products.sum(dim)
        if reduction == "mean":
            return loss.sum() / max(loss.numel(), 1)
        return _reduced(loss, reduction)
    hard = nll_loss(logarithms, target, weight, ignore_index, reduction)
    if label_smoothing == 0.0:
        return hard
    # Every class counts equally: minus the mean of the weighted logarithms.
    weights = _operators.ones(classes, dtype=input.dtype) if weight is None else weight
    is_counted = target != ignore_index
    products = logarithms * weights.reshape([-1] + [1] * (input.dim() - dim - 1))
    smooth = _operators.where(is_counted, -products.sum(dim), 0.0)
    if reduction == "mean":
        counts = weights[_operators.where(is_counted, target, 0)]
        smooth = smooth.sum() / _operators.where(is_counted, counts, 0.0).sum()
    elif reduction == "sum":
        smooth = smooth.sum()
    return hard * (1 - label_smoothing) + smooth * (label_smoothing / classes)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean",
) -> Tensor:
    """Cross entropy of the probabilities `input` and `target`."""
    return _operators.binary_cross_entropy(input, target, weight, _reduction(reduction))


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Cross entropy of sigmoid of the scores `input` and `target`."""
    return _operators.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _reduction(reduction))


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Kullback-Leibler divergence of `target` from the log-probabilities `input`. The reduction may be `batchmean`, too:
    the sum divided by the number of samples."""
    loss = target.exp() * (target - input) if log_target else _operators.xlogy(target, target) - target * input
    return loss.sum() / input.size(0) if reduction == "batchmean" else _reduced(loss, reduction)


def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """`log(1 + exp(-target * input))` for targets 1 and -1."""
    return _operators.soft_margin_loss(input, target, _reduction(reduction))


TYPE_CHECKING = False  # type checkers know the names
if not TYPE_CHECKING:
    from structured._missing import missing

    __getattr__ = missing(__name__)
