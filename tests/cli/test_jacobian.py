"""``gradcli run --jacobian`` and ``--hessian``: against the same derivatives worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.cli.main import main

SCRIPT = """\
leaf x = [1.0, 2.0]
leaf w = [[1.0, 0.5], [2.0, 1.0], [0.1, 0.2]]
y = tanh(w @ x)
s = (x ** 3).sum() * w.sum()
flat = (3 * x).sum()
lone = x * 2
"""
X = np.array([1.0, 2.0])
W = np.array([[1.0, 0.5], [2.0, 1.0], [0.1, 0.2]])


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.gx"
    path.write_text(SCRIPT)
    return path


def output(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["run", "s.gx", "--format", "json", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["outputs"][0]
    return found


def test_the_jacobian_of_a_vector_has_the_shapes_of_output_and_leaf(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = output(capsys, "--of", "y", "--jacobian")["jacobian"]
    slope = 1 - np.tanh(W @ X) ** 2
    assert found["x"]["shape"] == [3, 2]
    np.testing.assert_allclose(found["x"]["value"], slope[:, None] * W, rtol=1e-12)
    by_w = np.zeros((3, 3, 2))
    by_w[range(3), range(3)] = slope[:, None] * X
    np.testing.assert_allclose(found["w"]["value"], by_w, rtol=1e-12)


def test_the_jacobian_of_a_number_is_its_gradient_and_a_leaf_may_be_chosen(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = output(capsys, "--of", "s", "--wrt", "x", "--jacobian")
    assert list(found["jacobian"]) == ["x"]
    np.testing.assert_allclose(found["jacobian"]["x"]["value"], 3 * X**2 * W.sum(), rtol=1e-12)
    assert found["gradients"] == {}


def test_the_hessian_has_a_block_for_each_pair_of_leaves(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = output(capsys, "--of", "s", "--hessian")["hessian"]
    np.testing.assert_allclose(found["x"]["x"]["value"], np.diag(6 * X) * W.sum(), rtol=1e-12)
    np.testing.assert_allclose(found["x"]["w"]["value"], (3 * X**2)[:, None, None] * np.ones((2, 3, 2)), rtol=1e-12)
    np.testing.assert_allclose(found["w"]["x"]["value"], np.ones((3, 2, 1)) * 3 * X**2, rtol=1e-12)
    assert found["w"]["w"]["shape"] == [3, 2, 3, 2]
    assert not np.any(found["w"]["w"]["value"])


def test_the_hessian_of_a_vector_is_one_for_each_element_and_a_seed_sums_them(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = np.array(output(capsys, "--of", "y", "--wrt", "x", "--hessian")["hessian"]["x"]["x"]["value"])
    h = np.tanh(W @ X)
    by_hand = (-2 * h * (1 - h**2))[:, None, None] * W[:, :, None] * W[:, None, :]
    np.testing.assert_allclose(whole, by_hand, rtol=1e-10)
    seeded = output(capsys, "--of", "y", "--wrt", "x", "--hessian", "--seed", "[1, -2, 0.5]")
    np.testing.assert_allclose(seeded["hessian"]["x"]["x"]["value"], np.tensordot([1, -2, 0.5], by_hand, 1), rtol=1e-10)


def test_the_hessian_of_a_constant_gradient_is_zeros_with_a_remark(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = output(capsys, "--of", "flat", "--hessian")
    assert found["hessian"]["x"]["x"]["value"] == [[0.0, 0.0], [0.0, 0.0]]
    assert found["remarks"] == ["the gradient of flat is constant, so its second derivative is zero"]
    assert output(capsys, "--of", "lone", "--hessian")["hessian"]["x"]["x"]["shape"] == [2, 2, 2]
    assert "remarks" not in output(capsys, "--of", "s", "--hessian")


def test_both_are_shown_as_text_under_their_names(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "s.gx", "--of", "flat", "--wrt", "x", "--jacobian", "--hessian"]) == 0
    assert capsys.readouterr().out == (
        "flat = tensor(9., grad_fn=<SumBackward0>)\n"
        "dflat/dx = tensor([3., 3.])\n"
        "d²flat/dx² = tensor([[0., 0.],\n"
        "                     [0., 0.]])\n"
        "(the gradient of flat is constant, so its second derivative is zero)\n"
    )


def test_arrays_of_both_go_into_the_file(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--of", "y", "--wrt", "x", "--jacobian", "--hessian", "--out", "r.npz"]
    assert main(["run", "s.gx", *words]) == 0
    with np.load(script.parent / "r.npz") as file:
        assert {name: file[name].shape for name in file} == {"y": (3,), "J_y_x": (3, 2), "H_y_x_x": (3, 2, 2)}


def test_rows_are_found_in_batches_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    import gradcli as torch
    from gradcli.lang import jacobians

    monkeypatch.setattr(jacobians, "_BATCH", 12)
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
    (found,) = jacobians.jacobians(torch.cumsum(x * x, 0), [x])
    assert found is not None
    np.testing.assert_allclose(found.numpy(), np.tril(np.ones((5, 5))) * 2 * np.arange(1, 6), rtol=1e-12)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--of", "y", "--jacobian", "--seed", "[1, 0, 0]"], "usage"),
        (["--of", "flat", "--wrt", "w", "--jacobian"], "unused-input"),
        (["--of", "y", "--wrt", "x", "--hessian", "--seed", "[1, 0]"], "seed-shape"),
    ],
)
def test_what_can_not_be_answered_is_said(
    script: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: str
) -> None:
    assert main(["run", "s.gx", *words]) in (2, 3)
    assert f"error[{code}]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "status", "printed"),
    [("print(1)\nexit(7)\nprint(2)\n", 7, "1\n"), ("exit()\nprint(2)\n", 0, ""), ("x = 1\nquit(3)\n", 3, "")],
)
def test_a_script_can_end_itself_with_a_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, printed: str
) -> None:
    (tmp_path / "e.gx").write_text(text)
    assert main(["run", str(tmp_path / "e.gx")]) == status
    assert capsys.readouterr().out == printed
