"""Python's operators, compared with NumPy's."""
import operator

import numpy as np
import pytest

import structured as st

A = [[1.5, -2.0, 3.0], [4.0, 0.5, -6.0]]
B = [[2.0, 3.0, -1.5], [0.5, 4.0, 2.5]]


@pytest.mark.parametrize("function", [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("other", [B, 2.0, 3])
def test_floating_point(function, other):
    expected = function(np.array(A, dtype=np.float32), np.array(other, dtype=np.float32))
    second = st.tensor(other) if isinstance(other, list) else other
    np.testing.assert_allclose(function(st.tensor(A), second).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("function", [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_,
    operator.xor, operator.lshift, operator.rshift])
def test_integers(function):
    a, b = [7, 12, 5], [2, 3, 1]
    expected = function(np.array(a), np.array(b))
    assert function(st.tensor(a), st.tensor(b)).tolist() == expected.tolist()
    assert function(st.tensor(a), 2).tolist() == function(np.array(a), 2).tolist()
    assert function(20, st.tensor(b)).tolist() == function(20, np.array(b)).tolist()


def test_reversed_and_unary():
    a = st.tensor([1.0, 2.0, 4.0])
    assert (1 - a).tolist() == [0, -1, -3] and (8 / a).tolist() == [8, 4, 2] and (2**a).tolist() == [2, 4, 16]
    assert (a**2).tolist() == [1, 4, 16] and (-a).tolist() == [-1, -2, -4] and abs(-a).tolist() == a.tolist()
    assert (~st.tensor([True, False])).tolist() == [False, True] and (~st.tensor([1])).tolist() == [-2]
    assert (1 < a).tolist() == [False, True, True]
    assert (+a).tolist() == a.tolist()


def test_in_place_operators_keep_the_object():
    a = st.tensor([6.0, 8.0])
    b = a
    b += 1
    b -= st.tensor([1.0, 1.0])
    b *= 2
    b /= 4
    assert a.tolist() == [3, 4] and b is a


def test_matrix_products():
    a, b = st.tensor(A), st.tensor(B)
    np.testing.assert_allclose((a @ b.T).numpy(), np.array(A) @ np.array(B).T, rtol=1e-6)
    with pytest.raises(TypeError):
        a @ 2


def test_other_types_are_left_to_python():
    a = st.ones(2)
    with pytest.raises(TypeError):
        a + "x"
    with pytest.raises(TypeError):
        [1] + a
    assert (a == None) is False  # noqa: E711
    assert (a != "x") is True
    assert (a + np.float32(1)).tolist() == [2, 2]


def test_results_keep_the_dtype_with_numbers():
    assert (st.tensor([1], dtype=st.int8) + 1).dtype is st.int8
    assert (st.tensor([1]) + 1.5).dtype is st.float32
    assert (st.tensor([1]) / 2).dtype is st.float32
    assert (st.tensor([1.0], dtype=st.float16) * 2.0).dtype is st.float16


def test_lists_take_a_number_for_each_tensor():
    tensors = [st.ones(2), st.ones(3)]
    scaled = st._operators._foreach_mul(tensors, [2.0, 3])
    assert [tensor.tolist() for tensor in scaled] == [[2, 2], [3, 3, 3]]
    st._operators._foreach_add_(tensors, [0.5, -1.0])
    assert [tensor.tolist() for tensor in tensors] == [[1.5, 1.5], [0, 0, 0]]


UNARY = ["exp", "sin", "cos", "tanh", "floor", "ceil", "trunc", "square_root"]


@pytest.mark.parametrize("name", UNARY)
def test_functions_agree_with_numpy(name):
    names = {"square_root": ("sqrt", "sqrt")}
    ours, theirs = names.get(name, (name, name))
    values = np.linspace(0.1, 3, 50, dtype=np.float32)
    np.testing.assert_allclose(getattr(st, ours)(st.from_numpy(values)).numpy(), getattr(np, theirs)(values), rtol=1e-5)


def test_large_tensors_release_the_interpreter_lock():
    import threading

    a = st.rand(1 << 20)
    results = []
    threads = [threading.Thread(target=lambda: results.append((a + a).sum().item())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1
