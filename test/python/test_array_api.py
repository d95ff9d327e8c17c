"""structured.array_api, compared with array-api-strict, the reference implementation of the standard."""
import functools
import itertools
import math

import array_api_compat
import array_api_strict as strict
import numpy as np
import pytest

import structured as st
from structured import array_api as xp

strict.set_array_api_strict_flags(api_version="2024.12")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8"]
REALS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMERIC = INTEGERS + REALS + COMPLEX
ALL = ["bool", *NUMERIC]
SHAPES = [(), (3,), (2, 3), (2, 1, 4), (0,), (2, 0, 3)]
generator = np.random.default_rng(0)


def sample(dtype, shape, positive=False):
    """Values with ties, zeros, negative numbers and, for floating-point dtypes, special values."""
    if dtype == "bool":
        return np.asarray(generator.integers(0, 2, shape)).astype(bool)
    if dtype in INTEGERS:
        low = 0 if positive or dtype == "uint8" else -6
        return np.asarray(generator.integers(low, 7, shape)).astype(dtype)
    values = np.round(generator.normal(size=shape) * 3, 1)
    if dtype in COMPLEX:
        values = values + 1j * np.round(generator.normal(size=shape) * 3, 1)
    return np.asarray(np.abs(values) + 0.1 if positive else values).astype(dtype)


def with_special_values(values):
    if values.dtype.name in REALS:
        values.flat[:5] = np.array([math.inf, -math.inf, math.nan, -0.0, 0.0])[:values.size]
    return values


def to_numpy(array):
    return np.from_dlpack(array) if isinstance(array, st.Tensor) else np.asarray(array._array)


def same(ours, theirs, message="", compares_zeros=False):
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs), message
        for a, b in zip(ours, theirs):
            same(a, b, message, compares_zeros)
        return
    assert isinstance(ours, st.Tensor), message
    a, b = to_numpy(ours), to_numpy(theirs)
    assert a.shape == b.shape, f"{message}: shape {a.shape}, expected {b.shape}"
    assert a.dtype == b.dtype, f"{message}: dtype {a.dtype}, expected {b.dtype}"
    tolerance = {"float32": 1e-4, "complex64": 1e-4}.get(a.dtype.name, 1e-9)
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=message)
    if compares_zeros and b.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(a[b == 0]), np.signbit(b[b == 0]), err_msg=message)


def both(function, *values, **keywords):
    """Calls the function of both namespaces with equal arrays, and compares the results."""
    texts = [f"{v.dtype}{list(v.shape)}" if isinstance(v, np.ndarray) else repr(v) for v in values]
    name = f"{function}({', '.join(texts)}, {keywords})"

    def call(namespace):
        def convert(value):
            if isinstance(value, np.ndarray):
                return namespace.asarray(value.copy(), dtype=getattr(namespace, value.dtype.name))
            return [convert(each) for each in value] if isinstance(value, list) else value

        options = {key: getattr(namespace, value) if key == "dtype" else convert(value)
                   for key, value in keywords.items()}
        return functools.reduce(getattr, function.split("."), namespace)(*map(convert, values), **options)

    with np.errstate(all="ignore"):
        same(call(xp), call(strict), name, function in UNARY or function in BINARY)


# ----------------------------------------------------------------------------------------------------- namespace


def test_the_namespace_is_complete():
    # The standard has unsigned integers of 16 to 64 bits, which the package has not. `broadcast_shapes` and `isin` are of
    # later versions.
    extra = {"broadcast_shapes", "isin", "Device", "__version__", "uint16", "uint32", "uint64"}
    of_strict = {name for name in strict.__all__ if "strict" in name.lower()}
    assert {name for name in strict.__all__ if not hasattr(xp, name)} - extra - of_strict == set()
    for name in xp.__all__:
        assert hasattr(xp, name), name


def test_information():
    info = xp.__array_namespace_info__()
    assert info.default_device() == st.device("cpu") and info.devices() == [st.device("cpu")]
    assert info.default_dtypes() == {
        "real floating": xp.float32, "complex floating": xp.complex64, "integral": xp.int64, "indexing": xp.int64}
    assert sorted(info.dtypes()) == sorted(ALL)
    assert sorted(info.dtypes(kind="integral")) == sorted(INTEGERS)
    assert sorted(info.dtypes(kind=("bool", "complex floating"))) == sorted(["bool", *COMPLEX])
    assert info.capabilities()["boolean indexing"] is True


def test_array_api_compat_finds_the_namespace():
    x = st.ones(2, 3)
    assert array_api_compat.array_namespace(x) is xp and array_api_compat.is_array_api_obj(x)
    assert array_api_compat.size(x) == 6 and array_api_compat.device(x) == st.device("cpu")
    assert x.__array_namespace__(api_version="2024.12") is xp
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.1")
    assert x.to_device("cpu") is x


# -------------------------------------------------------------------------------------------------------- dtypes


@pytest.mark.parametrize("pair", list(itertools.product(ALL, ALL)), ids="-".join)
def test_promotion(pair):
    ours, theirs = [getattr(xp, name) for name in pair], [getattr(strict, name) for name in pair]
    try:
        expected = strict.result_type(*theirs)
    except TypeError:
        return  # the standard leaves it open
    assert repr(xp.result_type(*ours)) == f"structured.{expected._np_dtype.name}"
    # Ranks do not matter.
    assert xp.add(xp.zeros((), dtype=ours[0]), xp.zeros(3, dtype=ours[1])).dtype == xp.result_type(*ours)
    assert xp.can_cast(*ours) == strict.can_cast(*theirs)


def test_promotion_with_numbers():
    assert xp.result_type(xp.int8, 3) == xp.int8 and xp.result_type(xp.float32, 3) == xp.float32
    assert xp.result_type(xp.float64, 1j) == xp.complex128 and xp.result_type(xp.bool, True) == xp.bool
    for dtype, number in ((xp.int32, 1.5), (xp.bool, 1), (xp.int8, True)):
        with pytest.raises(TypeError):
            xp.result_type(dtype, number)
    assert xp.add(xp.asarray([1], dtype=xp.int8), 3).dtype == xp.int8
    assert xp.where(xp.asarray([True, False]), xp.asarray([1.0, 2.0]), 0).tolist() == [1, 0]
    with pytest.raises(TypeError):
        xp.add(1, 2)


def test_kinds_and_limits():
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric",
             ("integral", "bool")]
    for dtype, kind in itertools.product(ALL, kinds):
        assert xp.isdtype(getattr(xp, dtype), kind) == strict.isdtype(getattr(strict, dtype), kind)
    for dtype in REALS + COMPLEX:
        ours, theirs = xp.finfo(getattr(xp, dtype)), strict.finfo(getattr(strict, dtype))
        for field in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(ours, field) == getattr(theirs, field), (dtype, field)
    for dtype in INTEGERS:
        ours, theirs = xp.iinfo(getattr(xp, dtype)), strict.iinfo(getattr(strict, dtype))
        assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)
    for call in (lambda: xp.finfo(xp.int8), lambda: xp.iinfo(xp.float32), lambda: xp.result_type("x")):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError):
        xp.isdtype(xp.int8, "number")


@pytest.mark.parametrize("pair", list(itertools.product(ALL, ALL)), ids="-".join)
def test_conversions(pair):
    if pair[0] in COMPLEX and pair[1] not in COMPLEX:
        with pytest.raises(TypeError):
            xp.astype(xp.zeros(1, dtype=getattr(xp, pair[0])), getattr(xp, pair[1]))
        return
    x = sample(pair[0], (7,), positive=pair[1] == "uint8")
    same(xp.astype(xp.asarray(x), getattr(xp, pair[1])), strict.astype(strict.asarray(x), getattr(strict, pair[1])))


def test_conversions_copy():
    x = xp.zeros(2)
    assert xp.astype(x, xp.float32, copy=False) is x
    assert xp.astype(x, xp.float32).data_ptr() != x.data_ptr()


# --------------------------------------------------------------------------------------------------- elementwise


UNARY = {
    "abs": NUMERIC, "acos": REALS + COMPLEX, "acosh": REALS + COMPLEX, "asin": REALS + COMPLEX, "asinh": REALS + COMPLEX,
    "atan": REALS + COMPLEX, "atanh": REALS + COMPLEX, "bitwise_invert": ["bool", *INTEGERS], "ceil": INTEGERS + REALS,
    "conj": NUMERIC, "cos": REALS + COMPLEX, "cosh": REALS + COMPLEX, "exp": REALS + COMPLEX,
    "expm1": REALS + COMPLEX, "floor": INTEGERS + REALS, "imag": COMPLEX, "isfinite": NUMERIC, "isinf": NUMERIC,
    "isnan": NUMERIC, "log": REALS + COMPLEX, "log1p": REALS + COMPLEX, "log2": REALS + COMPLEX,
    "log10": REALS + COMPLEX, "logical_not": ["bool"], "negative": NUMERIC, "positive": NUMERIC, "real": NUMERIC,
    "reciprocal": REALS + COMPLEX, "round": NUMERIC, "sign": NUMERIC, "signbit": REALS, "sin": REALS + COMPLEX,
    "sinh": REALS + COMPLEX, "sqrt": REALS + COMPLEX, "square": NUMERIC, "tan": REALS + COMPLEX,
    "tanh": REALS + COMPLEX, "trunc": INTEGERS + REALS,
}


@pytest.mark.parametrize("name, dtype", [(name, dtype) for name, dtypes in UNARY.items() for dtype in dtypes])
def test_unary_functions(name, dtype):
    for shape in SHAPES:
        both(name, sample(dtype, shape))
    both(name, with_special_values(sample(dtype, (7,))))


BINARY = {
    "add": NUMERIC, "atan2": REALS, "bitwise_and": ["bool", *INTEGERS], "bitwise_left_shift": INTEGERS,
    "bitwise_or": ["bool", *INTEGERS], "bitwise_right_shift": INTEGERS, "bitwise_xor": ["bool", *INTEGERS],
    "copysign": REALS, "divide": REALS + COMPLEX, "equal": ALL, "floor_divide": INTEGERS + REALS,
    "greater": INTEGERS + REALS, "greater_equal": INTEGERS + REALS, "hypot": REALS, "less": INTEGERS + REALS,
    "less_equal": INTEGERS + REALS, "logaddexp": REALS, "logical_and": ["bool"], "logical_or": ["bool"],
    "logical_xor": ["bool"], "maximum": INTEGERS + REALS, "minimum": INTEGERS + REALS, "multiply": NUMERIC,
    "nextafter": REALS, "not_equal": ALL, "pow": NUMERIC, "remainder": INTEGERS + REALS, "subtract": NUMERIC,
}
PARTNERS = [((3,), (3,)), ((2, 3), (3,)), ((), (2,)), ((2, 1, 4), (3, 1)), ((0,), (1,)), ((), ())]


@pytest.mark.parametrize("name, dtype", [(name, dtype) for name, dtypes in BINARY.items() for dtype in dtypes])
def test_binary_functions(name, dtype):
    is_positive = name in ("pow", "bitwise_left_shift", "bitwise_right_shift", "floor_divide", "remainder")
    for first, second in PARTNERS:
        a, b = sample(dtype, first), sample(dtype, second, positive=is_positive)
        if name in ("floor_divide", "remainder") and dtype in INTEGERS:
            b = np.asarray(b + 1, dtype)
        if name in ("pow", "bitwise_left_shift") and dtype in INTEGERS:
            a, b = np.asarray(np.clip(a, -2, 2) if dtype != "uint8" else a % 3), np.asarray(b % 4)
        both(name, a, b)
    if dtype in REALS and name != "nextafter":
        a, b = with_special_values(sample(dtype, (7,))), with_special_values(sample(dtype, (7, 1)))
        if name not in ("floor_divide", "remainder"):  # NumPy differs from the standard for infinite numbers
            both(name, a, b)
    other = {"int8": "int64", "uint8": "int16", "float32": "float64", "complex64": "float64"}.get(dtype)
    if other and other in BINARY[name] and not is_positive:
        both(name, sample(dtype, (2, 3)), sample(other, (3,)))


def test_clip():
    for dtype in INTEGERS + REALS:
        x = sample(dtype, (2, 5))
        both("clip", x, 1, 3)
        both("clip", x, 2)
        both("clip", x, None, 2)
        both("clip", x, np.minimum(sample(dtype, (5,)), 3), np.full((2, 1), 3, dtype))
        both("clip", x)
    with pytest.raises(TypeError):
        xp.clip(xp.zeros(2), xp.zeros(2, dtype=xp.int8))


# ------------------------------------------------------------------------------------- creation and manipulation


def test_creation():
    for dtype in ALL:
        for function in ("zeros", "ones"):
            both(function, (2, 3), dtype=dtype)
            both(function, 3, dtype=dtype)
            both(function + "_like", sample(dtype, (2, 1)))
        assert xp.empty((2, 3), dtype=getattr(xp, dtype)).shape == (2, 3)
        assert xp.empty_like(xp.zeros(3), dtype=getattr(xp, dtype)).dtype == getattr(xp, dtype)
        both("full", (2,), True if dtype == "bool" else 3, dtype=dtype)
        both("full_like", sample(dtype, (2, 1)), True if dtype == "bool" else 3)
        both("eye", 3, dtype=dtype)
    both("eye", 3, 4, k=1, dtype="float32")
    both("eye", 3, 2, k=-1, dtype="float32")
    both("eye", 3, 2, k=7, dtype="float32")
    assert xp.full(2, 3).dtype == xp.int64 and xp.full(2, 3.0).dtype == xp.float32 and xp.full(2, True).dtype == xp.bool
    assert xp.full((), 1j).dtype == xp.complex64
    for arguments in ((5,), (2, 7), (7, 2), (7, 2, -2), (0, 1, 3)):
        both("arange", *arguments)
        both("arange", *arguments, dtype="float64")
    assert xp.arange(3.0).dtype == xp.float32
    for keywords in ({}, {"endpoint": False}):
        both("linspace", 0, 1, 5, dtype="float64", **keywords)
        both("linspace", -1.5, 2.0, 4, dtype="float32", **keywords)
        both("linspace", 0j, 1 + 2j, 4, dtype="complex128", **keywords)
        both("linspace", 3, 4, 1, dtype="float32", **keywords)
    assert xp.linspace(0, 1, 3).dtype == xp.float32
    a, b = sample("int8", (2,)), sample("int8", (3,))
    both("meshgrid", a, b)
    both("meshgrid", a, b, indexing="ij")
    for function in ("tril", "triu"):
        for k in (-1, 0, 2):
            both(function, sample("float32", (2, 3, 4)), k=k)


def test_arrays_that_are_never_copied():
    values = np.arange(3.0)
    shared = xp.asarray(values, copy=False)
    shared[0] = 7
    assert values[0] == 7 and xp.asarray(shared, copy=False) is shared
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    for data, dtype in [(frozen, None), (values[::-1], None), (values, xp.float32), (shared, xp.int64), ([1.0], None),
                        (1.0, None), (np.float64(1), None), (object(), None)]:
        with pytest.raises(ValueError):
            xp.asarray(data, dtype=dtype, copy=False)
    for from_dlpack in (xp.from_dlpack, st.from_dlpack):
        with pytest.raises(BufferError):
            from_dlpack(frozen, copy=False)
        assert from_dlpack(values, copy=False).data_ptr() == values.ctypes.data
        copied = from_dlpack(values, copy=True)
        copied[0] = 1
        assert values[0] == 7
        assert from_dlpack(frozen).tolist() == [0, 1, 2]
        with pytest.raises(BufferError):
            from_dlpack(values, device="meta")
        with pytest.raises(TypeError):
            from_dlpack(values, copy=1)


def test_arrays_from_other_data():
    assert xp.asarray([[1, 2], [3, 4]]).dtype == xp.int64 and xp.asarray(1.5).dtype == xp.float32
    assert xp.asarray([True]).dtype == xp.bool and xp.asarray([1, 2.5]).dtype == xp.float32
    values = np.arange(3.0)
    shared, copied = xp.asarray(values), xp.asarray(values, copy=True)
    values[0] = 7
    assert shared[0].item() == 7 and copied[0].item() == 0
    with pytest.raises(ValueError):
        xp.asarray([1, 2], copy=False)
    assert np.shares_memory(np.from_dlpack(xp.from_dlpack(values)), values)
    assert not np.shares_memory(np.from_dlpack(xp.from_dlpack(values, copy=True)), values)
    assert to_numpy(xp.from_dlpack(strict.asarray([1, 2]))).tolist() == [1, 2]
    with pytest.raises(BufferError):
        xp.from_dlpack(values, device="cuda")


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_manipulation(dtype):
    x = sample(dtype, (2, 3, 4))
    both("broadcast_to", sample(dtype, (3, 1)), (2, 3, 4))
    both("broadcast_arrays", sample(dtype, (3, 1)), sample(dtype, (4,)))
    for axis in (0, 1, -1, None):
        both("concat", [x, x], axis=axis)
        both("flip", x, axis=axis)
        both("repeat", x, 2, axis=axis)
    both("concat", [sample(dtype, (0, 3)), sample(dtype, (2, 3))])
    both("flip", x, axis=(0, 2))
    both("repeat", sample(dtype, (3,)), np.array([2, 0, 1]))
    for axis in (0, 1, 3, -1):
        both("stack", [x, x], axis=axis)
        both("expand_dims", x, axis=axis)
    for axis in (0, 1, -1):
        both("unstack", x, axis=axis)
    both("squeeze", sample(dtype, (1, 2, 1)), 0)
    both("squeeze", sample(dtype, (1, 2, 1)), (0, -1))
    both("moveaxis", x, 0, 2)
    both("moveaxis", x, (0, 1), (-1, 0))
    both("permute_dims", x, (2, 0, 1))
    both("matrix_transpose", x)
    both("reshape", x, (4, 6))
    both("reshape", x, (-1,))
    both("reshape", x, (3, 8), copy=True)
    both("roll", x, 1)
    both("roll", x, (1, -2), axis=(0, 2))
    both("roll", x, 3, axis=1)
    both("tile", x, (2, 1))
    both("tile", x, (2, 1, 1, 3))
    both("take", x, np.array([1, 0, 2]), axis=1)
    both("take", sample(dtype, (5,)), np.array([4, 0]))
    both("take_along_axis", x, np.zeros((2, 1, 4), np.int64), axis=1)
    with pytest.raises(ValueError):
        xp.squeeze(xp.asarray(x), 0)
    with pytest.raises(ValueError):
        xp.take(xp.asarray(x), xp.asarray([0]))
    for call in (lambda: xp.concat([xp.asarray(x)], axis=5), lambda: xp.expand_dims(xp.asarray(x), axis=5),
                 lambda: xp.flip(xp.asarray(x), axis=3)):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(ValueError):
        xp.sum(xp.ones((2, 2)), axis=(0, 0))


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "complex128"])
def test_linear_algebra(dtype):
    for first, second in [((3,), (3,)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (5, 3, 2)), ((2, 0), (0, 3))]:
        both("matmul", sample(dtype, first), sample(dtype, second))
    a, b = sample(dtype, (2, 3, 4)), sample(dtype, (3, 4, 5))
    both("tensordot", a, b)
    both("tensordot", a, b, axes=0)
    both("tensordot", a, b, axes=([1, 2], [0, 1]))
    both("tensordot", a, sample(dtype, (4, 2)), axes=((-1, 0), (0, -1)))
    both("vecdot", a, sample(dtype, (3, 4)))
    both("vecdot", a, sample(dtype, (2, 3, 1)), axis=-2)
    with pytest.raises(ValueError):
        xp.tensordot(xp.ones((2, 3)), xp.ones((2, 3)), axes=1)
    with pytest.raises(ValueError):
        xp.vecdot(xp.ones(2), xp.ones(3))
    with pytest.raises(IndexError):
        xp.vecdot(xp.ones(2), xp.ones(2), axis=0)


# ---------------------------------------------------------------------------------------------------- reductions


AXES = [None, 0, 1, -1, (0, 2), (-1, 0, 1), ()]


@pytest.mark.parametrize("name, dtype", [
    (name, dtype) for name, dtypes in {
        "sum": NUMERIC, "prod": NUMERIC, "mean": REALS + COMPLEX, "var": REALS, "std": REALS, "max": INTEGERS + REALS,
        "min": INTEGERS + REALS, "all": ALL, "any": ALL, "count_nonzero": ALL}.items() for dtype in dtypes])
def test_reductions(name, dtype):
    # The standard wants uint64 for sums of uint8.
    options = {"dtype": "int64"} if dtype == "uint8" and name in ("sum", "prod") else {}
    x = sample(dtype, (2, 3, 4))
    if name == "prod":
        x = np.clip(x.real, -1, 2).astype(dtype)
    for axis in AXES:
        for keepdims in (False, True):
            both(name, x, axis=axis, keepdims=keepdims, **options)
    if name not in ("max", "min", "mean", "var", "std"):
        both(name, sample(dtype, (2, 0)), axis=1, **options)
        both(name, sample(dtype, (0,)), **options)
    both(name, sample(dtype, ()), **options)
    if name in ("var", "std"):
        both(name, x, axis=0, correction=1.0)
    if name in ("sum", "prod"):
        both(name, x.astype("float32") if dtype in REALS else x, axis=0,
             dtype="float64" if dtype in REALS else "complex128" if dtype in COMPLEX else "int64")


@pytest.mark.parametrize("dtype", INTEGERS + REALS)
def test_cumulative_functions(dtype):
    options = {"dtype": "int64"} if dtype == "uint8" else {}
    for name in ("cumulative_sum", "cumulative_prod"):
        for axis in (0, 1, -1):
            x = np.clip(sample(dtype, (3, 4)), 0, 2) + np.zeros((), dtype)  # without negative zeros
            both(name, x, axis=axis, **options)
            both(name, x, axis=axis, include_initial=True, **options)
        both(name, sample(dtype, (3,)), **options)
    with pytest.raises(ValueError):
        xp.cumulative_sum(xp.ones((2, 2)))


@pytest.mark.parametrize("function", [xp.cumulative_sum, xp.cumulative_prod, xp.sum, xp.prod])
def test_sums_keep_the_dtype_that_is_asked_for(function):
    for dtype in (xp.int8, xp.uint8, xp.int32, xp.int64, xp.float32, xp.float64):
        assert function(xp.asarray([1, 2, 3]), dtype=dtype).dtype == dtype
    assert xp.cumulative_sum(xp.asarray([100, 100]), dtype=xp.int8, include_initial=True).tolist() == [0, 100, -56]


@pytest.mark.parametrize("dtype", INTEGERS + REALS)
def test_searching_and_sorting(dtype):
    x = sample(dtype, (3, 5))
    for axis in (0, 1, -1):
        for name in ("argmax", "argmin"):
            both(name, x, axis=axis)
            both(name, x, axis=axis, keepdims=True)
        for descending in (False, True):
            both("sort", x, axis=axis, descending=descending)
            both("argsort", np.argsort(x, axis=axis).astype(dtype), axis=axis, descending=descending)
        both("diff", x, axis=axis)
        both("diff", x, axis=axis, n=2)
    both("diff", x, prepend=x[:, :1], append=x[:, :2])
    for name in ("argmax", "argmin"):
        both(name, x)
        both(name, x, keepdims=True)
    both("nonzero", x)
    both("where", x > 1, x, sample(dtype, (5,)))
    for side in ("left", "right"):
        both("searchsorted", np.sort(x.ravel()), sample(dtype, (2, 3)), side=side)
    both("searchsorted", x[0], sample(dtype, (2,)), sorter=np.argsort(x[0]))
    with pytest.raises(ValueError):
        xp.nonzero(xp.asarray(1))
    with pytest.raises(ValueError):
        xp.max(xp.ones((2, 0)), axis=1)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *REALS])
def test_sets(dtype):
    for shape in ((7,), (3, 4), (0,), ()):
        x = sample(dtype, shape)
        for name in ("unique_all", "unique_counts", "unique_inverse"):
            both(name, x)
        np.testing.assert_array_equal(to_numpy(xp.unique_values(xp.asarray(x))), np.unique(x))


# ---------------------------------------------------------------------------------------------------- extensions


@pytest.mark.parametrize("dtype", REALS + COMPLEX)
def test_linalg(dtype):
    a = (sample(dtype, (2, 3, 3)) + 10 * np.eye(3)).astype(dtype)
    hermitian = a + a.conj().swapaxes(-1, -2)
    wide = sample(dtype, (2, 3, 4))
    for upper in (False, True):
        both("linalg.cholesky", hermitian + 20 * np.eye(3, dtype=dtype), upper=upper)
    for function in ("det", "inv", "slogdet", "svdvals", "matrix_rank"):
        both(f"linalg.{function}", a / 4)
    both("linalg.eigvalsh", hermitian)
    for n in (-2, 0, 1, 3):
        both("linalg.matrix_power", a / 4, n)
    for right in ((3,), (2, 3, 1), (3, 3), (2, 3, 4)):
        both("linalg.solve", a, sample(dtype, right))
    both("linalg.pinv", wide)
    both("linalg.pinv", wide, rtol=0.5)
    both("linalg.matrix_rank", wide, rtol=0.5)
    both("linalg.matrix_rank", wide, rtol=np.asarray([0.01, 0.9], dtype=a.real.dtype))
    for order in ("fro", "nuc", 1, 2, math.inf, -1, -2, -math.inf):
        for keepdims in (False, True):
            both("linalg.matrix_norm", wide, ord=order, keepdims=keepdims)
    for order in (0, 1, 2, 3, 0.5, -1, math.inf, -math.inf):
        for axis in (None, 1, (0, 2)):
            both("linalg.vector_norm", wide, ord=order, axis=axis)
        both("linalg.vector_norm", wide, ord=order, axis=-1, keepdims=True)
    for x, q, r in ((wide, *xp.linalg.qr(xp.asarray(wide))), (wide, *xp.linalg.qr(xp.asarray(wide), mode="complete"))):
        np.testing.assert_allclose(to_numpy(q @ r), x, atol=1e-5)
        np.testing.assert_allclose(to_numpy(xp.triu(r)), to_numpy(r))
    values, vectors = xp.linalg.eigh(xp.asarray(hermitian))
    np.testing.assert_allclose(to_numpy(vectors * xp.expand_dims(values, axis=-2)), hermitian @ to_numpy(vectors), atol=1e-4)
    for full_matrices in (False, True):
        u, s, vh = xp.linalg.svd(xp.asarray(wide), full_matrices=full_matrices)
        assert vh.shape == ((2, 4, 4) if full_matrices else (2, 3, 4))
        np.testing.assert_allclose(to_numpy((u * xp.expand_dims(s, axis=-2)) @ vh[..., :3, :]), wide, atol=1e-5)
    for call in (lambda: xp.linalg.qr(xp.asarray(a), mode="r"), lambda: xp.linalg.matrix_norm(xp.asarray(a), ord=3)):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("dtype", ["int8", "int64", *REALS, *COMPLEX])
def test_linalg_of_all_numbers(dtype):
    both("linalg.outer", sample(dtype, (3,)), sample(dtype, (2,)))
    both("linalg.cross", sample(dtype, (2, 3)), sample(dtype, (3,)))
    both("linalg.cross", sample(dtype, (3, 2)), sample(dtype, (3, 1)), axis=-2)
    for offset in (-1, 0, 2):
        both("linalg.diagonal", sample(dtype, (2, 3, 4)), offset=offset)
        both("linalg.trace", sample(dtype, (2, 3, 4)), offset=offset)
    both("linalg.trace", sample(dtype, (3, 3)), dtype="complex128" if dtype in COMPLEX else "float64")
    both("linalg.matmul", sample(dtype, (2, 3)), sample(dtype, (3, 4)))
    both("linalg.vecdot", sample(dtype, (2, 3)), sample(dtype, (3,)))
    with pytest.raises(ValueError):
        xp.linalg.cross(xp.ones(2), xp.ones(2))
    with pytest.raises(IndexError):
        xp.linalg.cross(xp.ones(3), xp.ones(3), axis=0)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("bits", [32, 64])
def test_fft(bits, norm):
    real, numbers = f"float{bits}", f"complex{2 * bits}"
    for axis, n in itertools.product((-1, 0), (None, 3, 5, 8)):
        for function in ("fft", "ifft", "irfft", "hfft"):
            both(f"fft.{function}", sample(numbers, (5, 6)), axis=axis, n=n, norm=norm)
        for function in ("rfft", "ihfft"):
            both(f"fft.{function}", sample(real, (5, 6)), axis=axis, n=n, norm=norm)
    for s, axes in ((None, None), (None, (0, 2)), ((4, 3), (1, 0)), ((2, 7), (-1, -2))):
        for function in ("fftn", "ifftn", "irfftn"):
            both(f"fft.{function}", sample(numbers, (2, 3, 4)), s=s, axes=axes, norm=norm)
        both("fft.rfftn", sample(real, (2, 3, 4)), s=s, axes=axes, norm=norm)


def test_frequencies_of_fft():
    for n in (1, 4, 5):
        both("fft.fftfreq", n, dtype="float32")
        both("fft.rfftfreq", n, d=0.5, dtype="float32")
        both("fft.fftfreq", n, dtype="float64", d=2.0)
        both("fft.fftshift", sample("float32", (n, 3)))
        both("fft.ifftshift", sample("float32", (n, 3)), axes=0)
    assert xp.fft.fftfreq(3).dtype == xp.fft.rfftfreq(3).dtype == xp.float32
    for call in (lambda: xp.fft.fft(xp.ones(3), norm="both"), lambda: xp.fft.fft(xp.ones(3), n=0)):
        with pytest.raises(ValueError):
            call()


# ---------------------------------------------------------------------------------------------------------- array


def test_operators_of_arrays():
    x = xp.asarray([1, 2, 3])
    assert (+x).tolist() == [1, 2, 3] and (2 ** x).tolist() == [2, 4, 8] and (x << 1).tolist() == [2, 4, 6]
    assert (~x).tolist() == [-2, -3, -4] and (7 // x).tolist() == [7, 3, 2] and (7 % x).tolist() == [0, 1, 1]
    assert x.ndim == 1 and x.shape == (3,)
    assert x.__dlpack_device__() == (1, 0)
    a = xp.reshape(xp.arange(6), (2, 3))
    a[a > 3] = 0
    assert a.tolist() == [[0, 1, 2], [3, 0, 0]]
    assert int(a[0, 1]) == 1 and complex(a[0, 1]) == 1 and bool(a[0, 1])


def parts(value):
    number = complex(value.item())
    return repr(number.real), repr(number.imag)


NAN, INF = math.nan, math.inf


# Special cases of the standard; None for a part whose sign is not specified.
@pytest.mark.parametrize("name, argument, real, imaginary", [
    ("expm1", (-0.0, 0.0), "0.0", "0.0"), ("expm1", (0.0, -0.0), "0.0", "-0.0"), ("expm1", (1.0, INF), "nan", "nan"),
    ("expm1", (1.0, NAN), "nan", "nan"), ("expm1", (INF, 0.0), "inf", "0.0"), ("expm1", (-INF, 1.0), "-1.0", "0.0"),
    ("expm1", (-INF, 2.0), "-1.0", "0.0"), ("expm1", (INF, 2.0), "-inf", "inf"), ("expm1", (-INF, INF), "-1.0", None),
    ("expm1", (INF, INF), None, "nan"), ("expm1", (-INF, NAN), "-1.0", None), ("expm1", (INF, NAN), None, "nan"),
    ("expm1", (NAN, 0.0), "nan", "0.0"), ("expm1", (NAN, 1.0), "nan", "nan"), ("expm1", (NAN, NAN), "nan", "nan"),
    ("log1p", (-1.0, 0.0), "-inf", "0.0"), ("log1p", (1.0, INF), "inf", "pi/2"), ("log1p", (1.0, NAN), "nan", "nan"),
    ("log1p", (-INF, 1.0), "inf", "pi"), ("log1p", (INF, 1.0), "inf", "0.0"), ("log1p", (-INF, INF), "inf", "3pi/4"),
    ("log1p", (INF, INF), "inf", "pi/4"), ("log1p", (-INF, NAN), "inf", "nan"), ("log1p", (INF, NAN), "inf", "nan"),
    ("log1p", (NAN, 1.0), "nan", "nan"), ("log1p", (NAN, INF), "inf", "nan"), ("log1p", (NAN, NAN), "nan", "nan"),
    ("sign", (-0.0, -0.0), "0.0", "0.0"), ("sign", (-0.0, 0.0), "0.0", "0.0"), ("sign", (0.0, -2.0), "0.0", "-1.0")])
def test_special_cases_of_complex_functions(name, argument, real, imaginary):
    angles = {"pi/2": math.pi / 2, "pi": math.pi, "3pi/4": 3 * math.pi / 4, "pi/4": math.pi / 4}
    result = getattr(xp, name)(xp.asarray(complex(*argument), dtype=xp.complex128))
    found_real, found_imaginary = parts(result)
    assert found_real == real or (real is None and found_real.lstrip("-") == "inf")
    if imaginary is None:
        assert found_imaginary.lstrip("-") == "0.0"
    elif imaginary in angles:
        assert float(found_imaginary) == pytest.approx(angles[imaginary], 1e-15)
    else:
        assert found_imaginary == imaginary


def test_functions_of_large_complex_numbers_do_not_overflow():
    assert complex(xp.log1p(xp.asarray(1e200 + 1e200j, dtype=xp.complex128))) == pytest.approx(np.log1p(1e200 + 1e200j))
    assert complex(xp.log1p(xp.asarray(1e-9 + 1e-12j, dtype=xp.complex128))) == pytest.approx(1e-9 + 1e-12j, rel=1e-8)


def test_signs_of_zeros_are_positive():
    for dtype in (xp.float32, xp.float64):
        signs = xp.sign(xp.asarray([-0.0, 0.0, -2.0, math.nan], dtype=dtype)).tolist()
        assert repr(signs) == "[0.0, 0.0, -1.0, nan]"


def test_sets_of_complex_numbers():
    x = xp.asarray([[2 + 1j, 1 - 1j], [2 + 1j, 2 - 3j]], dtype=xp.complex64)
    values, first, inverse, counts = xp.unique_all(x)
    assert values.tolist() == [1 - 1j, 2 - 3j, 2 + 1j] and counts.tolist() == [1, 1, 2]
    assert first.tolist() == [1, 3, 0] and inverse.tolist() == [[2, 0], [2, 1]]
    assert xp.unique_values(x).tolist() == values.tolist()
    assert xp.unique_counts(x).counts.tolist() == [1, 1, 2] and xp.unique_inverse(x).values.dtype == xp.complex64
    assert xp.unique_values(xp.asarray([complex(NAN, 1), complex(NAN, 1), 0j], dtype=xp.complex128)).shape == (3,)
    assert xp.unique_values(xp.asarray([], dtype=xp.complex64)).shape == (0,)


def test_masks_of_wrong_shape():
    x = xp.zeros((2, 3))
    for mask in (xp.ones(3, dtype=xp.bool), xp.ones((2, 2), dtype=xp.bool), xp.ones((2, 3, 1), dtype=xp.bool)):
        with pytest.raises(IndexError):
            x[mask]
        with pytest.raises(IndexError):
            x[mask] = 1.0
    with pytest.raises(IndexError):
        x[0, xp.ones(2, dtype=xp.bool)]
