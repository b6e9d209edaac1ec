"""Programs that name the CPU run as they are; any other device is an error, wherever it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import gradcli as torch
from gradcli.ops.registry import rows
from gradcli.ops.row import Row
from tests.lang.helpers import failure, printed
from tests.ops.drawing import sample_id

WITH_DEVICE = [r for r in rows() if "device" in inspect.signature(r.function).parameters and r.samples]


@pytest.mark.parametrize("row", WITH_DEVICE, ids=sample_id)
def test_another_device_is_refused(row: Row) -> None:
    function: Callable[..., Any] = row.function
    for kind in ("cuda", "cuda:0", "mps", "meta"):
        with pytest.raises(RuntimeError, match="tensors live on the CPU"):
            function(*([1] * 3)[: len(row.samples[0].args)], device=kind)


def test_the_cpu_is_a_device() -> None:
    device = torch.device("cpu")
    assert (str(device), repr(device), device.type, device.index) == ("cpu", "device(type='cpu')", "cpu", None)
    assert (repr(torch.device("cpu", 0)), torch.device("cpu:1").index) == ("device(type='cpu', index=0)", 1)
    x = torch.tensor([1.0], device=device)
    assert x.device == device == torch.zeros(2, device="cpu").device == x.to(device).device
    assert isinstance(x.device, torch.device)
    with pytest.raises(RuntimeError, match="no device 'cuda'"):
        torch.device("cuda")
    with pytest.raises(TypeError, match="a device is a name"):
        torch.zeros(2, device=0)


def test_a_tutorial_that_names_its_device() -> None:
    text = """
dtype = torch.float
device = torch.device("cpu")
torch.manual_seed(0)
a = torch.randn((), device=device, dtype=dtype, requires_grad=True)
print(a.device, a.dtype, device.type)
"""
    assert printed(text) == "cpu torch.float32 cpu\n"
    assert failure("x = torch.ones(2, device='cuda')").code == "no-such-device"


def test_programs_that_ask_for_a_device_find_the_cpu() -> None:
    text = (
        'device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"\n'
        'other = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"\n'
        "torch.set_default_device(device)\n"
        "x = ones(2, device=other).to(device)\n"
        "print(x.device, torch.get_default_device(), torch.cuda.device_count())\n"
    )
    assert printed(text) == "cpu cpu 0\n"
    assert not torch.cuda.is_available() and not torch.backends.mps.is_built()
    with pytest.raises(RuntimeError, match="tensors live on the CPU"):
        torch.set_default_device("cuda")
    assert "leave it out" in str(failure("x = ones(2).cuda()").help)
