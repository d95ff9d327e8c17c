"""Tensors and operators of Structured. Names and semantics are PyTorch's."""
import math as _math

from structured import _core
from structured._core import *  # noqa: F403
from structured import _operators
from structured._operators import *  # noqa: F403
from structured import _numpy
from structured import _tensor
from structured import _missing
from structured._functions import *  # type: ignore[assignment, no-redef]  # noqa: F403
from structured._grad_mode import enable_grad as enable_grad
from structured._grad_mode import inference_mode as inference_mode
from structured._grad_mode import no_grad as no_grad
from structured._grad_mode import set_grad_enabled as set_grad_enabled
from structured._save import load as load
from structured._save import save as save

__version__ = _core.__version__

# `import *` leaves these out, or Python's names hide them.
bool = _core.bool
float = _core.float
int = _core.int

pi = _math.pi
e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None

TYPE_CHECKING = False  # type checkers assume True; importing typing takes longer than the rest of this module
if TYPE_CHECKING:
    from structured import array_api as array_api
    from structured import autograd as autograd
    from structured import nn as nn
    from structured import optim as optim
    from structured import profiler as profiler
else:
    def __getattr__(name):
        # Loaded when they are first used: `import structured` stays fast.
        if name in ("array_api", "autograd", "nn", "optim", "profiler"):
            import importlib

            return importlib.import_module("structured." + name)
        raise _missing.MissingAttribute("structured", name)
