"""Arguments and results of every type, by the operators of every_type.cpp."""
import pytest

import every_type_py as every
import structured as st


def test_tensors():
    x, y = st.ones(2), st.ones(3, 1)
    assert every.tensors(x, None, [], [], None) == "Tensor[2]; none; []; []; none; none"
    assert every.tensors(x, y, [x, y], [None, x], (y,), [None]) == (
        "Tensor[2]; Tensor[3, 1]; [Tensor[2], Tensor[3, 1]]; [none, Tensor[2]]; [Tensor[3, 1]]; [none]")
    with pytest.raises(TypeError, match="`optional_list` must be Tensor\\[\\]\\?"):
        every.tensors(x, None, [], [], [None])
    with pytest.raises(TypeError, match="`list` must be Tensor\\[\\]"):
        every.tensors(x, None, None, [], None)


def test_numbers():
    assert every.scalars(1, None, [2, 0.5, True]) == "1; none; [2, 0.5, true]; none"
    assert every.scalars(1j, 2.5, [], [3]) == "0+1i; 2.5; []; [3]"
    assert every.ints(1, None, [2, 3]) == "1; none; [2, 3]; none"
    assert every.ints(1, 2, [], [3]) == "1; 2; []; [3]"
    assert every.floats(1, None, [2, 0.5]) == "1; none; [2, 0.5]; none"
    assert every.floats(0.5, 2.0, [], (3,)) == "0.5; 2; []; [3]"
    assert every.bools(True, None, [False, True], [True, False]) == "true; none; [false, true]; [true, false]; none; none"
    assert every.bools(False, True, [], [True, True], [False], [False, True]) == (
        "false; true; []; [true, true]; [false]; [false, true]")
    with pytest.raises(TypeError, match="`pair`"):
        every.bools(True, None, [], [True])


def test_texts():
    assert every.strs("a", None, ["b", "c"]) == "a; none; [b, c]; none"
    assert every.strs("", "ä", [], ("d",)) == "; ä; []; [d]"
    with pytest.raises(TypeError, match="`list` must be str\\[\\]"):
        every.strs("a", None, "bc")
    with pytest.raises(TypeError, match="`list` must be str\\[\\]"):
        every.strs("a", None, [None])
    assert every.names("N", None, ["C", None]) == "N; none; [C, *]; none"
    assert every.names("N", "C", [], ["H"]) == "N; C; []; [H]"


def test_plain_values():
    generator = st.Generator().manual_seed(5)
    given = st.float16, st.strided, "cpu", st.channels_last, generator, st.per_channel_affine
    assert every.plain(*given) == "Half; Strided; cpu; ChannelsLast; Generator(5); per_channel_affine"
    assert every.maybe_plain(*given) == every.plain(*given) + "; none; none"
    assert every.maybe_plain(*[None] * 6) == "; ".join(["none"] * 8)
    with pytest.raises(TypeError, match="`scheme` must be QScheme, not str"):
        every.plain(*given[:5], "per_channel_affine")


def test_types_without_objects_are_refused():
    with pytest.raises(TypeError, match="argument `storage`: type Storage has no objects in Python, got "
                       "structured.Tensor; call the operator from C\\+\\+"):
        every.objectless(st.ones(2), None)
    plain = [None] * 6
    with pytest.raises(TypeError, match="`stream`: type Stream\\? has no objects in Python, got int; pass None"):
        every.maybe_plain(*plain, None, 1)


def test_defaults():
    assert every.defaults() == "ChannelsLast; a \"b\", 'c'\n\\; d, e; 0.5; 2; none"
    assert every.defaults(text="x", dtype=st.int8).split("; ")[1:] == ["x", "d, e", "0.5", "2", "Char"]


def test_results():
    x = st.ones(2)
    given = every.results(x, True)
    assert given.tensor.equal(x)
    assert given.maybe.equal(x) and given.list[0].equal(x) and given.number == 7
    assert given.items[0] is None and given.items[1].equal(x)
    assert tuple(every.results(x, False)) == (None, None, (), (None, None), 7)
    assert every.maybe(x, True).equal(x) and every.maybe(x, False) is None
    assert len(every.maybe_list(x, True)) == 2 and every.maybe_list(x, False) is None
    assert every.values() == (True, 0.5, "text", 1 + 2j, st.float16, st.per_tensor_symmetric, (1, 2), (0.5,),
                              ("a", "b"), (1, 0.5))
    assert every.maybe_values(True) == (False, 3, "text", 1, st.int32, ("a",))
    assert every.maybe_values(False) == (None,) * 6


def test_optional_lists_are_changed_in_place():
    x, y = st.zeros(2), st.zeros(1)
    assert every.increment([x, y], y) is None
    assert x.tolist() == [1, 1] and y.tolist() == [2]
    every.increment(None)
    assert x.tolist() == [1, 1]


def test_quantization_schemes_are_values():
    import copy
    import pickle
    assert repr(st.per_tensor_affine) == "structured.per_tensor_affine"
    assert pickle.loads(pickle.dumps(st.per_tensor_affine)) is st.per_tensor_affine
    assert copy.copy(st.per_tensor_affine) is st.per_tensor_affine
    assert isinstance(st.per_tensor_affine, st.qscheme)
