"""Names of PyTorch that the package lacks. The text of an AttributeError says what to use instead."""
from structured import _core
from structured._core import Tensor

# Alternatives for names of modules and methods of Tensor. A text with a bracket or a space is an expression.
ALTERNATIVES = {
    # Other names of functions and methods, which PyTorch has beside these.
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "clip": "clamp", "concatenate": "cat", "divide": "div", "fix": "trunc",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "multiply": "mul", "negative": "neg",
    "not_equal": "ne", "subtract": "sub",
    # Linear algebra.
    "cholesky": "linalg_cholesky", "eig": "linalg_eig", "frobenius_norm": "linalg_vector_norm", "lstsq": "linalg_lstsq",
    "lu": "linalg_lu_factor", "lu_solve": "linalg_lu_solve", "matrix_rank": "linalg_matrix_rank",
    "orgqr": "linalg_householder_product", "qr": "linalg_qr", "solve": "linalg_solve", "svd": "linalg_svd",
    "symeig": "linalg_eigh", "nuclear_norm": "linalg_svdvals(x).sum(-1)", "chain_matmul": "a @ b @ c",
    # Expressions.
    "square": "x * x", "positive": "+x", "float_power": "x.double() ** y", "is_nonzero": "bool(x)",
    "is_same_size": "x.shape == y.shape", "isfinite": "structured.array_api.isfinite(x)", "isreal": "x.imag == 0",
    "nanmean": "x.nansum(dim) / (x == x).sum(dim)", "polygamma": "structured.polygamma(n, x)",
    "sum_to_size": "x.sum(dim, keepdim=True)", "tensordot": "structured.array_api.tensordot(x, y)",
    "get_device": "x.device", "cuda": "x.to(\"cuda\")", "detach_": "x.detach()", "new": "x.new_empty(size)",
    "storage": "x.numpy()", "untyped_storage": "x.numpy()", "retains_grad": "x.retain_grad()",
    "unique": "structured.unique(x)", "where": "structured.where(condition, x, y)", "apply_": "x.copy_(function(x))",
    "fill_diagonal_": "x.diagonal().fill_(value)", "to_dlpack": "x.__dlpack__()", "typename": "x.type()",
    "frombuffer": "structured.as_tensor(memoryview(buffer))", "finfo": "structured.array_api.finfo(dtype)",
    "iinfo": "structured.array_api.iinfo(dtype)", "default_generator": "structured.manual_seed(seed)",
    "get_default_device": "structured.device(\"cpu\")", "set_default_tensor_type": "structured.set_default_dtype(dtype)",
    "cartesian_prod": "structured.meshgrid(*tensors)", "fft": "structured.array_api.fft",
    "linalg": "structured.array_api.linalg, or functions such as structured.linalg_qr",
    "special": "functions such as structured.special_i1", "functional": "structured.nn.functional",
    "utils": "structured.nn.utils", "Variable": "structured.tensor(data, requires_grad=True)",
    # Layers.
    "AdaptiveAvgPool1d": "structured.nn.functional.adaptive_avg_pool1d",
    "AdaptiveAvgPool3d": "structured.nn.functional.adaptive_avg_pool3d",
    "AdaptiveMaxPool2d": "structured.adaptive_max_pool2d", "AdaptiveMaxPool3d": "structured.adaptive_max_pool3d",
    "AvgPool1d": "structured.nn.functional.avg_pool1d", "AvgPool3d": "structured.nn.functional.avg_pool3d",
    "Buffer": "structured.nn.Module.register_buffer", "CELU": "structured.nn.functional.celu",
    "CTCLoss": "structured.ctc_loss", "ConvTranspose1d": "structured.nn.functional.conv_transpose1d",
    "ConvTranspose3d": "structured.nn.functional.conv_transpose3d",
    "CosineSimilarity": "structured.nn.functional.cosine_similarity", "EmbeddingBag": "structured.embedding_bag",
    "Fold": "structured.col2im", "GRU": "structured.gru", "Hardshrink": "structured.hardshrink",
    "InstanceNorm1d": "structured.nn.functional.instance_norm", "InstanceNorm2d": "structured.nn.functional.instance_norm",
    "InstanceNorm3d": "structured.nn.functional.instance_norm", "LSTM": "structured.lstm",
    "MaxPool3d": "structured.nn.functional.max_pool3d", "MaxUnpool2d": "structured.max_unpool2d",
    "MaxUnpool3d": "structured.max_unpool3d", "MultiMarginLoss": "structured.multi_margin_loss",
    "NLLLoss2d": "structured.nn.NLLLoss", "PixelShuffle": "structured.nn.functional.pixel_shuffle",
    "PixelUnshuffle": "structured.nn.functional.pixel_unshuffle",
    "SoftMarginLoss": "structured.nn.functional.soft_margin_loss", "Softmax2d": "structured.nn.Softmax(1)",
    "Softmin": "structured.nn.functional.softmin", "Softshrink": "structured.softshrink",
    "Softsign": "structured.nn.functional.softsign", "Tanhshrink": "structured.nn.functional.tanhshrink",
    "Threshold": "structured.nn.functional.threshold", "Unfold": "structured.im2col",
    "UpsamplingBilinear2d": "structured.nn.Upsample(mode=\"bilinear\", align_corners=True)",
    "UpsamplingNearest2d": "structured.nn.Upsample(mode=\"nearest\")",
    "upsample": "structured.nn.functional.interpolate", "unfold": "structured.im2col",
}
for _dtype in _core._dtypes:
    if _dtype._method is not None and not _dtype.is_complex:
        ALTERNATIVES[_dtype._name + "Tensor"] = f"structured.tensor(data, dtype={_dtype!r})"
for _kind, _value in {"Zero": "", "Constant": ", value=v", "Reflection": ", mode=\"reflect\"",
                      "Replication": ", mode=\"replicate\"", "Circular": ", mode=\"circular\""}.items():
    for _dim in "123":
        ALTERNATIVES[f"{_kind}Pad{_dim}d"] = f"structured.nn.functional.pad(x, padding{_value})"

def alternative(owner, name, has):
    """Returns what to use for a name that `owner` (`structured`, `structured.nn`, `Tensor`, ...) lacks, or None.
    `has` says whether the owner has a name."""
    base = name[:-1] if name.endswith("_") and name not in ALTERNATIVES else name
    text = ALTERNATIVES.get(base)
    if text is not None and text.isidentifier():
        if base != name:
            text += "_"
        if has(text):
            return f"{owner}.{text}"
        text = "structured." + text
    elif base != name:
        text = None
    if text is not None and text != f"{owner}.{name}":
        return text
    if owner.startswith("structured"):
        import structured
        from structured import nn

        for place, module in (("structured", structured), ("structured.nn", nn), ("structured.nn.functional", nn.functional)):
            if owner != place and name in vars(module):
                return f"{place}.{name}"
    return None


class MissingAttribute(AttributeError):
    """An AttributeError whose text is made when it is read: hasattr() does not read it."""

    def __str__(self):
        import difflib

        owner, name = self.args
        names = dir(Tensor) if owner == "Tensor" else vars(_module(owner))
        start = "'structured.Tensor' object" if owner == "Tensor" else f"module '{owner}'"
        text = f"{start} has no attribute '{name}'"
        other = alternative(owner, name, names.__contains__)
        if other is None:
            near = difflib.get_close_matches(name, [each for each in names if not each.startswith("_")], 1, 0.7)
            other = f"{owner}.{near[0]}" if near else None
        return text if other is None else f"{text}; use `{other}`"


def _module(name):
    import sys

    return sys.modules[name]


def missing(owner):
    """The function `__getattr__` of a module without further names."""

    def __getattr__(name):
        raise MissingAttribute(owner, name)

    return __getattr__


class _MissingMethod:
    """In place of a method of PyTorch that Tensor lacks: no attribute, and an error that says what to use."""

    def __init__(self, name):
        self.name = name

    def __get__(self, instance, owner=None):
        raise MissingAttribute("Tensor", self.name)


def _is_method(name, text):
    """Whether the alternative of a name is another method, or an expression of the tensor `x`. Classes are not methods."""
    words = "".join(each if each.isalnum() else " " for each in text).split()
    return name.islower() and (text.isidentifier() or "x" in words)


def _add_missing_methods():
    # No `__getattr__` of Tensor: it would make each look-up of an attribute slower.
    for name, text in ALTERNATIVES.items():
        if not _is_method(name, text):
            continue
        for each in (name, name + "_") if text.isidentifier() and not text.startswith("linalg_") else (name,):
            if not hasattr(Tensor, each):
                setattr(Tensor, each, _MissingMethod(each))


def __dir__(self):
    return [name for name in object.__dir__(self) if not isinstance(vars(Tensor).get(name), _MissingMethod)]


_add_missing_methods()
setattr(Tensor, "__dir__", __dir__)
