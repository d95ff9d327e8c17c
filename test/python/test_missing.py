"""Errors for names that PyTorch has and the package lacks."""
import re
import subprocess
import sys

import pytest

import structured as st
from structured import _missing, nn, optim


def text_of(owner, name):
    with pytest.raises(AttributeError) as raised:
        getattr(owner, name)
    return str(raised.value)


@pytest.mark.parametrize("owner, name, use", [
    (st, "absolute", "structured.abs"), (st, "multiply", "structured.mul"), (st, "clip_", "structured.clamp_"),
    (st, "svd", "structured.linalg_svd"), (st, "finfo", "structured.array_api.finfo(dtype)"), (st, "square", "x * x"),
    (st, "FloatTensor", "structured.tensor(data, dtype=structured.float32)"), (st, "Linear", "structured.nn.Linear"),
    (st, "cosine_similarity", "structured.nn.functional.cosine_similarity"), (st, "ones_lik", "structured.ones_like"),
    (nn, "LSTM", "structured.lstm"), (nn, "ReflectionPad2d", "structured.nn.functional.pad(x, padding, mode=\"reflect\")"),
    (nn, "Conv2D", "structured.nn.Conv2d"), (nn.functional, "relu_", "structured.relu_"),
    (nn.functional, "hardshrink", "structured.hardshrink"), (optim, "AdamX", "structured.optim.Adam"),
    (st.ones(1), "multiply", "Tensor.mul"), (st.ones(1), "arccos_", "Tensor.acos_"), (st.ones(1), "qr", "structured.linalg_qr"),
    (st.ones(1), "unique", "structured.unique(x)"), (st.Tensor, "square", "x * x"), (st.ones(1), "cuda", "x.to(\"cuda\")")])
def test_errors_say_what_to_use(owner, name, use):
    text = text_of(owner, name)
    assert f"no attribute '{name}'" in text and text.endswith(f"; use `{use}`")
    assert not hasattr(owner, name) and getattr(owner, name, 3) == 3


def test_other_names_get_no_advice():
    for owner in (st, nn, nn.functional, optim):
        assert text_of(owner, "qqzzxx") == f"module '{owner.__name__}' has no attribute 'qqzzxx'"
    assert "no attribute 'qqzzxx'" in text_of(st.ones(1), "qqzzxx")


def has_path(path):
    value = st
    for name in path.split(".")[1:]:
        if not hasattr(value, name):
            return False
        value = getattr(value, name)
    return True


@pytest.mark.parametrize("name", _missing.ALTERNATIVES)
def test_alternatives_exist(name):
    text = _missing.ALTERNATIVES[name]
    if text.isidentifier():
        assert hasattr(st, text)
        return
    for path in re.findall(r"structured(?:\.\w+)+", text):
        assert has_path(path), path
    for method in re.findall(r"\bx\.(\w+)", text):
        assert hasattr(st.Tensor, method)
    missing = [owner for owner in (st, nn, nn.functional, st.Tensor) if not hasattr(owner, name)]
    assert missing, f"{name} is no longer missing"


@pytest.mark.parametrize("name", ["to_dlpack", "typename", "tensordot", "concatenate", "matrix_rank"])
def test_every_alternative_for_a_tensor_is_that_of_a_method(name):
    with pytest.raises(AttributeError, match="use "):
        getattr(st.ones(2), name)


def test_missing_methods_are_no_attributes():
    assert "square" not in dir(st.ones(1)) and "abs" in dir(st.ones(1))

    class Own(st.Tensor):
        def __getattr__(self, name):
            return "own " + name

    assert Own().square == "own square"

    class Defined(st.Tensor):
        def square(self):
            return self * self

    assert Defined([2.0]).square().tolist() == [4]


def test_looking_for_names_loads_nothing():
    code = ("import sys, structured\nbefore = set(sys.modules)\n"
            "assert not hasattr(structured, 'absolute') and not hasattr(structured.ones(1), 'square')\n"
            "print(sorted(set(sys.modules) - before))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
