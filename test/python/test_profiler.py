"""Profiles and programs of calls, and the information about the package."""
import json
import subprocess
import sys
import threading

import pytest

import structured as st
from structured import profiler


def test_profiles_measure_calls(tmp_path):
    a = st.ones(2, 3)
    with profiler.profile() as profile:
        with profiler.record_function("mine"):
            a.add(1)
        st.nn.functional.linear(a, st.ones(4, 3))
    a.mul(2)
    events = profile.events()
    names = [event.name for event in events]
    assert "mine" in names and "aten::linear" in names and "aten::mul.Tensor" not in names
    assert "aten::add.Scalar" in names
    add = events[names.index("aten::add.Scalar")]
    mine = events[names.index("mine")]
    assert add.is_operator and not mine.is_operator and add.shapes == ((2, 3),) and add.depth == mine.depth + 1
    assert mine.start <= add.start and 0 <= add.duration <= mine.duration
    profile.export_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert {"aten::linear", "mine"} <= {event["name"] for event in trace["traceEvents"]}


def test_averages_separate_own_time():
    a = st.ones(4, 4)
    with profiler.profile() as profile:
        for _ in range(3):
            st.nn.functional.linear(a, a)
    averages = {average.name: average for average in profile.key_averages()}
    linear = averages["aten::linear"]
    assert linear.calls == 3 and linear.own < linear.total
    assert sum(average.own for average in averages.values()) == linear.total
    assert profile.table().splitlines()[0].split() == ["name", "calls", "own", "us", "total", "us"]
    assert len(profile.table(row_limit=1).splitlines()) == 2


def test_backward_passes_are_profiled():
    x = st.ones(3, requires_grad=True)
    with profiler.profile() as profile:
        (x * x).sum().backward()
    assert sum(event.name == "aten::mul.Tensor" for event in profile.events()) >= 2


def test_traces_are_programs():
    a = st.ones(2)
    with profiler.trace() as program:
        b = st.relu(a + 1)
    assert program.operators() == ["aten::add.Scalar", "aten::relu"]
    program.set_name(a, "a")
    program.set_name(b, "b")
    text = str(program)
    assert text.startswith("program(%a: Float[2]) {\n") and "%b: Float[2] = aten::relu(" in text and "return %b" in text
    a.mul(2)
    assert program.operators() == ["aten::add.Scalar", "aten::relu"]


def test_scopes_are_used_in_order():
    first, second = profiler.profile(), profiler.profile()
    with pytest.raises(RuntimeError, match="has not started"):
        first.__exit__()
    first.__enter__()
    with pytest.raises(RuntimeError, match="has started already"):
        first.__enter__()
    second.__enter__()
    with pytest.raises(RuntimeError, match="started later has not stopped"):
        first.__exit__()
    errors = []

    def stop():
        try:
            second.__exit__()
        except RuntimeError as error:
            errors.append(str(error))

    thread = threading.Thread(target=stop)
    thread.start()
    thread.join()
    assert errors == ["another thread has started the recording"]
    second.__exit__()
    first.__exit__()
    st.ones(1).add(1)
    assert len(first.events()) == 0


def test_forgotten_scopes_stop():
    forgotten = profiler.profile()
    forgotten.__enter__()
    del forgotten
    with profiler.profile() as profile:
        st.ones(1).add(1)
    assert any(event.name == "aten::add.Scalar" for event in profile.events())
    with pytest.raises(TypeError):
        profiler.record_function(3).__enter__()


def test_information_is_printed():
    output = subprocess.run([sys.executable, "-m", "structured.info"], capture_output=True, text=True, check=True,
                            env={"PYTHONPATH": st.__path__[0] + "/.."}).stdout
    values = dict(line.split(None, 1) for line in output.splitlines() if not line.startswith(("vector", "default")))
    assert values["structured"] == st.__version__ and int(values["functions"]) > 500
    assert "vector instructions" in output
