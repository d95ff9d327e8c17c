"""Memory shared with NumPy and others: the buffer protocol and DLPack."""
import array
import ctypes
import datetime
import gc
import operator
import uuid
import weakref
from decimal import Decimal
from fractions import Fraction

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


class DLDevice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("index", ctypes.c_int32)]


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", DLDevice), ("rank", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Exporter:
    """Exports two elements of any DLPack type, with a deleter that is a function of Python."""

    def __init__(self, code, bits, lanes=1, strides=(1,), device=1):
        self.deleted = 0
        self.data = (ctypes.c_char * 64)()
        self.shape = (ctypes.c_int64 * 1)(2)
        self.strides = (ctypes.c_int64 * 1)(*strides)
        tensor = DLTensor(ctypes.addressof(self.data), DLDevice(device, 0), 1, code, bits, lanes, self.shape,
                          self.strides, 0)
        self.managed = DLManagedTensor(tensor, None, Deleter(self.delete))

    def delete(self, address):
        self.deleted += len([None for _ in range(1)])  # calls, which fail while an exception is set

    def __dlpack__(self, **keywords):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)


@pytest.mark.parametrize("exporter", [
    Exporter(1, 16), Exporter(1, 32), Exporter(1, 64), Exporter(0, 128), Exporter(2, 8), Exporter(2, 128),
    Exporter(3, 64), Exporter(7, 8), Exporter(17, 4), Exporter(200, 8), Exporter(2, 32, lanes=2),
    Exporter(2, 32, strides=(-1,)), Exporter(2, 32, device=2)])
def test_dlpack_arrays_that_no_tensor_can_hold(exporter):
    with pytest.raises(BufferError):
        st.from_dlpack(exporter)
    assert exporter.deleted == 1


def test_deleters_run_without_an_exception():
    exporter = Exporter(2, 32)
    with pytest.raises(ZeroDivisionError):
        [st.from_dlpack(exporter), 1 / 0]  # deletes the tensor while the exception is set
    assert exporter.deleted == 1
    for dtype in (np.uint16, np.uint32, np.uint64, np.longdouble):
        with pytest.raises(BufferError):
            st.from_dlpack(np.ones(2, dtype=dtype))


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


ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "matmul"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


@pytest.mark.parametrize("name", ARITHMETIC + COMPARISONS)
def test_operators_on_tensors_and_arrays_are_elementwise(name):
    function = getattr(operator, name)
    a, b = np.array([4, 9, 2]), np.array([4, 2, 4])
    expected = function(a, b)
    for x, y in [(st.tensor(a), b), (a, st.tensor(b))]:
        result = function(x, y)
        assert isinstance(result, st.Tensor) and result.tolist() == expected.tolist()
    frozen = np.array([4, 2, 4])[::-1]
    frozen.flags.writeable = False
    assert function(st.tensor(a), frozen).tolist() == function(a, frozen).tolist()


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift",
                                  "irshift"])
def test_in_place_operators_keep_the_left_operand(name):
    function = getattr(operator, name)
    a, b = np.array([4, 9, 2]), np.array([4, 2, 3])
    expected = function(a.copy(), b).tolist()
    tensor, array = st.tensor(a), a.copy()
    assert function(tensor, b) is tensor and tensor.tolist() == expected
    assert function(array, st.tensor(b)) is array and array.tolist() == expected


def test_operators_on_arrays_are_recorded():
    x = st.tensor([1.0, 2.0], requires_grad=True)
    weights = np.array([3.0, 4.0], dtype=np.float32)
    (weights * x + x @ weights).sum().backward()
    assert x.grad.tolist() == [9, 12]


def test_operators_on_arrays_of_other_shapes_and_types():
    t = st.tensor([1, 2, 3])
    assert (t == np.array(2)).tolist() == [False, True, False]
    assert (t < np.array([[2], [3]])).tolist() == [[True, False, False], [True, True, False]]
    assert (np.float32(2) * t).tolist() == [2, 4, 6] and (np.int64(2) < t).tolist() == [False, False, True]
    assert (t == np.bool_(True)).tolist() == [True, False, False]
    with pytest.raises(TypeError, match="no dtype"):
        t == np.array([1, 2, 3], dtype=np.uint16)
    with pytest.raises(RuntimeError):
        t == np.array([1, 2])


def test_operators_leave_subclasses_of_arrays_to_them():
    t = st.tensor([1.0, 2.0])

    class Plain(np.ndarray):
        pass

    plain = np.array([1.0, 3.0]).view(Plain)
    assert (t == plain).tolist() == (plain == t).tolist() == [True, False] and (plain - t).tolist() == [0, 1]
    with pytest.raises(TypeError):  # such arrays have dtypes of NumPy only
        t + np.ma.array([1.0, 2.0], mask=[False, True])

    class Unit(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return "unit"

    unit = np.zeros(2).view(Unit)
    assert t + unit == "unit" and unit + t == "unit" and (t < unit) == "unit" and np.add(t, unit) == "unit"


class Unknown:
    """An object with the reflected methods of all operators."""

    def __float__(self):
        return 1.0


for _name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift", "matmul"]:
    setattr(Unknown, f"__r{_name}__", lambda self, other, name=_name: ("r" + name, other))
for _name in COMPARISONS:
    setattr(Unknown, f"__{_name}__", lambda self, other, name=_name: (name, other))


@pytest.mark.parametrize("name", ARITHMETIC + COMPARISONS)
def test_operators_leave_unknown_objects_to_their_methods(name):
    t = st.tensor([1, 2])
    reflected = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
    called, other = getattr(operator, name)(t, Unknown())
    assert other is t
    assert called == (reflected.get(name, name) if name in COMPARISONS else "r" + name.rstrip("_"))


@pytest.mark.parametrize("other", [object(), None, "a", b"ab", [1, 2], uuid.UUID(int=1), datetime.timedelta(1)], ids=repr)
def test_tensors_are_not_equal_to_unknown_objects(other):
    t = st.tensor([1, 2])
    assert (t == other) is False and (t != other) is True and (other == t) is False
    for name in ["lt", "ge", "add", "sub", "and_", "matmul", "iadd", "isub"]:
        with pytest.raises(TypeError):
            getattr(operator, name)(t, other)


def test_registered_numbers_are_operands():
    t = st.tensor([0.5, 1.0])
    assert (t == Fraction(1, 2)).tolist() == [True, False] and (Decimal("0.5") + t).tolist() == [1.0, 1.5]


def test_functions_of_numpy_with_outputs_and_several_results():
    t = st.tensor([1.0, 4.0])
    out = st.zeros(2)
    assert np.sqrt(t, out=out) is out and out.tolist() == [1, 2]
    fractions, exponents = np.frexp(t)
    assert fractions.tolist() == [0.5, 0.5] and exponents.tolist() == [1, 3]
    assert np.add.reduce(t).item() == 5 and np.add([1.0, 2.0], t).tolist() == [2, 6]
    np.add.at(t, [0, 0], 1.0)
    assert t.tolist() == [3, 4]
