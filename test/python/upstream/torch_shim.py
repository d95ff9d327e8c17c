"""A module with the name torch over the package structured, for PyTorch's own tests. It adds what tests need and users do not:
constructors by type name, helpers of PyTorch's test suite. Names that the package does not have raise MissingName."""
import contextlib
import copy
import functools
import gc
import itertools
import math
import random
import types
import unittest
import warnings

import numpy as np

import structured as st


class MissingName(Exception):
    """A test uses a name of PyTorch that the package does not have."""


class Missing:
    """Stands for a name that does not exist, until it is used."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def _raise(self, *arguments, **keywords):
        raise MissingName(self._name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._raise()

    __call__ = __enter__ = __iter__ = __bool__ = __eq__ = _raise
    __hash__ = None


class Module(types.ModuleType):
    """A module of PyTorch: names of its own, then those of a module of the package."""

    def __init__(self, name, base=None, **names):
        super().__init__(name)
        self.__dict__.update(names)
        self._base = base

    def __getattr__(self, name):
        if self._base is not None and hasattr(self._base, name):
            return getattr(self._base, name)
        raise MissingName(f"{self.__name__}.{name}")


# ------------------------------------------------------------------------------------------------- constructors


class _TensorType(type):
    def __instancecheck__(cls, value):
        return isinstance(value, st.Tensor) and (cls.dtype is None or value.dtype is cls.dtype)

    def __getattr__(cls, name):
        return getattr(st.Tensor, name)


def _tensor_type(name, dtype):
    def create(cls, *arguments):
        kind = dtype or st.get_default_dtype()
        if not arguments:
            return st.empty(0, dtype=kind)
        if isinstance(arguments[0], int) or isinstance(arguments[0], st.Size):
            return st.empty(*arguments, dtype=kind)
        return st.tensor(arguments[0], dtype=kind)

    return _TensorType(name, (), {"dtype": dtype, "__new__": create})


TENSOR_TYPES = {name: _tensor_type(name, dtype) for name, dtype in {
    "Tensor": None, "FloatTensor": st.float32, "DoubleTensor": st.float64, "HalfTensor": st.float16,
    "BFloat16Tensor": st.bfloat16, "ByteTensor": st.uint8, "CharTensor": st.int8, "ShortTensor": st.int16,
    "IntTensor": st.int32, "LongTensor": st.int64, "BoolTensor": st.bool}.items()}


def _new(self, *arguments):
    if not arguments or isinstance(arguments[0], (int, st.Size)):
        return st.empty(*(arguments or (0,)), dtype=self.dtype)
    return st.tensor(arguments[0], dtype=self.dtype)


# ------------------------------------------------------------------------------------------------------- helpers


def make_tensor(*shape, dtype, device="cpu", low=None, high=None, requires_grad=False, noncontiguous=False,
                exclude_zero=False, memory_format=None):
    """Random numbers, by default from -9 to 9 or the range of the dtype."""
    sizes = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
    full = (*sizes[:-1], sizes[-1] * 2) if noncontiguous and sizes and sizes[-1] else sizes
    if dtype is st.bool:
        result = st.randint(0, 2, full).to(dtype)
    elif not (dtype.is_floating_point or dtype.is_complex):
        bottom = (0 if dtype is st.uint8 else -9) if low is None else math.ceil(low)
        result = st.randint(bottom, 10 if high is None else max(math.ceil(high), bottom + 1), full).to(dtype)
    else:
        bottom, top = -9 if low is None else low, 9 if high is None else high
        part = st.float64 if dtype in (st.float64, st.complex128) else st.float32
        result = st.rand(full, dtype=part) * (top - bottom) + bottom
        if dtype.is_complex:
            result = st.complex(result, st.rand(full, dtype=part) * (top - bottom) + bottom)
        result = result.to(dtype)
    if exclude_zero:
        result[result == 0] = 1
    if full != sizes:
        result = result[..., ::2]
    return result.requires_grad_() if requires_grad else result


TOLERANCES = {st.float16: (1e-3, 1e-5), st.bfloat16: (1.6e-2, 1e-5), st.float32: (1.3e-6, 1e-5),
              st.float64: (1e-7, 1e-7), st.complex64: (1.3e-6, 1e-5), st.complex128: (1e-7, 1e-7),
              st.complex32: (1e-3, 1e-5)}


class TestCase(unittest.TestCase):
    """Comparisons of tensors. Messages of errors differ from PyTorch's, so that only their classes are compared."""

    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True, **ignored):
        x, y = (st.tensor(v) if isinstance(v, np.ndarray) else v.item() if isinstance(v, np.generic) else v for v in (x, y))
        if (x is None) != (y is None):
            super().assertEqual(x, y, msg)
        elif isinstance(x, st.Tensor) or isinstance(y, st.Tensor):
            if not (isinstance(x, st.Tensor) and isinstance(y, st.Tensor)):
                x, y = (v if isinstance(v, st.Tensor) else st.tensor(v) for v in (x, y))
                exact_dtype = False
            self._compare_tensors(x, y, msg, atol, rtol, equal_nan, exact_dtype)
        elif isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
            super().assertEqual(len(x), len(y), msg)
            for a, b in zip(x, y):
                self.assertEqual(a, b, msg, atol=atol, rtol=rtol, equal_nan=equal_nan, exact_dtype=exact_dtype)
        elif isinstance(x, dict) and isinstance(y, dict):
            super().assertEqual(set(x), set(y), msg)
            for key in x:
                self.assertEqual(x[key], y[key], msg, atol=atol, rtol=rtol)
        elif isinstance(x, (int, float, complex)) and isinstance(y, (int, float, complex)):
            self._compare_tensors(st.tensor(x), st.tensor(y), msg, atol, rtol, equal_nan, False)
        else:
            super().assertEqual(x, y, msg)

    def _compare_tensors(self, x, y, msg, atol, rtol, equal_nan, exact_dtype):
        super().assertEqual(tuple(x.shape), tuple(y.shape), msg)
        if exact_dtype:
            super().assertEqual(x.dtype, y.dtype, msg)
        if x.is_meta or y.is_meta:
            return
        rtols, atols = zip(*(TOLERANCES.get(v.dtype, (0, 0)) for v in (x, y)))
        rtol, atol = max(rtols) if rtol is None else rtol, max(atols) if atol is None else atol
        a, b = (np.array(v.detach().tolist()) for v in (x, y))
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan, err_msg=msg or "")

    assertEqualIgnoreType = functools.partialmethod(assertEqual, exact_dtype=False)

    def assertNotEqual(self, x, y, msg=None, **keywords):
        with self.assertRaises(AssertionError, msg=msg):
            self.assertEqual(x, y, **keywords)

    def assertRaisesRegex(self, expected_exception, expected_regex, *arguments, **keywords):
        return self.assertRaises(expected_exception, *arguments, **keywords)

    def assertRaises(self, expected_exception, *arguments, **keywords):
        classes = expected_exception if isinstance(expected_exception, tuple) else (expected_exception,)
        # Arguments that no overload accepts are a TypeError; PyTorch has RuntimeError for some of them, and other
        # differences of this kind.
        if set(classes) & {RuntimeError, IndexError, ValueError, TypeError}:
            classes += (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError, BufferError, OverflowError)
        return super().assertRaises(classes, *arguments, **keywords)

    def assertNotWarn(self, function, msg=""):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
        self.assertTrue(not caught, msg)

    device_type = "cpu"

    def compare_with_numpy(self, ours, theirs, value, device=None, dtype=None, **keywords):
        tensor = value if isinstance(value, st.Tensor) else st.tensor(value, dtype=dtype)
        array = np.array(tensor.detach().tolist(), dtype=NUMPY_NAMES.get(tensor.dtype))
        self.assertEqual(ours(tensor), theirs(array), exact_dtype=False, **keywords)

    def assertWarnsOnceRegex(self, *arguments, **keywords):
        return self.assertWarns(*arguments[:1])

    def assertFail(self, *arguments):
        self.fail(*arguments)


# Options of PyTorch's gradcheck that the package's does not have: a second, faster way, and checks of what it lacks.
GRADCHECK_OPTIONS = {"fast_mode", "check_undefined_grad", "check_batched_grad", "check_batched_forward_grad",
                     "check_sparse_nnz", "gen_non_contig_grad_outputs", "check_grad_dtypes", "check_fwd_over_rev",
                     "check_rev_over_rev"}


def _gradcheck(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        return function(*arguments, **{k: v for k, v in keywords.items() if k not in GRADCHECK_OPTIONS})

    return wrapper


gradcheck = _gradcheck(st.autograd.gradcheck)
gradgradcheck = _gradcheck(st.autograd.gradgradcheck)


# ------------------------------------------------------------------------------- decorators of PyTorch's test suite


def _mark(**marks):
    def decorate(function):
        for name, value in marks.items():
            setattr(function, name, value)
        return function

    return decorate


def dtypes(*names):
    return _mark(dtypes=list(names))


def unchanged(*arguments, **keywords):
    """A decorator with or without arguments that has no effect on the host."""
    if len(arguments) == 1 and callable(arguments[0]) and not keywords and not isinstance(arguments[0], st.dtype):
        return arguments[0]
    return lambda function: function


def not_here(*arguments, **keywords):
    """A decorator for tests of other devices."""
    if len(arguments) == 1 and callable(arguments[0]):
        return _mark(skips=True)(arguments[0])
    return _mark(skips=True)


def parametrize(names, values, name_fn=None):
    split = [name.strip() for name in names.split(",")]
    choices = [dict(zip(split, value if len(split) > 1 else (value,))) for value in values]

    def decorate(function):
        known = getattr(function, "choices", [{}])
        function.choices = [{**a, **b} for a, b in itertools.product(known, choices)]
        return function

    return decorate


INTEGERS = (st.uint8, st.int8, st.int16, st.int32, st.int64)
FLOATING, COMPLEX = (st.float32, st.float64), (st.complex64, st.complex128)


def _and(*base):
    return lambda *more: base + tuple(kind for kind in more if kind not in base)


def _plain(*base):
    return lambda: base


COMMON_DTYPE = {
    "all_types": _plain(*INTEGERS, *FLOATING), "all_types_and": _and(*INTEGERS, *FLOATING),
    "all_types_and_complex": _plain(*INTEGERS, *FLOATING, *COMPLEX),
    "all_types_and_complex_and": _and(*INTEGERS, *FLOATING, *COMPLEX), "complex_types": _plain(*COMPLEX),
    "floating_types": _plain(*FLOATING), "floating_types_and": _and(*FLOATING),
    "floating_and_complex_types": _plain(*FLOATING, *COMPLEX),
    "floating_and_complex_types_and": _and(*FLOATING, *COMPLEX), "integral_types": _plain(*INTEGERS),
    "get_all_dtypes": lambda include_half=True, include_bfloat16=True, include_bool=True, include_complex=True,
    include_complex32=False: [
        *INTEGERS, *FLOATING, *([st.bool] if include_bool else []), *([st.float16] if include_half else []),
        *([st.bfloat16] if include_bfloat16 else []), *(COMPLEX if include_complex else [])],
    "get_all_math_dtypes": lambda device: [*INTEGERS, *FLOATING, *COMPLEX],
}

NUMPY_DTYPES = {np.dtype(name).type: getattr(st, ours) for name, ours in [
    ("bool", "bool"), ("uint8", "uint8"), ("int8", "int8"), ("int16", "int16"), ("int32", "int32"), ("int64", "int64"),
    ("float16", "float16"), ("float32", "float32"), ("float64", "float64"), ("complex64", "complex64"),
    ("complex128", "complex128")]}


NUMPY_NAMES = {ours: np.dtype(theirs) for theirs, ours in NUMPY_DTYPES.items()}


def _of_tensor_type(method):
    """A method of Tensor whose argument may be one of PyTorch's classes of tensors."""
    @functools.wraps(method)
    def wrapper(self, *arguments, **keywords):
        return method(self, *(kind.dtype if isinstance(kind, _TensorType) else kind for kind in arguments), **keywords)

    return wrapper


class Variable:
    """PyTorch's former class of tensors with gradients."""

    _execution_engine = types.SimpleNamespace(queue_callback=st.autograd.queue_callback)

    def __new__(cls, data, requires_grad=False):
        return data.detach().requires_grad_(requires_grad)


class InplaceFunction(st.autograd.Function):
    """A Function with an option that its methods read."""

    def __init__(self, inplace=False):
        self.inplace = inplace


class UndefinedGrad(st.autograd.Function):
    """Passes an undefined gradient on."""

    def __call__(self, tensor):
        return self.apply(tensor)

    @staticmethod
    def forward(context, tensor):
        return tensor.view_as(tensor)

    @staticmethod
    def backward(context, gradient):
        return None


def mask_not_all_zeros(shape):
    """Random bools, at least one true."""
    while True:
        mask = st.randn(shape).gt(0)
        if mask.sum() > 0:
            return mask


@contextlib.contextmanager
def disable_gc():
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def suppress_warnings(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*arguments, **keywords)

    return wrapper


@contextlib.contextmanager
def set_default_dtype(dtype):
    before = st.get_default_dtype()
    st.set_default_dtype(dtype)
    try:
        yield
    finally:
        st.set_default_dtype(before)


class _Info:
    """finfo and iinfo."""

    def __init__(self, dtype=None):
        dtype = st.get_default_dtype() if dtype is None else dtype
        if dtype.is_floating_point or dtype.is_complex:
            digits, exponent = {2: (11, 16), 4: (24, 128), 8: (53, 1024)}[
                st.zeros((), dtype=dtype).abs().itemsize if not dtype.is_complex else dtype.itemsize // 2]
            if dtype is st.bfloat16:
                digits, exponent = 8, 128
            self.eps, self.max = 2.0 ** (1 - digits), (2 - 2.0 ** (1 - digits)) * 2.0 ** (exponent - 1)
            self.tiny = self.smallest_normal = 2.0 ** (2 - exponent)
            self.min = -self.max
        else:
            bits = dtype.itemsize * 8
            self.min, self.max = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if dtype.is_signed else (0, 2 ** bits - 1)
        self.bits = dtype.itemsize * 8


def _broadcast_shapes(*shapes):
    return st.Size(np.broadcast_shapes(*((s,) if isinstance(s, int) else tuple(s) for s in shapes)))


def modules():
    """The modules by name."""
    no_cuda = Module("torch.cuda", is_available=lambda: False, device_count=lambda: 0)
    torch = Module(
        "torch", st, Tensor=TENSOR_TYPES["Tensor"], **{k: v for k, v in TENSOR_TYPES.items() if k != "Tensor"},
        cuda=no_cuda, finfo=_Info, iinfo=_Info, broadcast_shapes=_broadcast_shapes, _unique=st._operators._unique,
        _unique2=st._operators._unique2, _VF=Module("torch._VF", unique_dim=st._operators.unique_dim),
        inf=math.inf, nan=math.nan,
        backends=Module("torch.backends", mps=Module("torch.backends.mps", is_available=lambda: False)),
        version=Module("torch.version", hip=None, cuda=None), nn=Module("torch.nn", st.nn),
        _utils=Module("torch._utils", _element_size=lambda dtype: dtype.itemsize), __version__="1.13.1")
    autograd = Module(
        "torch.autograd", st.autograd, gradcheck=gradcheck, gradgradcheck=gradgradcheck,
        Variable=Variable,
        kineto_available=lambda: False,
        function=Module("torch.autograd.function", once_differentiable=st.autograd.once_differentiable,
                        Function=st.autograd.Function, InplaceFunction=InplaceFunction),
        profiler=Module("torch.autograd.profiler", st.profiler),
        grad_mode=Module("torch.autograd.grad_mode", no_grad=st.no_grad, enable_grad=st.enable_grad,
                         inference_mode=st.inference_mode, set_grad_enabled=st.set_grad_enabled),
        graph=Module("torch.autograd.graph", saved_tensors_hooks=st.autograd.saved_tensors_hooks,
                     save_on_cpu=st.autograd.save_on_cpu,
                     disable_saved_tensors_hooks=st.autograd.disable_saved_tensors_hooks),
        forward_ad=Module("torch.autograd.forward_ad", dual_level=st.autograd.dual_level,
                          make_dual=st.autograd.make_dual, unpack_dual=st.autograd.unpack_dual))
    common_utils = Module(
        "torch.testing._internal.common_utils", TestCase=TestCase, run_tests=lambda: None, gradcheck=gradcheck,
        gradgradcheck=gradgradcheck, parametrize=parametrize, make_tensor=make_tensor, TEST_NUMPY=True, TEST_CUDA=False,
        IS_WINDOWS=False, IS_MACOS=False, slowTest=unchanged, skipIfNoLapack=not_here, skipIfMps=unchanged,
        skipIfTorchDynamo=unchanged, suppress_warnings=suppress_warnings, disable_gc=disable_gc,
        instantiate_parametrized_tests=lambda cls: cls, numpy_to_torch_dtype_dict=NUMPY_DTYPES,
        torch_to_numpy_dtype_dict=NUMPY_NAMES,
        set_default_dtype=set_default_dtype, load_tests=None)
    common_device_type = Module(
        "torch.testing._internal.common_device_type", dtypes=dtypes, onlyCPU=unchanged, onlyCUDA=not_here,
        onlyNativeDeviceTypes=unchanged, skipMeta=unchanged, expectedFailureMeta=unchanged, dtypesIfCUDA=unchanged,
        dtypesIfMPS=unchanged, dtypesIfCPU=dtypes, deviceCountAtLeast=not_here,
        instantiate_device_type_tests=lambda cls, scope, **keywords: _mark(takes_device=True)(cls))
    torch.autograd = autograd
    torch._C = Module(
        "torch._C", is_grad_enabled=st.is_grad_enabled, _set_grad_enabled=st._core._set_grad_enabled,
        _functions=Module("torch._C._functions", UndefinedGrad=UndefinedGrad),
        _autograd=Module("torch._C._autograd", _saved_tensors_hooks_is_enabled=lambda:
                         st.autograd._hook_state.forbidden is None))
    torch.testing = Module("torch.testing", make_tensor=make_tensor)
    return {
        "torch": torch, "torch.cuda": no_cuda, "torch.autograd": autograd, "torch.autograd.function": autograd.function,
        "torch.autograd.profiler": autograd.profiler, "torch.autograd.graph": autograd.graph,
        "torch.autograd.forward_ad": autograd.forward_ad, "torch.nn": torch.nn, "torch.testing": torch.testing,
        "torch.nn.functional": st.nn.functional, "torch._six": Module("torch._six", inf=math.inf, nan=math.nan),
        "torch._C": torch._C, "torch.testing._internal.common_utils": common_utils,
        "torch.testing._internal.common_methods_invocations": Module(
            "torch.testing._internal.common_methods_invocations", mask_not_all_zeros=mask_not_all_zeros),
        "torch.testing._internal.common_cuda": Module("torch.testing._internal.common_cuda", TEST_CUDA=False),
        "torch.testing._internal.common_device_type": common_device_type,
        "torch.testing._internal.common_dtype": Module("torch.testing._internal.common_dtype", **COMMON_DTYPE),
        "torch.testing._creation": Module("torch.testing._creation", float_to_corresponding_complex_type_map={
            st.float16: st.complex32, st.float32: st.complex64, st.float64: st.complex128}),
        "torch.autograd.gradcheck": Module("torch.autograd.gradcheck", gradcheck=gradcheck, gradgradcheck=gradgradcheck,
                                           GradcheckError=st.autograd.GradcheckError),
        "torch.autograd.grad_mode": autograd.grad_mode,
        "torch.utils.checkpoint": Module("torch.utils.checkpoint", checkpoint=st.autograd.checkpoint),
        "torch.utils.dlpack": Module("torch.utils.dlpack", from_dlpack=st.from_dlpack,
                                     to_dlpack=lambda tensor: tensor.__dlpack__()),
    }


class _Storage:
    """The address and the size of a storage."""

    def __init__(self, tensor):
        self._address, self._bytes = tensor._storage_pointer(), tensor._storage_bytes()
        self._item = tensor.itemsize

    def data_ptr(self):
        return self._address

    def nbytes(self):
        return self._bytes

    def __len__(self):
        return self._bytes // self._item


setattr(st.Tensor, "new", _new)
for _name in ("to", "type"):
    setattr(st.Tensor, _name, _of_tensor_type(getattr(st.Tensor, _name)))
setattr(st.Tensor, "storage", lambda self: _Storage(self))
random.seed(0)
del copy
