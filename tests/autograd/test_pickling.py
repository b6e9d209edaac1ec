"""Values leave a process and come back: tensors without their graph, results, dtypes; copies share or don't."""

import copy
import pickle

import pytest

import gradcli as torch


def again(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("requires", [False, True])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_a_tensor(shape, requires):
    x = torch.randn(shape, requires_grad=requires)
    made = again(x)
    assert torch.equal(made, x) and made.requires_grad is requires and made.is_leaf and made.dtype is x.dtype
    assert made.grad is None


def test_a_result_becomes_a_leaf_and_keeps_no_graph():
    x = torch.ones(2, requires_grad=True)
    made = again(x * 2)
    assert made.is_leaf and made.requires_grad and made.tolist() == [2.0, 2.0]
    (made * 3).sum().backward()
    assert made.grad.tolist() == [3.0, 3.0] and x.grad is None


def test_a_view_alone():
    x = torch.arange(1000.0)
    assert again(x[3:5]).tolist() == [3.0, 4.0]
    assert len(pickle.dumps(x[3:5])) < 1000


def test_dtypes_devices_sizes_and_named_results():
    assert again(torch.float32) is torch.float32
    assert again(torch.device("cpu:0")) == "cpu:0"
    assert again(torch.ones(2, 3).shape) == (2, 3)
    found = again(torch.max(torch.tensor([1.0, 3.0]), 0))
    assert found.values.item() == 3.0 and found.indices.item() == 1
    assert type(again(found)) is type(found) is type(torch.max(torch.ones(2), 0))


def test_results_of_a_run():
    result = torch.run("leaf x = [1., 2.]\ny = (x ^ 2).sum()\nprint(y)", of="y", wrt="x", tree=True)
    for made in (again(result), copy.deepcopy(result)):
        assert made["y"].value.item() == 5.0 and made["y"].gradients["x"].tolist() == [2.0, 4.0]
        assert made.stdout == result.stdout and made["y"].graph == result["y"].graph
    failed = torch.run("x = [1, 2] * y")
    assert again(failed).error.message == failed.error.message


def test_a_shallow_copy_shares_memory_and_knows_of_writes():
    x = torch.ones(2, requires_grad=True)
    y = copy.copy(x)
    assert y is not x and y.is_leaf and y.requires_grad
    z = x * x
    with torch.no_grad():
        y[0] = 5.0
    assert x[0].item() == 5.0
    with pytest.raises(RuntimeError):
        z.sum().backward()
    assert copy.copy(x * 2).is_leaf


def test_what_a_transformation_runs_on_stays_inside():
    def leaks(x):
        pickle.dumps(x)
        return x

    with pytest.raises(TypeError, match="can't leave it"):
        torch.vmap(leaks)(torch.ones(2))


@pytest.mark.parametrize("dtype", ["float32", torch.float32, torch.half])
def test_the_default_dtype_of_a_run(dtype):
    result = torch.run("y = ones(2)\nprint(y.dtype)", dtype=dtype)
    assert result.stdout in ("torch.float32\n", "torch.float16\n") and torch.get_default_dtype() is torch.float64


@pytest.mark.parametrize("dtype", ["int", "float33", 3, torch.int64])
def test_no_default_dtype(dtype):
    with pytest.raises(TypeError):
        torch.run("x = 3", dtype=dtype)
    assert torch.get_default_dtype() is torch.float64
