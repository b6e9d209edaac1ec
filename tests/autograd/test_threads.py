"""Threads: grad mode, hooks and inference mode belong to one, gradients of shared leaves to all."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

import gradcli as torch

THREADS = 4


@pytest.fixture
def switching() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], None], count: int = THREADS) -> None:
    """Run ``work(k)`` in several threads that start at once; an error in one of them is raised."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(k: int) -> None:
        try:
            barrier.wait()
            work(k)
        except BaseException as error:  # handed on to the test
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.usefixtures("switching")
@pytest.mark.parametrize("size", [1, 20_000])
def test_no_accumulation_is_lost(size: int) -> None:
    x = torch.zeros(size, requires_grad=True)
    passes = 200

    def work(k: int) -> None:
        for _ in range(passes):
            (x * (k + 1)).sum().backward()

    together(work)
    total = passes * THREADS * (THREADS + 1) / 2
    assert bool((x.grad == total).all())


@pytest.mark.usefixtures("switching")
def test_one_graph_can_be_run_by_several_threads() -> None:
    x = torch.ones(3, requires_grad=True)
    y = (x.exp() * x).sum()
    h = x.exp()
    h.retain_grad()
    z = (h * h).sum()

    def work(k: int) -> None:
        for _ in range(50):
            y.backward(retain_graph=True)
            z.backward(retain_graph=True)
            torch.autograd.grad(y, x, retain_graph=True)

    together(work)
    e = torch.tensor(1.0).exp().item()
    assert x.grad.tolist() == pytest.approx([50 * THREADS * (2 * e + 2 * e * e)] * 3)
    assert h.grad.tolist() == pytest.approx([50 * THREADS * 2 * e] * 3)


@pytest.mark.usefixtures("switching")
def test_hooked_leaves_are_complete_in_each_pass() -> None:
    x = torch.ones(1, requires_grad=True)
    seen: list[float] = []
    x.register_hook(lambda g: seen.append(g.item()))

    def work(k: int) -> None:
        for _ in range(100):
            (x * 2 + x * 3).backward()

    together(work)
    assert set(seen) == {5.0}
    assert x.grad.item() == 5.0 * 100 * THREADS


def test_modes_and_saved_tensor_hooks_belong_to_one_thread() -> None:
    log: list[int] = []
    x = torch.ones(2, requires_grad=True)
    inside, done = threading.Event(), threading.Event()

    def other(_: int) -> None:
        inside.wait()
        assert torch.is_grad_enabled()
        assert not torch.is_inference_mode_enabled()
        assert not torch.ones(2).is_inference()
        assert (x * x).requires_grad
        done.set()

    def first(_: int) -> None:
        hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: (log.append(1), t)[1], lambda t: t)
        with hooks, torch.inference_mode():
            assert torch.ones(2).is_inference()
            inside.set()
            done.wait()

    together(lambda k: (first, other)[k](k), 2)
    assert log == []
