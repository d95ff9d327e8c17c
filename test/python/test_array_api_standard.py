"""The namespaces of the array API beside the text of the standard: names, signatures and special cases."""
import inspect
import itertools
import math

import array_api_standard as standard
import pytest

import structured as st
from structured import array_api as xp

MISSING = {"uint16", "uint32", "uint64"}  # dtypes are PyTorch's
SPACES = {"": xp, "linalg": xp.linalg, "fft": xp.fft}
FUNCTIONS = [(space, name) for space, names in standard.FUNCTIONS.items() for name in names]


@pytest.mark.parametrize("space, name", [
    (space, name) for space, names in standard.NAMES.items() for name in names if name not in MISSING | {"Device"}])
def test_names(space, name):
    assert hasattr(SPACES[space], name) and name in SPACES[space].__all__


@pytest.mark.parametrize("name", standard.MEMBERS)
def test_members_of_arrays(name):
    assert hasattr(xp.ones((2, 2)), name)


@pytest.mark.parametrize("space, name", FUNCTIONS)
def test_signatures(space, name):
    function, wanted = getattr(SPACES[space], name), standard.signature(name)
    found = inspect.signature(function).parameters
    empty, keyword, either = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert [each.name for each in found.values() if each.default is empty or each.name in wanted.parameters] == \
        list(wanted.parameters)
    for each in wanted.parameters.values():
        assert found[each.name].default == each.default, each.name
        assert found[each.name].kind in (each.kind, either if each.kind == keyword else each.kind), each.name
    assert function.__name__ == name and function.__doc__


CASES = [case for name in standard.FUNCTIONS[""] for case in standard.special_cases(name)[0]]
NUMBERS = [0, 1, 2, 3, 7, 0.5, 1.5, 2.5, 100.25, math.inf, math.nan]


def test_special_cases_are_understood():
    assert [sentence for name in standard.FUNCTIONS[""] for sentence in standard.special_cases(name)[1]] == []
    assert len(CASES) == 304


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.function}: {case.sentence.replace('`', '')}")
def test_special_cases(case, dtype):
    function = getattr(xp, case.function)
    names = ["x_i"] if "x_i" in case.sentence else ["x1_i", "x2_i"]
    signed = [math.copysign(number, sign) for number in NUMBERS for sign in (1, -1)]
    checked = [operands for values in itertools.product(signed, repeat=len(names))
               if case.applies(operands := dict(zip(names, values)))]
    assert checked
    arrays = [xp.asarray([operands[name] for operands in checked], dtype=getattr(xp, dtype)) for name in names]
    for operands, result in zip(checked, function(*arrays).tolist()):
        assert case.holds(operands, result), (operands, result)
    # One element, which other loops compute.
    for operands in checked[:3]:
        result = function(*[st.tensor(operands[name], dtype=getattr(xp, dtype)) for name in names]).item()
        assert case.holds(operands, result), (operands, result)
