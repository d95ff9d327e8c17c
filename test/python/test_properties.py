"""Operators on generated tensors, compared with NumPy."""
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as make
from hypothesis.extra import numpy as arrays

import structured as st

settings.register_profile("tests", max_examples=60, deadline=None, derandomize=True,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("tests")

DTYPES = [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float32, np.float64, np.complex64, np.complex128]
REAL = [np.int32, np.int64, np.float32, np.float64]
SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


def elements(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return make.booleans()
    if kind in "iu":
        return make.integers(0 if kind == "u" else -20, 20)
    numbers = make.floats(-100, 100, width=32)
    return numbers if kind == "f" else make.builds(complex, numbers, numbers)


@make.composite
def values(draw, dtypes=DTYPES, shapes=SHAPES):
    """An array, often not contiguous: axes in another order, and every second element."""
    dtype = draw(make.sampled_from(dtypes))
    array = draw(arrays.arrays(dtype, draw(shapes), elements=elements(dtype)))
    if array.ndim and draw(make.booleans()):
        array = array.transpose(draw(make.permutations(range(array.ndim))))
    if array.ndim and draw(make.booleans()):
        array = array[::2]
    return array


@make.composite
def pairs(draw, dtypes=DTYPES):
    """Two arrays of one dtype whose shapes broadcast."""
    dtype = draw(make.sampled_from(dtypes))
    shapes = draw(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)).input_shapes
    return [draw(arrays.arrays(dtype, shape, elements=elements(dtype))) for shape in shapes]


def agree(tensor, array):
    array = np.asarray(array)
    assert tensor.shape == array.shape
    np.testing.assert_allclose(tensor.numpy(), array, rtol=2e-4, atol=1e-4)


def shared(array):
    return st.from_numpy(array) if array.size else st.tensor(array)


@given(values())
def test_round_trips(array):
    tensor = shared(array)
    assert tensor.numpy().dtype == array.dtype
    agree(tensor, array)
    assert tensor.tolist() == array.tolist()
    if array.size:
        agree(st.tensor(array.tolist(), dtype=tensor.dtype), array)
    np.testing.assert_array_equal(np.from_dlpack(tensor), array)
    assert tensor.numel() == array.size
    if array.size:
        strides = [stride // array.itemsize for stride in array.strides]
        assert all(a == b for a, b, size in zip(tensor.stride(), strides, array.shape) if size > 1)


@given(pairs([np.int32, np.int64, np.float32, np.float64, np.complex128]))
def test_arithmetic_broadcasts(pair):
    a, b = pair
    x, y = st.tensor(a), st.tensor(b)
    agree(x + y, a + b)
    agree(x - y, a - b)
    agree(x * y, a * b)
    agree(st.add(x, y, alpha=3), a + 3 * b)
    out = st.empty(0, dtype=x.dtype)
    agree(st.mul(x, y, out=out), a * b)
    agree(x == y, a == b)


@given(pairs(REAL))
def test_comparisons_and_divisions(pair):
    a, b = pair
    x, y = st.tensor(a), st.tensor(b)
    for ours, theirs in ((x < y, a < b), (x >= y, a >= b), (st.maximum(x, y), np.maximum(a, b))):
        agree(ours, theirs)
    nonzero = np.where(b == 0, np.ones((), b.dtype), b)
    z = st.tensor(nonzero)
    with np.errstate(over="ignore"):
        quotient = a / nonzero
    agree(x / z, quotient.astype(np.float32 if a.dtype.kind == "i" else a.dtype))
    if a.dtype.kind == "i":
        agree(x // z, a // nonzero)
        agree(x % z, a % nonzero)


@given(values([np.uint8, np.int64, np.float64]), make.data())
def test_reductions(array, data):
    tensor = shared(array)
    axes, keepdim = (), data.draw(make.booleans())
    if array.ndim:
        numbers = make.integers(-array.ndim, array.ndim - 1)
        axes = tuple(data.draw(make.lists(numbers, unique_by=lambda axis: axis % array.ndim)))
    if axes:
        dtype = np.int64 if array.dtype == np.uint8 else None
        agree(tensor.sum(axes, keepdim), array.sum(axes, keepdims=keepdim, dtype=dtype))
        if array.size:
            agree(tensor.amax(axes, keepdim), array.max(axes, keepdims=keepdim))
    agree(tensor.sum(), array.sum())
    agree(tensor.any(), array.any())
    for axis in range(array.ndim):
        agree(tensor.all(axis), array.all(axis))
        agree(tensor.cumsum(axis), array.cumsum(axis))
        if array.shape[axis]:
            agree(tensor.argmax(axis), array.argmax(axis))


@make.composite
def indices(draw, shape):
    """An index of an array of this shape, as NumPy and PyTorch understand it."""
    parts, is_whole = [], draw(make.booleans())
    for size in shape[:draw(make.integers(0, len(shape)))]:
        kinds = ["slice", "none"] + (["integer", "list"] if size else [])
        kind = draw(make.sampled_from(kinds))
        if kind == "integer":
            parts.append(draw(make.integers(-size, size - 1)))
        elif kind == "list" and not any(isinstance(part, list) for part in parts):
            parts.append(draw(make.lists(make.integers(-size, size - 1), min_size=1, max_size=3)))
        else:
            start, stop = draw(make.integers(-5, 5)), draw(make.one_of(make.none(), make.integers(-5, 5)))
            parts.append(slice(start, stop, draw(make.integers(1, 3))))
            if kind == "none":
                parts.append(None)
    if any(isinstance(part, list) for part in parts):
        # Integers beside lists are arrays in NumPy and positions in PyTorch.
        parts = [slice(None) if isinstance(part, int) else part for part in parts if part is not None]
    elif not is_whole:
        parts.append(Ellipsis)
    return tuple(parts)


@given(values([np.int64, np.float32]), make.data())
def test_indexing(array, data):
    tensor = st.tensor(array)
    index = data.draw(indices(array.shape))
    expected = array[index]
    agree(tensor[index], expected)
    copy, target = array.copy(), tensor.clone()
    copy[index] = 7
    target[index] = 7
    agree(target, copy)


@given(values(), make.data())
def test_views(array, data):
    tensor = shared(array)
    order = data.draw(make.permutations(range(array.ndim)))
    agree(tensor.permute(order), array.transpose(order))
    agree(tensor.reshape(-1), array.reshape(-1))
    agree(tensor.flatten(), array.flatten())
    agree(tensor.contiguous().view(tensor.shape), array)
    if array.ndim:
        axis = data.draw(make.integers(0, array.ndim - 1))
        agree(tensor.unsqueeze(axis), np.expand_dims(array, axis))
        agree(tensor.flip(axis), np.flip(array, axis))
        agree(st.cat([tensor, tensor], axis), np.concatenate([array, array], axis))
        agree(st.stack([tensor, tensor], axis), np.stack([array, array], axis))
        agree(tensor.roll(2, axis), np.roll(array, 2, axis))


@given(values([np.float64, np.float32]))
def test_elementary_functions(array):
    tensor = shared(array)
    for name in ("exp", "sin", "cos", "tanh", "floor", "ceil", "trunc", "sqrt", "expm1"):
        x = np.abs(array) if name == "sqrt" else array / 10 if name in ("exp", "expm1") else array
        agree(getattr(st.tensor(x), name)(), getattr(np, name)(x))
    agree(tensor.clamp(-1, 1), np.clip(array, -1, 1))
    agree(tensor.sigmoid(), 1 / (1 + np.exp(-array.astype(np.float64))))


@given(values([np.float64], arrays.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=4)), make.integers(1, 4))
def test_matrix_products(array, columns):
    other = np.arange(array.shape[-1] * columns, dtype=np.float64).reshape(array.shape[-1], columns)
    agree(shared(array) @ st.tensor(other), array @ other)


@given(values([np.float64], arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3)))
def test_gradients_are_central_differences(array):
    def function(x):
        return (x * x.sin() + (x / 50).exp().cumsum(0)).sum()

    x = st.tensor(array, requires_grad=True)
    gradient, = st.autograd.grad(function(x), x)
    flat = array.reshape(-1)
    for i in range(flat.size):
        step = np.zeros_like(flat)
        step[i] = 1e-5
        above, below = (function(st.tensor((flat + sign * step).reshape(array.shape))).item() for sign in (1, -1))
        assert abs((above - below) / 2e-5 - gradient.reshape(-1)[i].item()) < 1e-3
