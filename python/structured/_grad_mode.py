"""Context managers that stop and start the recording of gradients. They are also decorators."""
from __future__ import annotations

from structured import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_GENERATOR = 0x20  # flag of the code of generator functions


class set_grad_enabled:
    """Records gradients, or does not, from the call on, and until the end of a `with` block if it begins one."""

    def __init__(self, mode: bool) -> None:
        self.previous = _core._set_grad_enabled(mode)
        self.mode = mode

    def __enter__(self) -> None:
        _core._set_grad_enabled(self.mode)

    def __exit__(self, *exception: object) -> None:
        _core._set_grad_enabled(self.previous)


class _GradMode:
    """Sets the mode in a `with` block or a function."""

    mode = False

    def __new__(cls, function: Any = None) -> Any:
        return cls()(function) if callable(function) else object.__new__(cls)

    def __init__(self, function: Any = None) -> None:
        self.previous: list[Any] = []

    def _start(self) -> Any:
        """Sets the mode and returns the previous one."""
        return _core._set_grad_enabled(self.mode)

    def _end(self, previous: Any) -> None:
        _core._set_grad_enabled(previous)

    def __enter__(self) -> Any:
        self.previous.append(self._start())
        return self

    def __exit__(self, *exception: object) -> None:
        self._end(self.previous.pop())

    def __call__(self, function: Callable[..., Any]) -> Any:
        import functools  # here, since it takes a fifth of the time of `import structured`

        if getattr(getattr(function, "__code__", None), "co_flags", 0) & _GENERATOR:
            return self._of_generators(function)

        @functools.wraps(function)
        def wrapper(*arguments: Any, **keywords: Any) -> Any:
            previous = self._start()
            try:
                return function(*arguments, **keywords)
            finally:
                self._end(previous)

        return wrapper

    def _of_generators(self, function: Callable[..., Any]) -> Any:
        """Sets the mode while the body of a generator runs, and not while its caller does."""
        import functools

        @functools.wraps(function)
        def wrapper(*arguments: Any, **keywords: Any) -> Any:
            generator = function(*arguments, **keywords)
            resume: Callable[[], Any] = lambda: next(generator)
            while True:
                previous = self._start()
                try:
                    value = resume()
                except StopIteration as end:
                    return end.value
                finally:
                    self._end(previous)
                try:
                    sent = yield value
                    resume = functools.partial(generator.send, sent)
                except GeneratorExit:
                    resume = _closing(generator)
                except BaseException as error:
                    resume = functools.partial(generator.throw, error)

        return wrapper


def _closing(generator: Any) -> Callable[[], Any]:
    def close() -> Any:
        generator.close()
        raise GeneratorExit

    return close


class no_grad(_GradMode):
    """Computes without recording."""


class inference_mode(_GradMode):
    """Computes without recording, and makes new tensors inference tensors: they have no version, only code in this mode
    may write to them, and recorded calls cannot save them. `inference_mode(False)` records and makes ordinary tensors."""

    def __init__(self, mode: Any = True) -> None:
        super().__init__()
        self.mode = bool(mode)

    def _start(self) -> Any:
        return _core._set_grad_enabled(not self.mode), _core._set_inference_mode(self.mode)

    def _end(self, previous: Any) -> None:
        _core._set_grad_enabled(previous[0])
        _core._set_inference_mode(previous[1])


class enable_grad(_GradMode):
    """Records, also within no_grad."""

    mode = True
