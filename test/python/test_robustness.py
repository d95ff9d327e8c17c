"""Bad input and unusual uses give Python exceptions: no crash, and no memory that is never freed."""
import array
import ctypes
import gc
import mmap
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import structured as st
from structured import _core, _operators

VALUES = [None, True, -1, 2**70, -2**70, 1.5, float("nan"), 1j, "text", b"bytes", [], [None], [1, "a"], (), {}, set(),
          object(), Ellipsis, slice(None), int, lambda: 1, st.float32, st.ones(2), st.ones(0), st.ones(2, dtype=st.bool),
          st.ones(2, device="meta"), [st.ones(1), 3], st.device("cpu"), np.ones(2), np.float32(1)]
ERRORS = (TypeError, ValueError, IndexError, RuntimeError, OverflowError, NotImplementedError, BufferError, MemoryError)


def test_every_function_survives_wrong_arguments():
    """All operators with one to three arguments of all kinds. Sizes stay small: numbers are."""
    functions = [value for name, value in sorted(vars(_operators).items())
                 if isinstance(value, _core._Function) and name not in ("set_num_threads",)]
    assert len(functions) > 500
    count = 0
    for number, function in enumerate(functions):
        for k in range(12):
            first, second, third = (VALUES[(number * 7 + k * (3 + i) + i * 5) % len(VALUES)] for i in range(3))
            for arguments in ((first,), (first, second), (st.ones(2), first), (st.ones(2, 2), first, second),
                              (first, second, third)):
                try:
                    function(*arguments)
                except ERRORS:
                    count += 1
    assert count > 10000


def test_every_method_survives_wrong_arguments():
    a = st.ones(2, 2)
    for name in sorted(dir(st.Tensor)):
        if name.startswith("__") or name in ("backward", "retain_grad"):
            continue
        if name == "imag" or not hasattr(st.Tensor, name):  # real tensors, and names of PyTorch that are missing
            continue
        method = getattr(a.clone(), name)
        if not callable(method):
            continue
        for value in VALUES:
            try:
                method(value)
            except ERRORS + (AttributeError, UnicodeError):
                pass


def test_wrong_keywords_and_counts():
    a = st.ones(2)
    for call in (lambda: st.add(), lambda: st.add(a), lambda: st.add(a, a, a, a, a), lambda: st.add(a, other=a, none=1),
                 lambda: st.add(a, a, **{"": 1}), lambda: st.add(a, a, **{"\ud800": 1}), lambda: a.view(1, dtype=3),
                 lambda: st.zeros(*([1] * 200), dtype=3), lambda: st.add(*([a] * 500))):
        with pytest.raises((TypeError, UnicodeError)):
            call()


def test_sizes_that_are_too_large():
    for call in (lambda: st.ones(2**62, 2**62), lambda: st.ones(2**63), lambda: st.empty(-1),
                 lambda: st.ones(2).repeat(2**40, 2**40), lambda: st.ones(2).expand(2**62, 2**62, 2),
                 lambda: st.arange(0, 1e30), lambda: st.eye(2**40), lambda: st.empty(2**48)):
        with pytest.raises((RuntimeError, OverflowError, MemoryError, TypeError)):
            call()


def test_lists_that_change_or_never_end():
    deep = 1
    for _ in range(100):
        deep = [deep]
    with pytest.raises(ValueError, match="at most 64 nested"):
        st.tensor(deep)
    with pytest.raises(ValueError):
        st.tensor([[1]] * 1000 + [[1, 2]])

    data = [[1], [2], [3]]

    class Clears:
        def __index__(self):
            data.clear()
            return 1

        def __float__(self):
            data.clear()
            return 1.0

    data[1] = [Clears()]
    with pytest.raises((ValueError, TypeError)):
        st.tensor(data)

    sizes = [2, 2, 2]

    class Shrinks:
        def __index__(self):
            del sizes[1:]
            return 2

    sizes[0] = Shrinks()
    try:
        assert st.ones(sizes).numel() >= 1
    except ERRORS:
        pass

    class Endless:
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return self

    with pytest.raises(ValueError):
        st.tensor(Endless())


class Strange:
    """Raises in every conversion."""

    def __getattr__(self, name):
        raise LookupError(name)

    def __len__(self):
        raise LookupError("len")

    def __index__(self):
        raise LookupError("index")

    __float__ = __bool__ = __int__ = __index__


def test_exceptions_of_conversions_arrive():
    for call in (lambda: st.tensor(Strange()), lambda: st.ones(2) + Strange(), lambda: st.ones(2)[Strange()],
                 lambda: st.from_dlpack(Strange()), lambda: st.zeros(Strange()), lambda: st.as_tensor([Strange()])):
        with pytest.raises((LookupError, *ERRORS)):
            call()


# -------------------------------------------------------------------------------------------------------- buffers


def test_odd_buffers():
    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_double)]

    for data in ((Pair * 3)(), np.zeros(2, "U3"), np.zeros(2, "O"), np.zeros(2, "M8[s]"), np.zeros(2, [("x", "i4")]),
                 np.zeros(2, ">f4"), np.zeros(2, np.longdouble), np.zeros(2, "S2"), np.zeros(2, "u4")):
        with pytest.raises((TypeError, ValueError, BufferError)):
            st.as_tensor(data)
        with pytest.raises((TypeError, ValueError, BufferError)):
            st.from_numpy(data) if isinstance(data, np.ndarray) else st.tensor(data)
    read_only = np.arange(3.0)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        st.from_numpy(read_only)
    assert st.as_tensor(read_only).data_ptr() != read_only.ctypes.data and st.tensor(read_only).tolist() == [0, 1, 2]
    assert st.tensor(memoryview(b"abc")).tolist() == [97, 98, 99]
    unaligned = np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float64)
    assert st.as_tensor(unaligned).tolist() == [0, 0]
    with pytest.raises(ValueError):
        st.from_numpy(unaligned)
    assert st.tensor(np.broadcast_to(np.arange(3), (2, 3))).tolist() == [[0, 1, 2]] * 2


def test_exported_memory_does_not_move():
    numbers = array.array("d", [1, 2, 3])
    tensor = st.as_tensor(numbers)
    with pytest.raises(BufferError):
        numbers.append(4)
    del tensor
    numbers.append(4)
    memory = mmap.mmap(-1, 64)
    tensor = st.as_tensor(memory)
    with pytest.raises(BufferError):
        memory.close()
    assert tensor.numel() == 64
    del tensor
    memory.close()
    for export in (memoryview, np.asarray, lambda tensor: np.from_dlpack(tensor), lambda tensor: tensor.__dlpack__()):
        a = st.arange(4.0)
        view = export(a)
        with pytest.raises(RuntimeError, match="cannot be resized from 16 to 40000 bytes while another library uses it"):
            a.resize_(10000)
        with pytest.raises(RuntimeError, match="cannot be resized"):
            st.add(st.ones(10000), 1, out=a)
        assert a.tolist() == [0, 1, 2, 3]
        a.resize_(2)
        del view
        gc.collect()
        assert a.resize_(10000).shape == (10000,)


def test_dlpack_capsules():
    a = st.arange(4.0)
    for version in (None, (1, 0)):
        capsule = a.__dlpack__(max_version=version)
        first = st.from_dlpack(capsule)
        assert first.data_ptr() == a.data_ptr()
        with pytest.raises(ValueError, match="has been consumed"):
            st.from_dlpack(capsule)
        unused = a.__dlpack__(max_version=version)
        del unused
    for bad in (3, "text", None, object(), st.float32):
        with pytest.raises(TypeError):
            st.from_dlpack(bad)
    for keywords in ({"stream": 1}, {"dl_device": (2, 0)}, {"dl_device": 3}, {"max_version": 3}, {"max_version": (1,)},
                     {"max_version": ("a", 0)}):
        with pytest.raises((BufferError, TypeError)):
            a.__dlpack__(**keywords)
    with pytest.raises(BufferError):
        st.ones(1, device="meta").__dlpack__()
    with pytest.raises(BufferError):
        st.ones(1, requires_grad=True).__dlpack__()
    PyCapsule_New = ctypes.pythonapi.PyCapsule_New
    PyCapsule_New.restype, PyCapsule_New.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = b"other"
    with pytest.raises(ValueError):
        st.from_dlpack(PyCapsule_New(1, name, None))

    class Lies:
        def __dlpack__(self, **keywords):
            return "no capsule"

    with pytest.raises((TypeError, ValueError)):
        st.from_dlpack(Lies())
    owner = np.arange(3.0)
    alive = weakref.ref(owner)
    tensor = st.from_dlpack(owner)
    del owner
    gc.collect()
    assert alive() is not None and tensor[1:].sum().item() == 3
    del tensor
    gc.collect()
    assert alive() is None


# ---------------------------------------------------------------------------------------------- hooks and threads


def test_exceptions_in_hooks_leave_a_usable_state():
    x = st.ones(2, requires_grad=True)
    for where in ("tensor", "leaf"):
        y = x * 2
        if where == "tensor":
            handle = y.register_hook(lambda gradient: [][1])
        else:
            handle = x.register_post_accumulate_grad_hook(lambda tensor: [][1])
        with pytest.raises(IndexError):
            y.sum().backward()
        handle.remove()
        x.grad = None
        (x * 3).sum().backward()
        assert x.grad.tolist() == [3, 3]
        x.grad = None
    with pytest.raises((TypeError, RuntimeError)):
        y = x * 2
        y.register_hook(lambda gradient: st.ones(7))
        y.sum().backward()
    with pytest.raises(SystemExit):
        y = x * 2
        y.register_hook(lambda gradient: sys.exit(3))
        y.sum().backward()


def test_recursion_in_hooks_ends():
    x = st.ones(1, requires_grad=True)

    def again(gradient):
        with st.enable_grad():
            y = x * 2
        y.register_hook(again)
        y.backward()

    y = x * 1
    y.register_hook(again)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        with pytest.raises(RecursionError):
            y.backward()
    finally:
        sys.setrecursionlimit(limit)


def test_threads_share_tensors():
    a, errors = st.zeros(1000), []

    def work():
        try:
            for _ in range(300):
                b = a + 1
                b[::2] += a[::2]
                st.cat([a, b]).sum().item()
                x = st.ones(3, requires_grad=True)
                (x * x).sum().backward()
                assert x.grad.tolist() == [2, 2, 2]
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


PROGRAMS = {
    "live tensors": "import structured as st; keep = [st.ones(1000) for _ in range(100)]; st.keep = keep",
    "graph": ("import structured as st; x = st.ones(2, requires_grad=True); y = (x * x).sum(); y.register_hook(print)\n"
              "st.y = y"),
    "cycle": "import structured as st\nclass T(st.Tensor): pass\na = T(st.ones(1)); a.me = a; b = [a]; b.append(b)",
    "buffer": "import structured as st; m = memoryview(st.ones(3)); import sys; sys.m = m",
    "numpy": "import numpy as np, structured as st; a = st.from_numpy(np.ones(3)); b = st.ones(3).numpy(); np.keep = (a, b)",
    "function": ("import structured as st\nclass F(st.autograd.Function):\n forward = staticmethod(lambda c, x: x * 1)\n"
                 " backward = staticmethod(lambda c, g: g)\nst.keep = F.apply(st.ones(1, requires_grad=True))"),
    "profile": "import structured as st; p = st.profiler.profile(); p.__enter__(); st.keep = p; st.ones(1) + 1",
    "thread": ("import structured as st, threading\ndef f():\n  while True: st.ones(100000) + 1\n"
               "threading.Thread(target=f, daemon=True).start(); st.ones(100000) + 1"),
    "exit": ("import structured as st, sys; x = st.ones(1, requires_grad=True)\n"
             "x.register_hook(lambda g: sys.exit(0)); (x * 2).backward()"),
    "del": "import structured as st\nclass T(st.Tensor):\n  def __del__(self): st.ones(2) + 1\nst.keep = T(st.ones(1))",
    "atexit": "import atexit, structured as st; a = st.ones(3); atexit.register(lambda: print(a.sum().item()))",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_interpreters_end_cleanly(name):
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "ignore", "-c", PROGRAMS[name]], capture_output=True,
                          text=True, timeout=120, env={"PYTHONPATH": st.__path__[0] + "/..", "OMP_NUM_THREADS": "2"})
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def resident_pages():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])


def calls_of_every_kind():
    """Calls that succeed and fail, with graphs, hooks, buffers, capsules and subclasses."""
    a = st.ones(4, requires_grad=True)
    b = (a * a).relu()
    b.register_hook(lambda gradient: gradient)
    b.sum().backward()
    values = np.arange(4.0)
    c = st.from_numpy(values) + st.from_dlpack(values)
    c[c > 1] = 0
    c[[0, 1]].tolist()
    memoryview(c).release()
    np.from_dlpack(c)
    st.nn.Parameter(c) * 2
    repr(c)
    st.max(c, 0)
    for bad in (lambda: st.add(c, "x"), lambda: c[9], lambda: st.ones(2) + st.ones(3), lambda: st.tensor([[1], [1, 2]]),
                lambda: st.from_dlpack(3), lambda: a.add_(1), lambda: c.view(3)):
        try:
            bad()
        except ERRORS:
            pass


def test_many_calls_use_no_more_memory():
    for _ in range(1000):
        calls_of_every_kind()
    gc.collect()
    before, nodes = resident_pages(), _core._node_count()
    for _ in range(5000):  # each makes about 25 calls
        calls_of_every_kind()
    gc.collect()
    assert resident_pages() - before < 256 and _core._node_count() <= nodes


def test_import_loads_no_module_that_takes_long():
    code = ("import sys; before = set(sys.modules); import structured; structured.ones(2).sum(); "
            "print(*sorted({'enum', 'functools', 're', 'typing', 'structured.autograd'} & (set(sys.modules) - before)))")
    folder = os.path.dirname(os.path.dirname(st.__file__))
    done = subprocess.run([sys.executable, "-S", "-c", code], env={**os.environ, "PYTHONPATH": folder},
                          stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "\n"
