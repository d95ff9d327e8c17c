"""Module, the base of layers and models, and Parameter."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from structured import _core
from structured._core import Tensor
from structured._grad_mode import no_grad
from structured._types import DeviceLike, DTypeLike

Self = TypeVar("Self", bound="Module")


class Parameter(Tensor):
    """A tensor that a Module trains. Shares the memory of `data`."""

    def __new__(cls, data: Tensor, requires_grad: bool = True) -> Parameter:
        result: Parameter = _core._make(cls, data.detach())
        return result.requires_grad_(requires_grad)

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        pass

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memory: dict[int, Any]) -> Parameter:
        copy = memory[id(self)] = Parameter(self.detach().clone(), self.requires_grad)
        return copy

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return Parameter, (self.detach(), self.requires_grad)


class IncompatibleKeys(NamedTuple):
    """Names that load_state_dict() did not find in one of the two."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class HookHandle:
    """Removes a hook of a module."""

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        hooks[id(self)] = hook

    def remove(self) -> None:
        self._hooks.pop(id(self), None)


class Module:
    """Base of layers and models. Attributes that are Parameters, buffers or Modules belong to the module: they are found in
    the order in which they were assigned. A subclass defines `forward`, which a call of the module runs."""

    training = True

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        """Computes the result of a call."""
        raise NotImplementedError(f"{type(self).__name__} has no method forward")

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        attributes = self.__dict__
        for hook in list(attributes.get("_pre_hooks", {}).values()):
            changed = hook(self, arguments)
            if changed is not None:
                arguments = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*arguments, **keywords)
        for hook in list(attributes.get("_forward_hooks", {}).values()):
            changed = hook(self, arguments, result)
            result = result if changed is None else changed
        return result

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Calls `hook(module, arguments)` before forward; the hook may return other arguments."""
        return HookHandle(self.__dict__.setdefault("_pre_hooks", {}), hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Calls `hook(module, arguments, result)` after forward; the hook may return another result."""
        return HookHandle(self.__dict__.setdefault("_forward_hooks", {}), hook)

    # ---------------------------------------------------------------------------------------------------- members

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Sets the attribute `name` to a tensor that is moved and saved with the module and not trained. Tensors that are
        not persistent are not in the state."""
        if not isinstance(tensor, (Tensor, type(None))):
            raise TypeError(f"register_buffer: expected a Tensor or None, got {type(tensor).__name__}")
        self.__dict__.setdefault("_buffers", {})[name] = persistent
        setattr(self, name, tensor)

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        """Sets the attribute `name` to a parameter, or to None."""
        setattr(self, name, parameter)

    def add_module(self, name: str, module: Module | None) -> None:
        """Sets the attribute `name` to a module."""
        self.__dict__[name] = module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules among the attributes, by name."""
        return ((name, value) for name, value in self.__dict__.items() if isinstance(value, Module))

    def children(self) -> Iterator[Module]:
        """The modules among the attributes."""
        return (module for _, module in self.named_children())

    def named_modules(self, prefix: str = "", memory: set[int] | None = None) -> Iterator[tuple[str, Module]]:
        """This module and all modules below it, each once, by path."""
        memory = set() if memory is None else memory
        if id(self) in memory:
            return
        memory.add(id(self))
        yield prefix, self
        for name, child in self.named_children():
            yield from child.named_modules(prefix + "." * bool(prefix) + name, memory)

    def modules(self) -> Iterator[Module]:
        """This module and all modules below it, each once."""
        return (module for _, module in self.named_modules())

    def _own_parameters(self) -> Iterator[tuple[str, Parameter]]:
        return ((name, value) for name, value in self.__dict__.items() if isinstance(value, Parameter))

    def _own_buffers(self, persistent: bool = False) -> Iterator[tuple[str, Tensor]]:
        for name, is_persistent in self.__dict__.get("_buffers", {}).items():
            tensor = self.__dict__.get(name)
            if tensor is not None and (is_persistent or not persistent):
                yield name, tensor

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Parameter]]:
        """All parameters, each once, by path."""
        seen = set()
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, parameter in module._own_parameters():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield path + "." * bool(path) + name, parameter

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All buffers by path."""
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, tensor in module._own_buffers():
                yield path + "." * bool(path) + name, tensor

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    # ------------------------------------------------------------------------------------------------------ state

    def state_dict(self, prefix: str = "") -> dict[str, Tensor]:
        """All parameters and persistent buffers by path, without history. They share memory with the module."""
        state: dict[str, Tensor] = {}
        path = prefix + "." * bool(prefix)
        for name, tensor in (*self._own_parameters(), *self._own_buffers(persistent=True)):
            state[path + name] = tensor.detach()
        for name, child in self.named_children():
            state.update(child.state_dict(path + name))
        return state

    def load_state_dict(self, state: Mapping[str, Tensor], strict: bool = True) -> IncompatibleKeys:
        """Copies tensors into the parameters and buffers. Raises RuntimeError for a tensor of another shape and, if
        `strict`, for names that only one of the two has; then nothing has changed."""
        own = self.state_dict()
        result = IncompatibleKeys([name for name in own if name not in state], [name for name in state if name not in own])
        errors = [f"no tensor `{name}` in the state" for name in result.missing_keys] if strict else []
        errors += [f"no parameter or buffer `{name}` in the module" for name in result.unexpected_keys] if strict else []
        for name, tensor in own.items():
            if name in state and state[name].shape != tensor.shape:
                errors.append(f"`{name}`: expected shape {tuple(tensor.shape)}, got {tuple(state[name].shape)}")
        if errors:
            raise RuntimeError(f"load_state_dict of {type(self).__name__}: " + "; ".join(errors))
        with no_grad():
            for name, tensor in own.items():
                if name in state:
                    tensor.copy_(state[name])
        return result

    def train(self: Self, mode: bool = True) -> Self:
        """Starts or ends training, which some layers depend on."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: Self) -> Self:
        """Ends training."""
        return self.train(False)

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Starts or ends the recording of all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Removes the gradients of all parameters, or sets them to zero."""
        for parameter in self.parameters():
            clear_gradient(parameter, set_to_none)

    def apply(self: Self, function: Callable[[Module], Any]) -> Self:
        """Calls `function` with all modules below this one, then with this one."""
        for child in self.children():
            child.apply(function)
        function(self)
        return self

    def to(self: Self, *arguments: Any, **keywords: Any) -> Self:
        """Converts all parameters and buffers as Tensor.to does; integers keep their dtype. The objects stay the same."""
        dtype = keywords.pop("dtype", None)
        rest = []
        for argument in arguments:
            if isinstance(argument, (str, _core.device)):
                keywords["device"] = argument
            elif isinstance(argument, _core.dtype):
                dtype = argument
            else:
                rest.append(argument)
        if rest:
            raise TypeError(f"Module.to: expected a device or a dtype, got {type(rest[0]).__name__}")
        for tensor in (*self.parameters(), *self.buffers()):
            target = dtype if tensor.is_floating_point() or tensor.is_complex() else None
            options = dict(keywords, dtype=tensor.dtype if target is None else target)
            gradient = tensor.grad
            tensor.data = tensor.detach().to(**options)
            if gradient is not None:
                tensor.grad = gradient.to(**options)
        return self

    def float(self: Self) -> Self:
        """Converts floating-point parameters and buffers to float32."""
        return self.to(_core.float32)

    def double(self: Self) -> Self:
        """Converts floating-point parameters and buffers to float64."""
        return self.to(_core.float64)

    def half(self: Self) -> Self:
        """Converts floating-point parameters and buffers to float16."""
        return self.to(_core.float16)

    def extra_repr(self) -> str:
        """The arguments that the text of the module shows."""
        return ""

    def __repr__(self) -> str:
        lines = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in self.named_children()]
        extra = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({extra})"
        return f"{type(self).__name__}(\n  " + "\n  ".join([extra] * bool(extra) + lines) + "\n)"


def clear_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Removes the gradient of a parameter, or sets it to zero."""
    if parameter.grad is not None:
        parameter.grad = None if set_to_none else _zeros(parameter)


def _zeros(tensor: Tensor) -> Tensor:
    from structured import _operators

    return _operators.zeros_like(tensor.detach())


class Sequential(Module):
    """Runs modules one after the other."""

    def __init__(self, *modules: Module | Mapping[str, Module]) -> None:
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            named: list[tuple[str, Any]] = list(modules[0].items())
        else:
            named = [(str(i), module) for i, module in enumerate(modules)]
        for name, module in named:
            if not isinstance(module, Module):
                raise TypeError(f"Sequential: expected Modules, got {type(module).__name__}")
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        for module in self.children():
            input = module(input)
        return input

    def __len__(self) -> int:
        return sum(1 for _ in self.children())

    def __iter__(self) -> Iterator[Module]:
        return self.children()

    def __getitem__(self, index: int | slice) -> Any:
        modules = list(self.children())
        return Sequential(*modules[index]) if isinstance(index, slice) else modules[index]

    def append(self, module: Module) -> Sequential:
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self


class ModuleList(Module):
    """A list of modules."""

    def __init__(self, modules: Sequence[Module] = ()) -> None:
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> ModuleList:
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return sum(1 for _ in self.children())

    def __iter__(self) -> Iterator[Module]:
        return self.children()

    def __getitem__(self, index: int) -> Module:
        return list(self.children())[index]


class ModuleDict(Module):
    """A dictionary of modules."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        for name, module in (modules or {}).items():
            self[name] = module

    def __setitem__(self, name: str, module: Module) -> None:
        self.add_module(name, module)

    def __getitem__(self, name: str) -> Module:
        return dict(self.named_children())[name]

    def __contains__(self, name: object) -> bool:
        return any(key == name for key, _ in self.named_children())

    def __len__(self) -> int:
        return sum(1 for _ in self.children())

    def items(self) -> Iterator[tuple[str, Module]]:
        """Names and modules."""
        return self.named_children()
