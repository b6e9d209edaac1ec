"""``torch.Tensor`` and its kin: PyTorch's old constructor, a type to ask about, never the engine's own."""

import numpy as np
import pytest

import gradcli as torch


def test_sizes_and_numbers():
    assert torch.Tensor().shape == (0,)
    assert torch.Tensor(2, 0).shape == (2, 0)
    assert torch.Tensor(torch.Size([2, 1])).shape == (2, 1)
    assert torch.Tensor([1, 2]).tolist() == [1.0, 2.0]
    assert torch.Tensor((1, 2)).dtype is torch.float64
    assert torch.Tensor(range(3)).tolist() == [0.0, 1.0, 2.0]
    x = torch.tensor([1.0], requires_grad=True)
    assert torch.Tensor([x.sum(), 3]).tolist() == [1.0, 3.0]


def test_an_array_is_copied_in_the_default_float():
    array = np.arange(3)
    made = torch.Tensor(array)
    assert made.dtype is torch.float64 and made.tolist() == [0.0, 1.0, 2.0]
    array[0] = 7
    assert made[0].item() == 0.0


def test_of_a_tensor_an_alias_on_the_graph():
    x = torch.ones(2, requires_grad=True)
    alias = torch.Tensor(x)
    assert alias is not x and alias.requires_grad and alias.grad_fn is not None
    alias.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    assert torch.Tensor(torch.arange(3)).dtype is torch.int64


def test_constructors_of_one_dtype():
    assert torch.FloatTensor([1, 2]).dtype is torch.float32
    assert torch.LongTensor([1.5]).tolist() == [1]
    assert torch.BoolTensor([1, 0]).tolist() == [True, False]
    assert torch.DoubleTensor(2).shape == (2,)
    with pytest.raises(TypeError, match="takes a tensor of"):
        torch.LongTensor(torch.ones(2))


@pytest.mark.parametrize("bad", [3.5, True, "abc", None, {}, print, {1, 2}, b"ab", lambda: 1])
def test_what_is_neither_sizes_nor_numbers_is_refused(bad):
    with pytest.raises(TypeError):
        torch.Tensor(bad)
    with pytest.raises(TypeError):
        torch.Tensor([bad] if not isinstance(bad, float | bool) else (2, bad, "x"))


def test_arguments_that_it_never_had():
    with pytest.raises(RuntimeError, match="negative"):
        torch.Tensor(-1)
    with pytest.raises(TypeError, match="requires_grad"):
        torch.Tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="device"):
        torch.Tensor(2, device="cuda")
    with pytest.raises(TypeError, match="subclassed"):
        type("Own", (torch.Tensor,), {})


def test_as_a_type():
    x = torch.ones(2)
    assert isinstance(x, torch.Tensor) and isinstance(x, torch.DoubleTensor)
    assert not isinstance(x, torch.FloatTensor) and not isinstance(3, torch.Tensor)
    assert type(x) == torch.Tensor and hash(type(x)) == hash(torch.Tensor)  # noqa: E721
    assert issubclass(type(x), torch.Tensor)
    assert repr(torch.Tensor) == "<class 'torch.Tensor'>"
    assert torch.Tensor.sum(x).item() == 2.0
    with pytest.raises(AttributeError):
        _ = torch.Tensor.no_such_name


@pytest.mark.parametrize("make", [torch.tensor, torch.as_tensor, torch.from_numpy, torch.asarray, torch.Tensor])
@pytest.mark.parametrize("dtype", ["O", "U3", "M8[s]", ">f8", "f4,f4"])
def test_arrays_that_no_tensor_can_hold_are_refused(make, dtype):
    with pytest.raises(TypeError, match="cannot hold"):
        make(np.zeros(2, dtype))


@pytest.mark.parametrize("value", ["abc", 1, 0, [True]])
def test_requires_grad_is_a_bool(value):
    for make in (lambda v: torch.tensor([1.0], requires_grad=v), lambda v: torch.ones(2, requires_grad=v),
                 lambda v: torch.rand(2, requires_grad=v), lambda v: torch.ones(2).requires_grad_(v)):  # fmt: skip
        with pytest.raises(TypeError, match="True or False"):
            make(value)
    with pytest.raises(RuntimeError, match="True or False"):
        torch.ones(2).requires_grad = value
    assert not torch.ones(2, requires_grad=None).requires_grad


def test_no_power_of_masks():
    mask = torch.tensor([True, False])
    assert (mask ^ mask).tolist() == [False, False]
    with pytest.raises(NotImplementedError, match="no power"):
        mask**mask


def test_variable_is_the_old_name_of_a_leaf():
    data = torch.ones(2)
    x = torch.autograd.Variable(data, requires_grad=True)
    assert x.is_leaf and x.requires_grad and x.numpy(force=True) is not None
    data[0] = 5.0
    assert x[0].item() == 5.0
    with pytest.raises(TypeError):
        torch.autograd.Variable([1.0])
