"""Cost of calls from Python on tensors of one element, beside PyTorch and NumPy where they are installed.

usage: PYTHONPATH=build/release/python python3 bench/python.py [--repeat N] [--instructions]

Prints nanoseconds of processor time of a call: the shortest of several rounds, less the shortest of an empty function; `goal` is
the time that the call should take on an idle machine. Then prints milliseconds of a core for the import of each library.
With --instructions, prints instructions of our calls instead, counted by callgrind.
"""
import argparse
import importlib
import pathlib
import re
import subprocess
import sys
import tempfile
import time

GOALS = {
    "add(a, a)": 38, "a + a": 26, "add(a, a, out=out)": 44, "a.view(1, 1)": 38, "relu(a)": 32, "sum(a, 0)": 46,
    "empty(2)": 36, "a + 2.0": 44, "a[0]": 27, "a[0:1]": 46, "(x * x).backward()": 150, "100 products, backward": 9000}


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def calls_of(library):
    """Calls by name, for a library with PyTorch's names."""
    a, out, add, relu, total, empty = (
        library.ones(1), library.empty(1), library.add, library.relu, library.sum, library.empty)
    x = library.ones(1, requires_grad=True)

    def backward():
        (x * x).backward()

    def chain():
        y = x
        for _ in range(100):
            y = y * a
        y.backward()

    return {
        "(x * x).backward()": backward,
        "100 products, backward": chain,
        "add(a, a)": lambda: add(a, a),
        "a + a": lambda: a + a,
        "a + 2.0": lambda: a + 2.0,
        "add(a, a, out=out)": lambda: add(a, a, out=out),
        "relu(a)": lambda: relu(a),
        "sum(a, 0)": lambda: total(a, 0),
        "a.view(1, 1)": lambda: a.view(1, 1),
        "empty(2)": lambda: empty(2),
        "a[0]": lambda: a[0],
        "a[0:1]": lambda: a[0:1],
    }


def calls_of_numpy(numpy):
    a, out = numpy.ones(1, dtype=numpy.float32), numpy.empty(1, dtype=numpy.float32)
    return {
        "add(a, a)": lambda: numpy.add(a, a),
        "a + a": lambda: a + a,
        "a + 2.0": lambda: a + 2.0,
        "add(a, a, out=out)": lambda: numpy.add(a, a, out=out),
        "sum(a, 0)": lambda: numpy.sum(a, 0),
        "a.view(1, 1)": lambda: a.reshape(1, 1),
        "empty(2)": lambda: numpy.empty(2),
        "a[0]": lambda: a[0],
        "a[0:1]": lambda: a[0:1],
    }


def nanoseconds(function, count):
    start = time.thread_time_ns()
    for _ in range(count):
        function()
    return (time.thread_time_ns() - start) / count


def import_milliseconds(name):
    """Time of a core that the import takes in a new process."""
    code = f"import time; start = time.process_time(); import {name}; print((time.process_time() - start) * 1000)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


COUNTED = 100  # calls whose instructions are counted


def run_counted(structured):
    """Runs each call between two calls of manual_seed(), at which callgrind writes what it has counted."""
    for function in [lambda: None, *calls_of(structured).values()]:
        for _ in range(30):
            function()
        structured.manual_seed(0)
        for _ in range(COUNTED):
            function()
        structured.manual_seed(0)


def print_instructions(structured):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                        "--dump-before=structured::manual_seed*", sys.executable, __file__, "--counted"],
                       check=True, capture_output=True)
        totals = {}
        for path in pathlib.Path(folder).iterdir():
            part, total = [re.search(rf"^{name}: (\d+)", path.read_text(), re.MULTILINE) for name in ("part", "totals")]
            totals[int(part[1])] = int(total[1]) / COUNTED
    # The empty function comes first.
    for i, call in enumerate(calls_of(structured)):
        print(f"{call:24}{totals[2 * i + 4] - totals[2]:12.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--counted", action="store_true", help=argparse.SUPPRESS)
    options, _ = parser.parse_known_args()
    if options.counted or options.instructions:
        (run_counted if options.counted else print_instructions)(importlib.import_module("structured"))
        return
    libraries = {}
    for name in ("structured", "torch", "numpy"):
        module = load(name)
        if module is not None:
            libraries[name] = (calls_of_numpy if name == "numpy" else calls_of)(module)
    if "structured" not in libraries:
        print("skipped: the package structured is not built; see docs/python.md")
        return
    # Rounds of all libraries alternate, so that a busy machine slows all of them.
    best = {}
    functions = [("", "empty", lambda: None)]
    functions += [(name, call, function) for name, calls in libraries.items() for call, function in calls.items()]
    for _ in range(options.repeat):
        for name, call, function in functions:
            time_of_call = nanoseconds(function, 100 if "100" in call else 5000)
            best[name, call] = min(best.get((name, call), time_of_call), time_of_call)
    empty = best["", "empty"]
    best = {key: time_of_call - empty for key, time_of_call in best.items()}
    print(f"{'ns a call':24}" + "".join(f"{name:>12}" for name in libraries) + f"{'goal':>8}   torch / structured")
    for call in libraries["structured"]:
        row = [best.get((name, call)) for name in libraries]
        ratio = f"{best['torch', call] / best['structured', call]:10.1f}" if "torch" in libraries else ""
        texts = "".join(f"{'-' if value is None else format(value, '.1f'):>12}" for value in row)
        print(f"{call:24}{texts}{GOALS[call]:>8}{ratio}")
    imports = {name: min(import_milliseconds(name) for _ in range(5)) for name in libraries}
    print(f"{'import, ms of a core':24}" + "".join(f"{imports[name]:>12.1f}" for name in libraries) + f"{10:>8}")


if __name__ == "__main__":
    main()
