"""Optimizers: they change parameters by their gradients."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from structured import _operators
from structured._core import Tensor
from structured._grad_mode import enable_grad, no_grad
from structured.nn._module import clear_gradient


class Optimizer:
    """Base of optimizers. `parameters` are tensors, or groups: dictionaries with the tensors as `params` and options of
    their own. A subclass defines `update`."""

    def __init__(self, parameters: Iterable[Any], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        self.state: dict[Tensor, dict[str, Any]] = {}
        groups = list(parameters)
        if not groups:
            raise ValueError(f"{type(self).__name__}: got no parameters")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, group: dict[str, Any]) -> None:
        """Adds tensors with options of their own."""
        tensors = group["params"]
        tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
        known = {id(tensor) for other in self.param_groups for tensor in other["params"]}
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{type(self).__name__}: expected Tensors, got {type(tensor).__name__}")
            if not tensor.is_leaf:
                raise ValueError(f"{type(self).__name__}: expected leaves; an operator computed one of the tensors")
            if id(tensor) in known:
                raise ValueError(f"{type(self).__name__}: a tensor occurs twice")
            known.add(id(tensor))
        self.param_groups.append({**self.defaults, **group, "params": tensors})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Removes all gradients, or sets them to zero."""
        for group in self.param_groups:
            for parameter in group["params"]:
                clear_gradient(parameter, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Changes all parameters that have gradients. A closure computes the gradients first; returns its result."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter.grad
                    if gradient is not None:
                        state = self.state.setdefault(parameter, {})
                        self.update(parameter, -gradient if group["maximize"] else gradient, state, group)
        return loss

    def update(self, parameter: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Changes one parameter."""
        raise NotImplementedError(f"{type(self).__name__} has no method update")

    def state_dict(self) -> dict[str, Any]:
        """The options of all groups and the state of all parameters, which are numbered in order."""
        numbers = {parameter: i for i, parameter in enumerate(self._parameters())}
        groups = [{**group, "params": [numbers[parameter] for parameter in group["params"]]}
                  for group in self.param_groups]
        return {"state": {numbers[parameter]: dict(state) for parameter, state in self.state.items()},
                "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restores what state_dict() returned. Tensors are copied, with the dtype of their parameter."""
        groups = state_dict["param_groups"]
        sizes, own = [len(group["params"]) for group in groups], [len(group["params"]) for group in self.param_groups]
        if sizes != own:
            raise ValueError(f"load_state_dict: expected groups with {own} parameters, got {sizes}")
        for group, other in zip(self.param_groups, groups):
            group.update({name: value for name, value in other.items() if name != "params"})
        self.state = {}
        for number, parameter in zip((n for group in groups for n in group["params"]), self._parameters()):
            if number in state_dict["state"]:
                self.state[parameter] = {name: _copied(value, parameter)
                                         for name, value in state_dict["state"][number].items()}

    def _parameters(self) -> list[Tensor]:
        return [parameter for group in self.param_groups for parameter in group["params"]]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {i}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join(lines) + "\n)"


def _copied(value: Any, parameter: Tensor) -> Any:
    if not isinstance(value, Tensor):
        return value
    return value.detach().to(parameter.dtype, copy=True) if value.is_floating_point() else value.clone()


def _check(name: str, value: float, is_valid: bool, expected: str) -> None:
    if not is_valid:
        raise ValueError(f"expected {expected} as {name}, got {value}")


class SGD(Optimizer):
    """Gradient descent: `p -= lr * (grad + weight_decay * p)`. With momentum the second factor is the moving sum
    `v = momentum * v + (1 - dampening) * grad`, or `grad + momentum * v` for Nesterov's method."""

    def __init__(
        self, params: Iterable[Any], lr: float = 1e-3, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, *, maximize: bool = False,
    ) -> None:
        _check("lr", lr, lr >= 0, "a number that is not negative")
        _check("momentum", momentum, momentum >= 0, "a number that is not negative")
        _check("weight_decay", weight_decay, weight_decay >= 0, "a number that is not negative")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("nesterov needs a momentum and no dampening")
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                                  "nesterov": nesterov, "maximize": maximize})

    def update(self, parameter: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        if group["weight_decay"] != 0:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            velocity = state.get("momentum_buffer")
            if velocity is None:
                velocity = state["momentum_buffer"] = gradient.detach().clone()
            else:
                velocity.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
            gradient = gradient.add(velocity, alpha=momentum) if group["nesterov"] else velocity
        parameter.add_(gradient, alpha=-group["lr"])


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): steps by the moving mean of the gradients, divided by the square root of the moving mean
    of their squares. `weight_decay` adds to the gradients."""

    decouples_decay = False

    def __init__(
        self, params: Iterable[Any], lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0.0, amsgrad: bool = False, *, maximize: bool = False,
    ) -> None:
        _check("lr", lr, lr >= 0, "a number that is not negative")
        _check("eps", eps, eps >= 0, "a number that is not negative")
        for beta in betas:
            _check("betas", beta, 0 <= beta < 1, "numbers from 0 to less than 1")
        _check("weight_decay", weight_decay, weight_decay >= 0, "a number that is not negative")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "amsgrad": amsgrad, "maximize": maximize})

    def update(self, parameter: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state["step"] = 0
            state["exp_avg"] = _operators.zeros_like(parameter.detach())
            state["exp_avg_sq"] = _operators.zeros_like(parameter.detach())
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = _operators.zeros_like(parameter.detach())
        state["step"] += 1
        lr, decay = group["lr"], group["weight_decay"]
        first, second = group["betas"]
        if decay != 0 and self.decouples_decay:
            parameter.mul_(1 - lr * decay)
        elif decay != 0:
            gradient = gradient.add(parameter, alpha=decay)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(gradient, 1 - first)
        square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            _operators.maximum(largest, square, out=largest)
            square = largest
        correction = math.sqrt(1 - second ** state["step"])
        denominator = square.sqrt().div_(correction).add_(group["eps"])
        parameter.addcdiv_(mean, denominator, value=-lr / (1 - first ** state["step"]))


class AdamW(Adam):
    """Adam whose weight decay does not depend on the gradients: `p *= 1 - lr * weight_decay` (Loshchilov and Hutter)."""

    decouples_decay = True

    def __init__(
        self, params: Iterable[Any], lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class LambdaLR:
    """Sets the learning rate of each group to its initial value times `lr_lambda(steps)` after each step."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable[[int], float]) -> None:
        self.optimizer = optimizer
        self.lr_lambda = lr_lambda
        self.last_epoch = -1
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.step()

    def step(self) -> None:
        """Counts one step and sets the learning rates."""
        self.last_epoch += 1
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * self.lr_lambda(self.last_epoch)

    def get_last_lr(self) -> list[float]:
        """The learning rates of the groups."""
        return [group["lr"] for group in self.optimizer.param_groups]


class StepLR(LambdaLR):
    """Multiplies the learning rates by `gamma` every `step_size` steps."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1) -> None:
        super().__init__(optimizer, lambda epoch: gamma ** (epoch // step_size))


class CosineAnnealingLR(LambdaLR):
    """Lowers the learning rates to zero along half a cosine within `T_max` steps."""

    def __init__(self, optimizer: Optimizer, T_max: int) -> None:
        super().__init__(optimizer, lambda epoch: (1 + math.cos(math.pi * epoch / T_max)) / 2)


__all__ = ["Adam", "AdamW", "CosineAnnealingLR", "LambdaLR", "Optimizer", "SGD", "StepLR"]

TYPE_CHECKING = False  # type checkers know the names
if not TYPE_CHECKING:
    from structured._missing import missing

    __getattr__ = missing(__name__)
