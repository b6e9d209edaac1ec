"""A program that uses the typed Python API. Type checkers must refuse the lines with a remark "wrong", and no others.

It is read by mypy alone, never run.
"""

from __future__ import annotations

import numpy as np

import gradcli
import gradcli as torch
import gradcli.nn.functional as F
from gradcli import Tensor, linalg
from gradcli.autograd import Function, grad
from gradcli.signal import windows

# -- making tensors -------------------------------------------------------------------------------------------------
x: Tensor = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
torch.zeros(2, 3), torch.zeros((2, 3), dtype=torch.int64), torch.arange(0, 10, 2), torch.from_numpy(np.zeros(3))
torch.randint(0, 5, (2,)), torch.full((2,), 1.5), torch.eye(3, dtype=torch.complex128)
torch.tensor("text")  # wrong: arg-type
torch.zeros(2, 3, dtype="float32")  # wrong: arg-type
torch.ones(2, require_grad=True)  # wrong: call-arg
torch.from_numpy([1.0])  # wrong: arg-type

# -- operations -----------------------------------------------------------------------------------------------------
y: Tensor = torch.sin(x) + 2 * x.exp() - x @ [1.0, 2.0]
z: Tensor = torch.sum(x, dim=0, keepdim=True) + torch.sum(x, axis=0) + x.sum((0, 1))
torch.add(x, 1, alpha=2), torch.exp(x, out=y), torch.cat([x, y], dim=0), torch.where(x > 0, x, 0.0)
torch.sine(x)  # wrong: attr-defined
torch.sin("x")  # wrong: arg-type
torch.sum(x, dims=0)  # wrong: call-arg
torch.cat(x, 0)  # wrong: arg-type
torch.exp()  # wrong: call-arg

# -- methods, operators, properties ---------------------------------------------------------------------------------
w: Tensor = x.view(2, 1).T.mT.transpose(0, 1).reshape(-1)
w += 1
w[0] = 3.0
w[1:, None, ...] = x
x.add_(y, alpha=2).mul_(3).clamp_(min=0).copy_(y)
rows, columns = x.size(0), x.shape[1] + x.dim() + x.numel()
flag: bool = x.is_floating_point() and torch.allclose(x, y)
mask: Tensor = (x == y) & ~(x < 0)
x.to(torch.float64), x.to(y), x.float(), x.type(torch.int32)
number: float = x.item()
x.sinn()  # wrong: attr-defined
x.view("2")  # wrong: arg-type
x.add_(y, beta=2)  # wrong: call-arg
x.T = y  # wrong: misc
x + "text"  # wrong: operator
x.numel().exp()  # wrong: attr-defined

# -- results of several tensors -------------------------------------------------------------------------------------
values, indices = torch.max(x, 0)
largest: Tensor = torch.max(x)
top: Tensor = torch.topk(x, 2).values
q, r = linalg.qr(x)
parts: tuple[Tensor, ...] = torch.split(x, 2)
pooled, where = F.max_pool2d(x, 2, return_indices=True)
single: Tensor = F.max_pool2d(x, 2)
print(torch.sort(x).indexes)  # wrong: attr-defined
both: Tensor = torch.sort(x)  # wrong: assignment
only: int = torch.argmax(x)  # wrong: assignment

# -- namespaces -----------------------------------------------------------------------------------------------------
loss: Tensor = F.cross_entropy(x, y, label_smoothing=0.1) + torch.nn.functional.mse_loss(x, y, reduction="sum")
torch.linalg.solve(x, y), torch.special.erfcx(x), torch.fft.rfft(x, n=4), windows.hann(8, sym=False)
torch.pi * torch.inf, torch.finfo(torch.float32).eps, torch.get_default_dtype().itemsize
F.relu(x, in_place=True)  # wrong: call-arg
F.mse_loss(x, y, reduction=1)  # wrong: arg-type
linalg.sole(x, y)  # wrong: attr-defined
torch.set_default_dtype(32)  # wrong: arg-type

# -- gradients ------------------------------------------------------------------------------------------------------
loss.backward(retain_graph=True)
gradient: Tensor | None = x.grad
first, second = grad(loss, (x, y), create_graph=True)
with torch.no_grad(), torch.set_grad_enabled(True):
    x.requires_grad_(False).detach()
jacobian = torch.func.jacrev(torch.sin)(x)
result = gradcli.run("sum(x^2)", set={"x": [1, 2, 3]}, wrt="x")
result.outputs[0].gradients["x"].tolist()
loss.backwards()  # wrong: attr-defined
loss.backward(retain=True)  # wrong: call-arg
torch.autograd.gradient(loss, x)  # wrong: attr-defined
torch.no_grads()  # wrong: attr-defined


class Cube(Function):
    """A rule of the user's own."""


Cube.apply(x)
