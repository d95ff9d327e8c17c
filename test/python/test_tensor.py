"""Construction, properties and text of tensors."""
import copy
import math
import pickle
import weakref

import pytest

import structured as st


def test_nested_lists_give_shape_and_dtype():
    assert st.tensor([[1, 2, 3], [4, 5, 6]]).shape == (2, 3)
    assert st.tensor([1, 2]).dtype is st.int64
    assert st.tensor([1, 2.5]).dtype is st.float32
    assert st.tensor([True, False]).dtype is st.bool
    assert st.tensor([1j, 2]).dtype is st.complex64
    assert st.tensor(3).shape == ()
    assert st.tensor([]).shape == (0,)
    assert st.tensor([[], []]).shape == (2, 0)
    assert st.tensor([1, 2], dtype=float).dtype is st.float64


def test_elements_of_lists_may_be_tensors():
    assert st.tensor([st.tensor(1), st.tensor(2)]).tolist() == [1, 2]
    assert st.tensor([st.tensor([1, 2]), [3, 4]]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("data, message", [
    ([[1, 2], [3]], "length 2 at dimension 1, got length 1"),
    ([[1, 2], 3], "length 2 at dimension 1, got int"),
    ([1, [2]], "expected a number"),
])
def test_ragged_lists_are_errors(data, message):
    with pytest.raises(ValueError, match=message):
        st.tensor(data)


@pytest.mark.parametrize("data", ["text", b"bytes", None, object(), [None], ["1"]])
def test_data_without_numbers_are_errors(data):
    with pytest.raises(TypeError):
        st.tensor(data)


def test_a_list_that_contains_itself_is_an_error():
    data = []
    data.append(data)
    with pytest.raises(ValueError, match="at most 64 nested"):
        st.tensor(data)


def test_integers_that_do_not_fit_are_errors():
    with pytest.raises(OverflowError):
        st.tensor([2**63])
    with pytest.raises(RuntimeError):
        st.tensor([300], dtype=st.uint8)


def test_properties():
    a = st.zeros(2, 3, 4)
    assert a.ndim == a.dim() == 3
    assert a.numel() == 24 and a.nbytes == 96 and a.itemsize == 4
    assert a.size() == (2, 3, 4) and a.size(-1) == 4 and a.size(dim=0) == 2
    assert a.stride() == (12, 4, 1) and a.stride(0) == 12
    assert a.shape.numel() == 24
    assert repr(a.shape) == "structured.Size([2, 3, 4])"
    assert a.device == st.device("cpu") and str(a.device) == "cpu"
    assert a.T.shape == (4, 3, 2) and a.mT.shape == (2, 4, 3)
    assert a.is_contiguous() and not a.T.is_contiguous()
    with pytest.raises(IndexError):
        a.size(3)


def test_text_is_pytorchs():
    assert repr(st.tensor([[1.0, 2.5], [3.0, -4.0]])) == "tensor([[ 1.0000,  2.5000],\n        [ 3.0000, -4.0000]])"
    assert repr(st.tensor([1, 2], dtype=st.int32)) == "tensor([1, 2], dtype=structured.int32)"
    assert repr(st.tensor(2.0, dtype=st.float64)) == "tensor(2., dtype=structured.float64)"
    assert repr(st.tensor([True])) == "tensor([True])"
    assert repr(st.zeros(0, 3)) == "tensor([], size=(0, 3))"
    assert repr(st.zeros(2, device="meta")) == "tensor(..., device='meta', size=(2,))"
    assert repr(st.tensor([1.0], requires_grad=True)) == "tensor([1.], requires_grad=True)"


def test_numbers_of_one_element():
    assert float(st.tensor(2.5)) == 2.5 and int(st.tensor([2.5])) == 2 and complex(st.tensor(1j)) == 1j
    assert bool(st.tensor([1])) and not bool(st.tensor(0.0))
    assert [10, 20, 30][st.tensor(1)] == 20
    assert st.tensor(2.5).item() == 2.5 and type(st.tensor(2).item()) is int and st.tensor(True).item() is True
    assert f"{st.tensor(1.23456):.2f}" == "1.23"
    with pytest.raises(RuntimeError, match="ambiguous"):
        bool(st.zeros(2))
    with pytest.raises(ValueError):
        float(st.zeros(2))
    with pytest.raises(TypeError):
        [1, 2][st.tensor(1.0)]


def test_iteration_and_length():
    assert len(st.zeros(3, 2)) == 3
    assert [row.tolist() for row in st.arange(4).view(2, 2)] == [[0, 1], [2, 3]]
    with pytest.raises(TypeError):
        len(st.tensor(1))
    with pytest.raises(TypeError):
        iter(st.tensor(1))
    assert 2 in st.arange(3) and 3 not in st.arange(3)


def test_lists():
    assert st.arange(6).view(2, 3).T.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert st.tensor(1.5).tolist() == 1.5
    assert st.zeros(2, 0).tolist() == [[], []]


def test_pickles_share_storages():
    a = st.arange(6.0).view(2, 3)
    b, row, other = pickle.loads(pickle.dumps([a, a[1], st.ones(2)]))
    assert b.tolist() == a.tolist() and row.tolist() == [3, 4, 5] and other.tolist() == [1, 1]
    row[0] = 10
    assert b[1, 0].item() == 10 and a[1, 0].item() == 3
    a[0, 0] = 7
    assert pickle.loads(pickle.dumps(a)).tolist() == a.tolist()


def test_copies():
    a = st.tensor([1.0, 2.0], requires_grad=True)
    b = copy.deepcopy(a)
    with st.no_grad():
        b[0] = 5
    assert a.tolist() == [1, 2] and b.requires_grad
    assert copy.copy(st.ones(2)).tolist() == [1, 1]
    for value in (st.float32, st.device("cpu"), st.strided, st.contiguous_format):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(st.add)) is st.add


def test_subclasses_and_weak_references():
    class Named(st.Tensor):
        pass

    a = Named(st.ones(2))
    a.name = "a"
    assert a.name == "a" and (a + a).tolist() == [2, 2] and isinstance(a, st.Tensor)
    reference = weakref.ref(a)
    del a
    assert reference() is None


def test_conversions():
    a = st.tensor([1.7, -2.2])
    assert a.long().tolist() == [1, -2] and a.double().dtype is st.float64 and a.to(st.int32).dtype is st.int32
    assert a.float() is not None and a.bool().tolist() == [True, True]
    assert a.to("cpu") is a and a.to(st.float32) is a and a.cpu() is a and a.to("cpu", st.int8).dtype is st.int8
    assert a.new_tensor([1]).dtype is st.float32 and a.type() == "structured.float32"


def test_generators():
    st.manual_seed(3)
    first = st.rand(4).tolist()
    st.manual_seed(3)
    assert st.rand(4).tolist() == first
    generator = st.Generator().manual_seed(5)
    state = generator.get_state()
    a = st.empty(3).normal_(generator=generator)
    generator.set_state(state)
    assert st.empty(3).normal_(generator=generator).tolist() == a.tolist()
    assert generator.device.type == "cpu" and generator.initial_seed() == 5
    st.manual_seed(9)
    assert st.initial_seed() == 9
    state = st.get_rng_state()
    first = st.rand(2).tolist()
    st.set_rng_state(state)
    assert st.rand(2).tolist() == first and st.seed() == st.initial_seed()


def test_devices_and_dtypes():
    assert st.device("cuda", 1) == st.device("cuda:1") and hash(st.device("cpu")) == hash(st.device("cpu"))
    assert repr(st.device("cpu")) == "device(type='cpu')" and st.device("cuda:1").index == 1
    with pytest.raises(RuntimeError):
        st.device("nowhere")
    with pytest.raises(TypeError):
        st.device(3)
    assert st.float is st.float32 and st.float32.is_floating_point and st.float32.itemsize == 4
    assert [dtype.to_complex() for dtype in (st.half, st.bfloat16, st.double, st.int64, st.complex64)] == [
        st.complex32, st.complex64, st.complex128, st.complex64, st.complex64]
    assert [dtype.to_real() for dtype in (st.chalf, st.cdouble, st.int8)] == [st.float16, st.float64, st.int8]
    with pytest.raises(Exception, match="expected a type with a complex counterpart, got QInt8"):
        st.qint8.to_complex()
    assert st.ones(2).chalf().dtype is st.complex32 and st.ones(2).bfloat16().dtype is st.bfloat16
    assert repr(st.int64) == "structured.int64"
    assert st.promote_types(st.int32, st.float32) is st.float32
    assert st.result_type(st.tensor([1]), 2.5) is st.float32


def test_files(tmp_path):
    a, b = st.arange(4.0), st.tensor([True])
    st.save(a, tmp_path / "a.npy")
    assert st.load(tmp_path / "a.npy").tolist() == a.tolist()
    st.save({"a": a, "b": b}, tmp_path / "both.npz")
    loaded = st.load(tmp_path / "both.npz")
    assert list(loaded) == ["a", "b"] and loaded["b"].dtype is st.bool
    with pytest.raises(TypeError):
        st.save(3, tmp_path / "a.npy")


def test_safetensors_files(tmp_path):
    path = tmp_path / "a.safetensors"
    tensors = {dtype: st.arange(6).view(2, 3).T.to(getattr(st, dtype)) for dtype in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")}
    tensors["number"] = st.tensor(2.5)
    tensors["empty"] = st.zeros(0, 3)
    st.save(tensors, path)
    loaded = st.load(path)
    assert sorted(loaded) == sorted(tensors)
    for name, tensor in tensors.items():
        assert loaded[name].dtype is tensor.dtype and loaded[name].shape == tensor.shape
        assert loaded[name].tolist() == tensor.tolist()
    import safetensors.numpy

    st.save({"a": tensors["int16"]}, path)
    assert safetensors.numpy.load_file(path)["a"].tolist() == tensors["int16"].tolist()
    with pytest.raises(TypeError, match="no elements of type structured.complex128"):
        st.save({"a": st.ones(1, dtype=st.complex128)}, path)
    with pytest.raises(TypeError):
        st.save({"a": 3}, path)


def test_print_options():
    a = st.tensor([1.0 / 3, 2.0])
    before = st.get_printoptions()
    with st.printoptions(precision=2):
        assert repr(a) == "tensor([0.33, 2.00])"
    assert st.get_printoptions() == before and repr(a) == "tensor([0.3333, 2.0000])"
    st.set_printoptions(profile="short", threshold=3)
    assert st.get_printoptions() == {"precision": 2, "threshold": 3, "edgeitems": 2, "linewidth": 80}
    assert repr(st.arange(6)) == "tensor([0, 1,  ..., 4, 5])"
    st.set_printoptions(profile="default")
    assert st.get_printoptions() == before
    for options in ({"profile": "long"}, {"precision": -1}):
        with pytest.raises(ValueError):
            st.set_printoptions(**options)


def test_threads():
    count = st.get_num_threads()
    st.set_num_threads(1)
    assert st.get_num_threads() == 1
    st.set_num_threads(count)
    with pytest.raises(ValueError):
        st.set_num_threads(0)


def test_parts_of_complex_tensors():
    z = st.tensor([[1 + 2j, 3 - 4j]])
    assert z.real.tolist() == [[1, 3]] and st.imag(z).tolist() == [[2, -4]]
    assert z.H.tolist() == [[1 - 2j], [3 + 4j]] == z.mH.tolist() == z.adjoint().tolist()
    z.real = 0
    z.imag = st.tensor([[5.0, 6.0]])
    assert z.tolist() == [[5j, 6j]]
    x = st.ones(2)
    assert x.real is x
    with pytest.raises(RuntimeError, match="non-complex"):
        x.imag
    with pytest.raises(RuntimeError, match="2-D"):
        x.H


def test_unique():
    x = st.tensor([3, 1, 3])
    assert st.unique(x).tolist() == [1, 3]
    values, inverse, counts = st.unique(x, return_inverse=True, return_counts=True)
    assert inverse.tolist() == [1, 0, 1] and counts.tolist() == [1, 2]
    assert st.unique(st.tensor([[1, 1], [2, 2]]), dim=1).tolist() == [[1], [2]]


# As PyTorch 2.15: elements of floating-point tensors are rounded, integers must fit.
@pytest.mark.parametrize("dtype, value, expected", [
    (st.float32, 3.4028235e38, 3.4028234663852886e38), (st.float32, 3.4028235677973366e38, math.inf),
    (st.float32, 1e300, math.inf), (st.float32, -1e300, -math.inf), (st.float16, 65519.0, 65504.0),
    (st.float16, 65519, 65504.0), (st.float16, 65520.0, math.inf), (st.float16, 70000, math.inf),
    (st.bfloat16, 3.396e38, 3.3895313892515355e38), (st.bfloat16, 1e39, math.inf), (st.complex64, 1e300, complex(math.inf, 0)),
    (st.complex64, 1e300j, complex(0, math.inf)), (st.float64, 2**70, 2.0**70), (st.float32, 2**64, 2.0**64),
    (st.complex64, 2**63, 2.0**63), (st.bool, 2**63, True), (st.bool, 1j, True), (st.int32, 1.5, 1), (st.uint8, -1, 255),
    (st.int8, 127.9, 127), (st.int8, True, 1)], ids=str)
def test_elements_are_converted_to_the_dtype(dtype, value, expected):
    assert st.tensor(value, dtype=dtype).item() == expected
    assert st.tensor([value], dtype=dtype).tolist() == [expected]
    assert st.as_tensor([[value]], dtype=dtype).tolist() == [[expected]]


@pytest.mark.parametrize("dtype, value, error", [
    (st.int8, 300, RuntimeError), (st.int8, 128.2, RuntimeError), (st.uint8, -256, RuntimeError),
    (st.uint8, -0.5, RuntimeError), (st.int32, 3e9, RuntimeError), (st.int32, math.inf, RuntimeError),
    (st.int64, math.nan, RuntimeError), (st.int64, 1e19, RuntimeError), (st.float32, 1 + 1j, TypeError),
    (st.float32, 1 + 0j, TypeError), (st.int32, 1 + 0j, TypeError), (st.int64, 2**63, OverflowError),
    (None, 2**63, OverflowError), (st.float64, 10**400, OverflowError)], ids=str)
def test_elements_that_the_dtype_lacks(dtype, value, error):
    with pytest.raises(error):
        st.tensor(value, dtype=dtype)
    with pytest.raises(error):
        st.tensor([value], dtype=dtype)


def test_large_integers_beside_real_numbers():
    assert st.tensor([2**63, 1.5], dtype=st.float64).tolist() == [2.0**63, 1.5]
    assert st.tensor([1.5, 2**63]).dtype is st.float32
    assert st.tensor([1e300, 1]).tolist() == [math.inf, 1]


def test_numbers_of_operators_fit_the_dtype():
    two = [st.float16, st.bfloat16]
    for dtype in (st.float16, st.bfloat16, st.float32):
        for value in (1e300, -1e300):
            for function in (lambda: st.full((2,), value, dtype=dtype), lambda: st.ones(2, dtype=dtype).fill_(value),
                             lambda: st.ones(2, dtype=dtype).clamp(min=value),
                             lambda: st.ones(2, dtype=dtype).masked_fill(st.tensor([True, False]), value)):
                with pytest.raises(RuntimeError, match="expected a number that fits|outside the representable range"):
                    function()
            if dtype not in two:
                continue
            # Single elements of these dtypes are rounded.
            limit = math.copysign(math.inf, value)
            condition = st.tensor([True, False])
            assert st.where(condition, st.ones(2, dtype=dtype), value).tolist() == [1, limit]
            assert st.where(condition, value, st.ones(2, dtype=dtype)).tolist() == [limit, 1]
            assert st.full((1,), value, dtype=dtype).item() == st.scalar_tensor(value, dtype=dtype).item() == limit
    assert st.where(st.tensor([True, False]), st.ones(2, dtype=st.float16), 65519.0).tolist() == [1, 65504]
    assert st.full((2,), 127.9, dtype=st.int8).tolist() == [127, 127]
    with pytest.raises(RuntimeError, match="expected a number that fits"):
        st.where(st.tensor([True]), st.ones(1), 1e300)
    with pytest.raises(RuntimeError, match="expected a number that fits"):
        st.full((1,), 300, dtype=st.int8)
