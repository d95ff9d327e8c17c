"""Cost of calls from Python on tensors of one element, beside PyTorch and NumPy where they are installed.

usage: PYTHONPATH=build/release/python python3 bench/python.py [--repeat N]

Prints nanoseconds of a call: the shortest of several rounds, less those of an empty function.
"""
import argparse
import importlib
import time


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def calls_of(library):
    """Calls by name, for a library with PyTorch's names."""
    a, out, add, relu, total, empty = (
        library.ones(1), library.empty(1), library.add, library.relu, library.sum, library.empty)
    return {
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
    start = time.perf_counter_ns()
    for _ in range(count):
        function()
    return (time.perf_counter_ns() - start) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=20)
    options, _ = parser.parse_known_args()
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
    for _ in range(options.repeat):
        empty = min(nanoseconds(lambda: None, 5000) for _ in range(3))
        for name, calls in libraries.items():
            for call, function in calls.items():
                time_of_call = nanoseconds(function, 5000) - empty
                best[name, call] = min(best.get((name, call), time_of_call), time_of_call)
    print(f"{'ns a call':20}" + "".join(f"{name:>12}" for name in libraries) + "   torch / structured")
    for call in libraries["structured"]:
        row = [best.get((name, call)) for name in libraries]
        ratio = f"{best['torch', call] / best['structured', call]:10.1f}" if "torch" in libraries else ""
        print(f"{call:20}" + "".join(f"{'-' if value is None else format(value, '.1f'):>12}" for value in row) + ratio)


if __name__ == "__main__":
    main()
