"""What all optimizers share: groups of parameters with their options, and a state for each parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.mode import enable_grad, no_grad
from gradcli.autograd.tensor import Tensor

Group = dict[str, Any]


class Optimizer:
    """The base class. ``param_groups`` are dictionaries of ``params`` and options, ``state`` has one for a parameter.

    ``params`` are tensors, or dictionaries with ``params`` and options of their own. TypeError for a single tensor or
    what is no tensor, ValueError for no parameters, one in two groups, or one that is no leaf.
    """

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise error(TypeError, "bad-params", "an optimizer takes a list of tensors, not one tensor", hint="[w]")
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        groups = list(params)
        if not groups:
            raise error(ValueError, "bad-params", "an optimizer needs at least one parameter")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, group: Group) -> None:
        """Add a group of parameters; options that it leaves out are the optimizer's."""
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        known = {id(p) for other in self.param_groups for p in other["params"]}
        for param in params:
            self._check(param, known)
        self.param_groups.append({**self.defaults, **group, "params": params})

    def _check(self, param: Any, known: set[int]) -> None:
        if not isinstance(param, Tensor):
            raise error(TypeError, "bad-params", f"an optimizer takes tensors, got {type(param).__name__}")
        if not param.is_leaf:
            raise error(ValueError, "not-a-leaf", "an optimizer changes leaves; this tensor is a result")
        if id(param) in known:
            raise error(ValueError, "bad-params", "a parameter is in two groups")
        known.add(id(param))

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set each ``.grad`` to None, or to zeros with ``set_to_none=False``."""
        for param in self._params():
            if param.grad is None:
                continue
            if set_to_none:
                param.grad = None
            else:
                if param.grad.requires_grad:
                    param.grad = param.grad.detach()
                param.grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters by their gradients; return what ``closure``, which computes them, returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for param in group["params"]:
                    if param.grad is not None:
                        self.update(param, param.grad, group)
        return loss

    def update(self, param: Tensor, grad: Tensor, group: Group) -> None:
        """Change one parameter in place."""
        raise NotImplementedError

    def _params(self) -> Iterable[Tensor]:
        return (param for group in self.param_groups for param in group["params"])

    # -- saving -------------------------------------------------------------------------------------------------------
    def state_dict(self) -> dict[str, Any]:
        """Return the state and the options, with numbers in the place of parameters."""
        numbers = {id(param): k for k, param in enumerate(self._params())}
        groups = [{**group, "params": [numbers[id(p)] for p in group["params"]]} for group in self.param_groups]
        return {"state": {numbers[id(p)]: dict(s) for p, s in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over the state and the options of ``state_dict()``; ValueError where the groups differ in size."""
        groups = state["param_groups"]
        sizes = [[len(group["params"]) for group in some] for some in (groups, self.param_groups)]
        if sizes[0] != sizes[1]:
            raise error(ValueError, "bad-state", f"the state has groups of {sizes[0]} parameters, not of {sizes[1]}")
        params = list(self._params())
        self.state = defaultdict(dict)
        for number, values in state["state"].items():
            self.state[params[number]] = {k: v.clone() if isinstance(v, Tensor) else v for k, v in values.items()}
        self.param_groups = [
            {**group, "params": mine["params"]} for group, mine in zip(groups, self.param_groups, strict=True)
        ]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])
