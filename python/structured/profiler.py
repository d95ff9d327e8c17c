"""Records of the calls of operators on a thread: their durations, or the calls themselves."""
from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

from structured import _core
from structured._core import Tensor


class Event(NamedTuple):
    """A call of an operator, or a range of the caller's choice."""

    name: str
    is_operator: bool
    shapes: tuple[tuple[int, ...], ...]  # shapes of the tensors among the arguments
    start: int  # nanoseconds of a steady clock
    duration: int  # nanoseconds
    thread: int
    depth: int  # number of enclosing events


class Average(NamedTuple):
    """All events with a name."""

    name: str
    calls: int
    total: int  # nanoseconds, with the events inside
    own: int  # nanoseconds, without the events inside


class _Scope:
    """A recorder that a `with` block starts and stops."""

    _recorder: Any

    def __enter__(self) -> Any:
        self._recorder.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._recorder.stop()


class profile(_Scope):
    """Measures the calls of this thread in a `with` block, those inside kernels included."""

    def __init__(self) -> None:
        self._recorder = _core._Profile()

    def events(self) -> list[Event]:
        """All events, in the order of their ends."""
        return [Event(*event) for event in self._recorder.events()]

    def key_averages(self) -> list[Average]:
        """Sums of the events by name, the longest own time first."""
        own: dict[str, list[int]] = {}
        inside: dict[tuple[int, int], int] = {}  # durations of finished events by thread and depth
        for event in self.events():
            children = inside.pop((event.thread, event.depth + 1), 0)
            key = (event.thread, event.depth)
            inside[key] = inside.get(key, 0) + event.duration
            sums = own.setdefault(event.name, [0, 0, 0])
            sums[0] += 1
            sums[1] += event.duration
            sums[2] += event.duration - children
        return sorted((Average(name, *sums) for name, sums in own.items()), key=lambda average: -average.own)

    def table(self, row_limit: int = 20) -> str:
        """The sums by name as text, in microseconds."""
        rows = self.key_averages()[:row_limit]
        width = max([len(row.name) for row in rows] + [4])
        lines = [f"{'name':{width}} {'calls':>8} {'own us':>12} {'total us':>12}"]
        lines += [f"{row.name:{width}} {row.calls:>8} {row.own / 1000:>12.1f} {row.total / 1000:>12.1f}" for row in rows]
        return "\n".join(lines)

    def export_chrome_trace(self, path: str | PathLike[str]) -> None:
        """Writes the events in Chrome's trace format, which Perfetto reads, too."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._recorder.chrome_trace())


class record_function(_Scope):
    """Adds an event with a name of the caller's choice to the profile of this thread, if there is one."""

    def __init__(self, name: str) -> None:
        self._recorder = _core._Range()
        self._name = name

    def __enter__(self) -> record_function:
        self._recorder.start(self._name)
        return self


class trace(_Scope):
    """Records the calls of this thread in a `with` block as a program, whose text is `str(trace)`. Keeps the tensors."""

    def __init__(self) -> None:
        self._recorder = _core._Program()

    def operators(self) -> list[str]:
        """Names of the called operators, in order."""
        return list(self._recorder.operators())

    def set_name(self, tensor: Tensor, name: str) -> None:
        """Sets the name of a tensor in the text."""
        self._recorder.set_name(tensor, name)

    def __str__(self) -> str:
        return str(self._recorder)


__all__ = ["Average", "Event", "profile", "record_function", "trace"]
