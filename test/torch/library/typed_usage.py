"""Typed calls of the operators in kernels/, which mypy checks in strict mode; test_library.py runs it, too. A comment
`type: ignore` marks an expected error: mypy reports those that it does not need."""
import torch
import trial_ops

x = torch.randn(4, 5)
clipped: torch.Tensor = trial_ops.soft_clip(x, limit=2.0)
clipped = trial_ops.soft_clip(x, 2, out=clipped)
clipped = trial_ops.soft_clip_(clipped)
low, high = trial_ops.extrema(x, dim=0, keepdim=True)
extrema: tuple[torch.Tensor, torch.Tensor] = trial_ops.extrema(x, low=low, high=high)
parts: list[torch.Tensor] = trial_ops.copy_rows(x, [1, 3])
stacked: torch.Tensor = trial_ops.stack_rows(parts, 0.5)
tiled: torch.Tensor = trial_ops.tile(x, 2)
tiled = trial_ops.tile(x, [2, 1])
trial_ops.blend(x, x, alpha=2, mask=None)
trial_ops.axpy(x, x, alpha=2.5, out=torch.empty(0))
trial_ops.axpy(x, 3, 2)
trial_ops.choose(x, x, x > 0, most=0.5)
trial_ops.ramp(3, 2.0, dtype=torch.double)
trial_ops.jitter(x, generator=torch.Generator())
trial_ops.drop_negative_(x)


def errors() -> None:
    trial_ops.soft_clip('x')  # type: ignore[call-overload]
    trial_ops.soft_clip_(x, 'much')  # type: ignore[arg-type]
    trial_ops.extrema(x, low=low)  # type: ignore[call-overload]
    trial_ops.tile(x)  # type: ignore[call-overload]
    trial_ops.rms(x, keepdim=True)  # type: ignore[call-arg]
    trial_ops.no_such_operator(x)  # type: ignore[attr-defined]
    result: int = trial_ops.rms(x)  # type: ignore[assignment]
    print(result)
