"""``gradcheck`` and ``gradgradcheck`` with PyTorch's parameters, and a verdict that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import check_kinds, differences
from gradcli.autograd.api import grad
from gradcli.autograd.errors import GradcheckError
from gradcli.autograd.jacobian_check import Check
from gradcli.autograd.mode import enable_grad
from gradcli.autograd.tensor import Tensor


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Return True where the recorded gradients of ``func`` at ``inputs`` agree with central differences of step
    ``eps``.

    Two numbers agree within ``atol + rtol * |numerical|``. Otherwise GradcheckError names the worst element, both
    numbers and what probably went wrong (False without ``raise_exception``). ``fast_mode`` compares one random
    projection. ValueError without an input that requires grad.
    """
    try:
        check = Check(func, inputs, eps, atol, rtol)
        if check_backward_ad and fast_mode:
            check_kinds.fast(check)
        elif check_backward_ad:
            check_kinds.rows_agree(check, nondet_tol)
        if check_backward_ad and check_grad_dtypes:
            check_kinds.dtypes(check)
        if check_backward_ad and check_undefined_grad:
            check_kinds.undefined(check)
        if check_backward_ad and check_batched_grad:
            check_kinds.batched(check)
        if check_forward_ad:
            check_kinds.forward(check)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Return True where the second derivatives agree with differences of the first: gradcheck of the gradient function.

    ``grad_outputs`` are the cotangents (random ones by default); they are inputs of the check as well.
    """
    ins = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    with enable_grad():
        outputs = _recorded(func(*ins))
    seeds = _cotangents(outputs, grad_outputs)
    count = len(ins)

    def gradient(*both: Any) -> Any:
        with enable_grad():
            points = both[:count]
            outs = _recorded(func(*points))
            wanted = [t for t in points if isinstance(t, Tensor) and t.requires_grad]
            grads = grad(outs, wanted, list(both[count:]), create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    return gradcheck(
        gradient,
        (*ins, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _cotangents(outputs: list[Tensor], given: Any) -> list[Tensor]:
    if given is not None:
        return list(given) if isinstance(given, (tuple, list)) else [given]
    random = np.random.default_rng(0)
    made = []
    for output in outputs:
        values = random.standard_normal(differences.real_parts(output._array).size).astype(output._array.real.dtype)
        array = values.view(output._array.dtype) if output._array.dtype.kind == "c" else values
        made.append(Tensor(array.reshape(output._array.shape)).requires_grad_())
    return made


def _recorded(made: Any) -> list[Tensor]:
    every = made if isinstance(made, (tuple, list)) else (made,)
    return [o for o in every if isinstance(o, Tensor) and o.requires_grad]
