"""PyTorch as the other engine; runs in its process (see ``run``)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gradcli.checks.engines.run import Engine, Enough, reach

ENGINE = "torch"
torch: Any = import_module(ENGINE)


class Adapter(Engine):
    """Differentiates each output when it gets its name, by the leaves that it is asked for."""

    def root(self) -> Any:
        return torch

    def array(self, value: Any) -> Any:
        return value if isinstance(value, torch.Tensor) else torch.tensor(value)

    def is_array(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def leaf(self, value: Any) -> Any:
        made = value.detach() if isinstance(value, torch.Tensor) else torch.tensor(value)
        if not (made.dtype.is_floating_point or made.dtype.is_complex):
            made = made.to(torch.get_default_dtype())
        return made.clone().requires_grad_()

    def answer(self) -> dict[str, Any]:
        """Return for each output a list with the rows of each of its leaves."""
        torch.set_num_threads(1)
        torch.set_default_dtype(getattr(torch, self.job["dtype"]))
        torch.manual_seed(self.job["seed"])
        outputs = {tuple(output["stored"]): k for k, output in enumerate(self.job["outputs"])}
        places = {tuple(leaf["stored"]) for output in self.job["outputs"] for leaf in output["leaves"]}
        leaves: dict[Any, Any] = {}
        found: dict[int, Any] = {}

        def stored(key: Any, value: Any) -> Any:
            if key in places:
                leaves[key] = value
            if key in outputs:
                found[outputs[key]] = self.rows(value, self.job["outputs"][outputs[key]], leaves)
                if len(found) == len(outputs):
                    raise Enough
            return value

        self.run(stored)
        return {"rows": [found.get(k) for k in range(len(outputs))]}

    def rows(self, value: Any, output: dict[str, Any], leaves: dict[Any, Any]) -> Any:
        """Return a row for each seed and leaf."""
        tensors = [reach(leaves[tuple(leaf["stored"])], leaf["keys"]) for leaf in output["leaves"]]
        made: list[list[Any]] = [[] for _ in tensors]
        for seed in output["seeds"]:
            cotangent = torch.tensor(seed, dtype=value.dtype).reshape(value.shape)
            found = torch.autograd.grad([value], tensors, [cotangent], retain_graph=True, allow_unused=True)
            for rows, tensor, g in zip(made, tensors, found, strict=True):
                rows.append((torch.zeros_like(tensor) if g is None else g).detach().reshape(-1).tolist())
        return made
