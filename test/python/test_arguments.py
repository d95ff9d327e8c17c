"""Binding of arguments to overloads."""
import gc
import sys

import pytest

import structured as st


def test_positions_keywords_and_defaults():
    a = st.tensor([1.0, 2.0])
    assert st.add(a, a).tolist() == [2, 4]
    assert st.add(a, a, alpha=3).tolist() == [4, 8]
    assert st.add(self=a, other=a).tolist() == [2, 4]
    assert st.add(input=a, other=1).tolist() == [2, 3]
    assert a.add(other=1).tolist() == [2, 3]
    assert st.sum(a, axis=0, keepdims=True).shape == (1,)
    assert st.add(*[a], **{"".join(["oth", "er"]): a}).tolist() == [2, 4]


def test_keywords_of_python_are_names_with_an_underscore():
    a = st.zeros(3)
    assert all(2 <= value < 3 for value in a.uniform_(from_=2.0, to=3.0).tolist())
    assert all(4 <= value < 5 for value in a.uniform_(**{"from": 4.0, "to": 5.0}).tolist())
    with pytest.raises(TypeError):
        a.uniform_(2.0, from_=2.0)
    with pytest.raises(TypeError):
        st.add(a, other_=a)


def test_lists_may_be_separate_numbers():
    assert st.zeros(2, 3).shape == st.zeros((2, 3)).shape == st.zeros([2, 3]).shape == st.zeros(size=(2, 3)).shape
    assert st.zeros(4).shape == (4,) and st.zeros(()).shape == ()
    a = st.arange(6)
    assert a.view(2, 3).shape == a.view((2, 3)).shape == st.reshape(a, (2, 3)).shape == (2, 3)
    assert a.view(-1).shape == (6,) and a.view(2, 3).permute(1, 0).shape == (3, 2)
    assert st.zeros(st.tensor(2), 3).shape == (2, 3)
    assert st.zeros(2, 3, dtype=st.int8).dtype is st.int8
    with pytest.raises(TypeError):
        st.zeros(2, 3.0)
    with pytest.raises(TypeError):
        st.zeros(True)


def test_out_and_in_place_return_the_argument():
    a, out = st.ones(2), st.empty(0)
    assert st.add(a, a, out=out) is out and out.tolist() == [2, 2]
    assert a.add_(1) is a and a.tolist() == [2, 2]
    assert st.add(a, a, out=None).tolist() == [4, 4]
    values, indices = st.empty(0), st.empty(0, dtype=st.int64)
    result = st.max(st.tensor([[1.0, 3.0]]), 1, out=(values, indices))
    assert values.tolist() == [3] and indices.tolist() == [1]
    assert result[0] is values
    b = a
    b += 1
    assert b is a
    with pytest.raises(TypeError):
        st.max(a, 0, out=values)
    with pytest.raises(TypeError):
        st.add(a, a, out=3)


def test_named_results():
    result = st.max(st.tensor([[1.0, 3.0], [5.0, 2.0]]), dim=1)
    assert result.values.tolist() == [3, 5] and result.indices.tolist() == [1, 0]
    values, indices = result
    assert values is result.values
    assert repr(st.max(st.tensor([1]), 0)).startswith("structured.return_types.max(\nvalues=") or \
        "values=" in repr(st.max(st.tensor([1]), 0))


def test_results_that_are_an_argument_are_its_object():
    a = st.ones(2)
    assert a.contiguous() is a and st.relu_(a) is a and a.T is not a and a.view(2) is not a


def test_tensors_as_separate_arguments():
    a, b = st.ones(2, 1), st.ones(3)
    assert [each.shape for each in st.broadcast_tensors(a, b)] == [(2, 3)] * 2 == [
        each.shape for each in st.broadcast_tensors([a, b])]
    assert [each.shape for each in st.meshgrid(b, st.ones(4), indexing="xy")] == [(4, 3)] * 2
    assert st.block_diag(a, a).shape == (4, 2) and st.einsum("ij,k->ik", a, b).shape == (2, 3)
    assert st.atleast_2d(b).shape == (1, 3) and [each.dim() for each in st.atleast_1d(st.tensor(1), b)] == [1, 1]


def test_lists_of_tensors():
    a = st.ones(2)
    assert st.cat([a, a]).shape == st.cat((a, a), dim=0).shape == (4,)
    assert [part.shape for part in st.split(st.arange(5), 2)] == [(2,), (2,), (1,)]
    with pytest.raises(TypeError):
        st.cat([a, 3])
    with pytest.raises(TypeError):
        st.cat(a)


def test_type_errors_list_the_overloads():
    a = st.ones(2)
    with pytest.raises(TypeError) as error:
        st.add(a, "x")
    text = str(error.value)
    assert text.startswith("add(): no overload accepts (structured.Tensor, str); expected one of\n")
    assert "(Tensor self, Tensor other, *, Scalar alpha=1): argument `other` must be Tensor, not str" in text
    assert "(Tensor self, Scalar other, Scalar alpha=1): argument `other` must be Scalar, not str" in text


@pytest.mark.parametrize("call, message", [
    (lambda a: a.relu_(1), "at most 1 positional arguments, got 2"),
    (lambda a: a.relu_(x=1), "there is no argument `x`"),
    (lambda a: st.relu_(a, self=a), "`self` is given twice"),
    (lambda a: st.relu_(), "`self` is missing"),
    (lambda a: st.relu_("a"), "argument `self` must be Tensor, not str; expected \\(Tensor self\\)"),
    (lambda a: st.sum(a, dim="x"), "must be int"),
    (lambda a: st.zeros(2, dtype="float"), "`dtype` must be ScalarType"),
    (lambda a: st.zeros(2, device=3), "`device` must be Device"),
])
def test_type_errors_name_the_argument(call, message):
    with pytest.raises(TypeError, match=message):
        call(st.ones(2))


def test_factories_take_requires_grad():
    for tensor in (st.ones(2, requires_grad=True), st.rand(2, 3, requires_grad=True),
                   st.zeros_like(st.ones(1), requires_grad=True), st.ones(2).new_zeros(3, requires_grad=True)):
        assert tensor.requires_grad and tensor.is_leaf
    assert not st.full((1,), 2.0, requires_grad=False).requires_grad
    with pytest.raises(TypeError, match="`requires_grad` must be bool, not int"):
        st.ones(2, requires_grad=1)
    with pytest.raises(TypeError, match="there is no argument `requires_grad`"):
        st.relu(st.ones(2), requires_grad=True)
    with pytest.raises(RuntimeError):
        st.ones(2, dtype=st.int64, requires_grad=True)


def test_errors_of_operators_map():
    a = st.ones(2, 3)
    with pytest.raises(IndexError, match="expected a dimension from -2 to 1, got 5"):
        a.sum(5)
    with pytest.raises(RuntimeError, match="add"):
        a + st.ones(2, 4)
    with pytest.raises(OverflowError):
        a.sum(2**70)
    with pytest.raises(OverflowError):
        a + 2**64


def test_functions_are_documented():
    assert st.add.__name__ == "add" and st.add.__module__ == "structured._operators"
    assert st.add.__doc__.startswith("add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n")
    assert "Elementwise sum" in st.add.__doc__
    assert repr(st.add) == "<function add>"


def test_bad_calls_leak_nothing():
    a = st.ones(2)
    before = sys.getrefcount(a)

    def bad():
        for call in (lambda: st.add(a, "x"), lambda: st.cat([a, 3]), lambda: a[7], lambda: st.zeros(-1)):
            try:
                call()
            except (TypeError, IndexError, RuntimeError):
                pass

    for _ in range(1000):
        bad()
    gc.collect()
    assert sys.getrefcount(a) == before


def test_calls_use_no_more_memory_with_time():
    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1])

    a = st.ones(10)

    def calls(count):
        for _ in range(count):
            b = st.add(a, a)
            b += 1
            b[1:3].tolist()
            st.max(b, 0)
            try:
                st.add(a, "x")
            except TypeError:
                pass

    calls(2000)
    before = resident()
    calls(20000)
    assert resident() - before < 256  # pages
