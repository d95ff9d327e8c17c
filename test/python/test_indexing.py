"""Indexing and assignment, compared with NumPy's."""
import contextlib

import numpy as np
import pytest

import structured as st

INDICES = [
    0, -1, slice(None), slice(1, 3), slice(None, None, 2), slice(-2, None), Ellipsis, None,
    (0, 1), (slice(None), 1), (Ellipsis, 0), (0, Ellipsis), (None, 0, None), (slice(1, 2), slice(0, 2), slice(None, None, 3)),
    [0, 2], [[0, 1], [2, 0]], ([0, 1], [1, 0]), (slice(None), [0, 1]), ([2, 0], slice(None), 1),
    True, False, (), [], [True, False, True],
]


def values():
    return np.arange(3 * 2 * 4, dtype=np.float32).reshape(3, 2, 4)


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_reads_are_numpys(index):
    expected = values()[np.array(index, dtype=np.int64) if index == [] else index]
    result = st.tensor(values())[index]
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result.numpy(), expected)


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_writes_are_numpys(index):
    expected, tensor = values(), st.tensor(values())
    where = np.array(index, dtype=np.int64) if index == [] else index
    expected[where] = 7.0
    tensor[index] = 7.0
    np.testing.assert_array_equal(tensor.numpy(), expected)
    expected[where] = expected[where] * 2
    tensor[index] = tensor[index] * 2
    np.testing.assert_array_equal(tensor.numpy(), expected)


def test_tensors_as_indices():
    a = st.arange(12).view(3, 4)
    assert a[st.tensor([2, 0])].tolist() == [[8, 9, 10, 11], [0, 1, 2, 3]]
    assert a[a > 8].tolist() == [9, 10, 11]
    assert a[st.tensor([True, False, True])].shape == (2, 4)
    assert st.arange(8).view(2, 2, 2)[0, :, [1, 0]].tolist() == [[1, 0], [3, 2]]  # as PyTorch: the position comes first
    assert a[st.tensor(1)].tolist() == [4, 5, 6, 7]
    assert a[np.array([0, 1]), np.array([1, 1])].tolist() == [1, 5]
    assert a[st.tensor([1], dtype=st.int32)].shape == (1, 4)
    a[a > 8] = 0
    assert a[2].tolist() == [8, 0, 0, 0]
    a[0] = st.tensor([[1.0, 2.0, 3.0, 4.0]])
    assert a[0].tolist() == [1, 2, 3, 4]
    a[0] = [9, 8, 7, 6]
    assert a[0].tolist() == [9, 8, 7, 6]


def test_masks_without_dimensions_are_bools():
    a = st.arange(6).view(2, 3)
    for dtype in (st.bool, st.uint8):
        true, false = st.tensor(1).to(dtype), st.tensor(0).to(dtype)
        with pytest.warns(UserWarning, match="use bool") if dtype is st.uint8 else contextlib.nullcontext():
            assert a[true].shape == (1, 2, 3) and a[false].shape == (0, 2, 3) and a[true, true].shape == (1, 2, 3)
            a[false] = 9
        assert a.sum().item() == 15
    assert st.tensor(5)[st.tensor(True)].tolist() == [5]
    a[True] = st.ones(1, 1, 2, 3).long()  # leading dimensions of size 1 do not count
    a[[0, 1]] = st.ones(1, 1, 2, 3).long() * 2
    assert a.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_slices_are_views():
    a = st.zeros(4)
    a[1:3] += 1
    a[3].fill_(5)
    assert a.tolist() == [0, 1, 1, 5]
    assert a[...].data_ptr() == a.data_ptr() and a[...] is not a


@pytest.mark.parametrize("index", [
    3, -4, (0, 2), (0, 0, 0, 0), (Ellipsis, Ellipsis), "x", 1.5, [0.5], [3], st.tensor([3]), st.tensor([0.5]), {}])
def test_wrong_indices(index):
    with pytest.raises(IndexError):
        st.tensor(values())[index]


def test_other_errors():
    a = st.tensor(values())
    with pytest.raises(ValueError, match="step of a slice must be positive"):
        a[::-1]
    with pytest.raises(IndexError):
        st.tensor(1)[0]
    with pytest.raises(TypeError):
        del a[0]
    with pytest.raises(RuntimeError):
        a[0] = st.ones(5)
    with pytest.raises(OverflowError):
        a[2**70]
