"""Memory shared with NumPy and others: the buffer protocol and DLPack."""
import array
import gc
import weakref

import numpy as np
import pytest

import structured as st

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_round_trip_shares_memory(name):
    values = np.arange(6).reshape(2, 3).astype(name)
    tensor = st.from_numpy(values)
    assert tensor.dtype is getattr(st, name) and tensor.shape == (2, 3)
    values[0, 0] = 1
    assert tensor[0, 0].item() == values[0, 0]
    back = tensor.numpy()
    assert back.dtype == values.dtype and np.shares_memory(back, values)
    np.testing.assert_array_equal(np.asarray(tensor.T), values.T)
    np.testing.assert_array_equal(st.tensor(values).numpy(), values)
    assert not np.shares_memory(st.tensor(values).numpy(), values)


@pytest.mark.parametrize("name", DTYPES)
def test_dlpack_round_trip_shares_memory(name):
    values = np.arange(6).reshape(2, 3).astype(name)
    tensor = st.from_dlpack(values)
    assert tensor.dtype is getattr(st, name)
    back = np.from_dlpack(tensor.T)
    assert np.shares_memory(back, values)
    np.testing.assert_array_equal(back, values.T)


def test_strides_are_kept():
    values = np.arange(24).reshape(4, 6)
    tensor = st.from_numpy(values[::2, ::3])
    assert tensor.stride() == (12, 3) and tensor.tolist() == values[::2, ::3].tolist()
    assert st.tensor(values[::-1]).tolist() == values[::-1].tolist()
    with pytest.raises(ValueError, match="negative"):
        st.from_numpy(values[::-1])
    assert st.as_tensor(values[::-1]).tolist() == values[::-1].tolist()


def test_tensors_without_dimensions_or_elements():
    assert st.tensor(3).numpy().shape == () and st.tensor(3).numpy() == 3
    assert st.zeros(0, 3).numpy().shape == (0, 3)
    assert st.from_numpy(np.zeros((0, 3))).shape == (0, 3)
    assert np.from_dlpack(st.zeros(0, 3)).shape == (0, 3)
    assert st.from_numpy(np.array(2.0)).item() == 2


def test_memory_lives_as_long_as_its_users():
    values = np.ones(3)
    reference = weakref.ref(values)
    tensor = st.from_numpy(values)[1:]
    del values
    gc.collect()
    assert reference() is not None and tensor.tolist() == [1, 1]
    del tensor
    gc.collect()
    assert reference() is None
    array_of_tensor = st.ones(3).numpy()
    gc.collect()
    assert array_of_tensor.tolist() == [1, 1, 1]


def test_other_buffers():
    assert st.as_tensor(array.array("d", [1, 2])).dtype is st.float64
    assert st.tensor(memoryview(bytearray(b"ab"))).tolist() == [97, 98]
    view = memoryview(st.arange(6.0).view(2, 3))
    assert view.shape == (2, 3) and view.format == "f" and view.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert bytes(st.tensor([1, 2], dtype=st.uint8)) == b"\x01\x02"


def test_read_only_buffers_are_copied():
    values = np.ones(2)
    values.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        st.from_numpy(values)
    tensor = st.as_tensor(values)
    tensor[0] = 5
    assert values.tolist() == [1, 1]


@pytest.mark.parametrize("values", [np.array(["a"]), np.array([1], dtype=np.uint32), np.array([1], dtype=">i4"),
                                    np.array([(1, 2.0)], dtype="i4,f8"), np.array([1], dtype=np.longdouble)], ids=str)
def test_buffers_of_other_formats(values):
    with pytest.raises((TypeError, ValueError)):
        st.from_numpy(values)
    with pytest.raises((TypeError, ValueError)):
        st.tensor(values)


def test_tensors_that_cannot_be_exported():
    a = st.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="detach"):
        a.numpy()
    with pytest.raises(BufferError):
        memoryview(a)
    with pytest.raises(BufferError):
        np.from_dlpack(a)
    assert a.numpy(force=True).tolist() == [1]
    with pytest.raises(BufferError):
        memoryview(st.zeros(1, dtype=st.bfloat16))
    with pytest.raises(BufferError):
        memoryview(st.zeros(1, device="meta"))


def test_dlpack_capsules():
    a = st.arange(3)
    capsule = a.__dlpack__(max_version=(1, 0))
    b = st.from_dlpack(capsule)
    b[0] = 9
    assert a[0].item() == 9
    with pytest.raises(ValueError, match="consumed"):
        st.from_dlpack(capsule)
    old = a.__dlpack__()
    assert '"dltensor"' in repr(old)
    assert st.from_dlpack(old).tolist() == a.tolist()
    copied = st.from_dlpack(a.__dlpack__(max_version=(1, 0), copy=True))
    copied[0] = 1
    assert a[0].item() == 9
    assert a.__dlpack_device__() == (1, 0)
    a.__dlpack__(max_version=(1, 0))  # never consumed: its destructor frees it
    with pytest.raises(TypeError):
        st.from_dlpack(3)
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError):
        a.__dlpack__(stream=1)
    assert st.from_dlpack(st.ones(2, dtype=st.bfloat16)).dtype is st.bfloat16


def test_numpy_functions_accept_tensors():
    a = st.tensor([1.0, 4.0])
    assert np.sqrt(a).tolist() == [1, 2] and np.stack([a, a]).shape == (2, 2)
    assert np.asarray(a, dtype=np.float64).dtype == np.float64


def test_functions_of_numpy_give_tensors():
    x = st.tensor([-1.0, 4.0])
    result = np.abs(x)
    assert isinstance(result, st.Tensor) and result.tolist() == [1, 4]
    assert isinstance(np.greater(x, 0), st.Tensor) and isinstance(np.asarray(x), np.ndarray)


def test_numpy_takes_tensors_that_require_gradients_only_without_recording():
    x = st.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="requires gradients"):
        x.numpy()
    with st.no_grad():
        assert x.numpy().tolist() == [1, 1]
