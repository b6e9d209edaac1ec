"""``gradcli.run``: the results of a run as objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradcli
from gradcli.autograd.dtypes import float64, get_default_dtype
from gradcli.lang.diagnostic import GxError

SCRIPT = "leaf a = 2.0\nleaf b = [3.0, 4.0]\ny = a * b\nprint('made')\n"


def test_outputs_gradients_and_what_was_printed() -> None:
    result = gradcli.run(SCRIPT, of="y", wrt="a, b", seed=[1.0, 10.0], tree=True)
    assert (result.ok, result.error, result.stdout, result.script) == (True, None, "made\n", "<text>")
    output = result["y"]
    assert output.value.tolist() == [6.0, 8.0]
    assert output.gradients["a"].item() == 43.0
    assert output.gradients["b"].tolist() == [2.0, 20.0]
    assert [node.name for node in output.graph] == ["MulBackward0", "AccumulateGrad", "AccumulateGrad"]


def test_seeds_and_replacements_are_values_or_expressions() -> None:
    for seed in ("b", [3.0, 4.0], np.array([3.0, 4.0]), gradcli.tensor([3.0, 4.0]), {"y": "b"}):
        result = gradcli.run(SCRIPT, of="y", wrt="a", seed=seed)
        assert result["y"].gradients["a"].item() == 25.0
    replaced = gradcli.run(SCRIPT, of="y", wrt=["b"], seed=[1.0, 1.0], set={"a": "5 * 2", "b": [1, 2]})
    assert replaced["y"].gradients["b"].tolist() == [10.0, 10.0]


def test_a_path_is_run_below_its_own_folder(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([1.0, 2.0]))
    (tmp_path / "s.gx").write_text('leaf x = load("v.npy")\ny = (x ^ 2).sum()\n')
    for path in (tmp_path / "s.gx", str(tmp_path / "s.gx")):
        assert gradcli.run(path, wrt="x").outputs[0].gradients["x"].tolist() == [2.0, 4.0]
    for missing in (tmp_path / "none.gx", "none.gx"):
        with pytest.raises(FileNotFoundError):
            gradcli.run(missing)


def test_a_failure_is_a_result_and_can_be_raised() -> None:
    result = gradcli.run("print(1)\nx = ones(2) @ ones(3)\n")
    assert (result.ok, result.stdout) == (False, "1\n")
    assert result.error is not None and result.error.primary is not None
    assert result.error.primary.span.line == 2
    with pytest.raises(GxError):
        result.raise_for_error()
    with pytest.raises(KeyError, match="no output 'y'"):
        result["y"]
    assert gradcli.run("1").raise_for_error().ok


def test_a_failed_check_is_the_error() -> None:
    result = gradcli.run('check "c":\n    assert 1 > 2\nprint("on")\n')
    assert (result.ok, result.stdout) == (False, "on\n")
    assert result.error is not None and result.error.kind == "check"


def test_defaults_of_the_process_survive_a_run() -> None:
    result = gradcli.run("torch.set_printoptions(precision=1)\nx = tensor(1/3)\nx.dtype", dtype="float32")
    assert result.ok
    assert get_default_dtype() is float64
    assert repr(gradcli.tensor(1 / 3)) == "tensor(0.3333)"
