"""Context managers that stop and start the recording of gradients. They are also decorators."""
import functools

from structured import _core


class set_grad_enabled:
    """Records gradients, or does not, from the call on, and until the end of a `with` block if it begins one."""

    def __init__(self, mode):
        self.previous = _core._set_grad_enabled(mode)
        self.mode = mode

    def __enter__(self):
        _core._set_grad_enabled(self.mode)

    def __exit__(self, *exception):
        _core._set_grad_enabled(self.previous)


class _GradMode:
    mode = False

    def __init__(self, function=None):
        self.previous = []

    def __new__(cls, function=None):
        if callable(function):
            return cls()(function)
        return object.__new__(cls)

    def __enter__(self):
        self.previous.append(_core._set_grad_enabled(self.mode))
        return self

    def __exit__(self, *exception):
        _core._set_grad_enabled(self.previous.pop())

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*arguments, **keywords):
            with type(self)():
                return function(*arguments, **keywords)

        return wrapper


class no_grad(_GradMode):
    """Computes without recording."""


class inference_mode(_GradMode):
    """Computes without recording; the same as no_grad here."""


class enable_grad(_GradMode):
    """Records, also within no_grad."""

    mode = True
