"""Gradient modes and leaves. Derivatives of operators are tested where they are defined."""
import pytest

import structured as st


def test_leaves():
    a = st.tensor([1.0, 2.0])
    assert not a.requires_grad and a.is_leaf and a.grad is None and a.grad_fn is None
    assert a.requires_grad_() is a and a.requires_grad
    a.grad = st.ones(2)
    assert a.grad.tolist() == [1, 1]
    a.grad = None
    assert a.grad is None
    assert not a.detach().requires_grad and a.detach().data_ptr() == a.data_ptr()
    with pytest.raises(RuntimeError):
        st.tensor([1]).requires_grad_()
    with pytest.raises(TypeError):
        a.grad = 3
    with pytest.raises(TypeError):
        a.requires_grad = 1


def test_modes():
    a = st.tensor([1.0], requires_grad=True)
    assert st.is_grad_enabled()
    with st.no_grad():
        assert not st.is_grad_enabled() and not (a + 1).requires_grad
        with st.enable_grad():
            assert (a + 1).requires_grad
        assert not st.is_grad_enabled()
    assert (a + 1).requires_grad and not (a + 1).is_leaf

    @st.no_grad()
    def with_parentheses():
        return (a + 1).requires_grad

    @st.inference_mode
    def without():
        return (a + 1).requires_grad

    assert not with_parentheses() and not without() and st.is_grad_enabled()
    with pytest.raises(ZeroDivisionError), st.no_grad():
        1 / 0
    assert st.is_grad_enabled()
    with st.set_grad_enabled(False):
        assert not st.is_grad_enabled()
    assert st.is_grad_enabled()


def test_in_place_writes_to_leaves_are_errors():
    a = st.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError):
        a.add_(1)
    with st.no_grad():
        a.add_(1)
    assert a.tolist() == [2]


def test_backward_needs_a_recorded_result():
    with pytest.raises(RuntimeError):
        st.tensor([1.0]).backward()
    a = st.tensor([2.0], requires_grad=True)
    a.backward()
    assert a.grad.tolist() == [1]
