"""The protocol __structured_function__: subclasses of Tensor, and other types, replace functions."""
import pytest

import structured as st


class Logged(st.Tensor):
    """Keeps its class in results, and remembers the calls."""

    calls = []

    @classmethod
    def __structured_function__(cls, function, types, args=(), kwargs=None):
        cls.calls.append(function.__name__)
        return super().__structured_function__(function, types, args, kwargs)


@pytest.fixture(autouse=True)
def no_calls():
    Logged.calls.clear()


def test_functions_and_methods_are_replaced():
    a = Logged(st.tensor([1.0, -2.0]))
    results = [st.add(a, 1), st.add(st.ones(2), a), a.relu(), st.cat([st.ones(1), a]), st.add(st.ones(2), 1, alpha=2)]
    assert [type(result) for result in results] == [Logged] * 4 + [st.Tensor]
    assert Logged.calls == ["add", "add", "relu", "cat"]
    values, indices = a.max(0)
    assert type(values) is Logged and values.item() == 1 and indices.item() == 0
    out = Logged(st.empty(0))
    assert st.add(st.ones(2), 1, out=out) is out and out.tolist() == [2, 2]
    assert Logged.calls[-1] == "add"


def test_operators_are_replaced():
    a = Logged(st.tensor([4.0, 9.0]))
    b = st.tensor([2.0, 3.0])
    results = [a + b, b + a, 1 + a, a - 1, 1 - a, a * b, a / b, a // b, a % b, a ** 2, 2 ** a, a @ b, b @ a, -a, abs(a)]
    assert all(type(result) is Logged for result in results)
    assert results[1].tolist() == [6, 12] and results[4].tolist() == [-3, -8] and results[11].item() == 35
    assert Logged.calls == ["__add__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__truediv__",
                            "__floordiv__", "__mod__", "__pow__", "__rpow__", "__matmul__", "__matmul__", "__neg__", "__abs__"]
    Logged.calls.clear()
    assert (a == b).tolist() == [False, False] and (a < b).tolist() == [False, False] and type(a >= 1) is Logged
    assert Logged.calls == ["__eq__", "__lt__", "__ge__"]
    same = a
    a += 1
    assert a is same and a.tolist() == [5, 10] and Logged.calls[-1] == "__iadd__"


def test_indexing_is_replaced():
    a = Logged(st.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert type(a[0]) is Logged and type(a[:, 1]) is Logged
    a[0, 0] = 7
    assert Logged.calls == ["__getitem__", "__getitem__", "__setitem__"] and a[0, 0].item() == 7


def test_subclasses_come_before_their_bases():
    order = []

    class First(st.Tensor):
        @classmethod
        def __structured_function__(cls, function, types, args=(), kwargs=None):
            order.append(cls.__name__)
            assert types == (Second, First)
            return NotImplemented

    class Second(First):
        pass

    with pytest.raises(TypeError, match="no type of the arguments implements"):
        st.add(First(st.ones(1)), Second(st.ones(1)))
    assert order == ["Second", "First"]


def test_other_types_take_part():
    class Unit:
        @classmethod
        def __structured_function__(cls, function, types, args=(), kwargs=None):
            return function.__name__, len(args), kwargs

    assert st.add(st.ones(1), Unit(), alpha=2) == ("add", 2, {"alpha": 2})
    assert st.relu(Unit()) == ("relu", 1, {})
    assert st.ones(1) * Unit() == ("__mul__", 2, {})
    with pytest.raises(TypeError, match="no overload accepts"):
        st.add(st.ones(1), object())


def test_exceptions_arrive():
    class Fails(st.Tensor):
        @classmethod
        def __structured_function__(cls, function, types, args=(), kwargs=None):
            raise KeyError("mine")

    a = Fails(st.ones(1))
    for call in (lambda: st.relu(a), lambda: a + 1, lambda: a[0], lambda: -a, lambda: a.add_(1)):
        with pytest.raises(KeyError, match="mine"):
            call()
    with pytest.raises(KeyError):
        a[0] = 1


def test_subclasses_without_the_protocol_give_tensors():
    class Plain(st.Tensor):
        pass

    a = Plain(st.ones(2))
    assert type(a + 1) is st.Tensor and type(a.relu()) is st.Tensor and type(st.nn.Parameter(st.ones(1)) * 2) is st.Tensor
    assert type(st.ones(2).as_subclass(Plain)) is Plain
