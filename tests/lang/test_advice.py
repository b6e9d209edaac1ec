"""What is said of names that PyTorch has and gx has not: where the same thing is found here."""

from __future__ import annotations

import pytest

from gradcli.lang import advice
from gradcli.lang.importable import resolve

from .helpers import failure


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import torch.nn as nn\nnn.Module", "no modules"),
        ("from torch import nn\nclass M(nn.Module):\n    pass", "no modules"),
        ("from torch.nn import Linear", "torch.nn.functional.linear is the function; its weights"),
        ("torch.nn.ReLU()", "torch.nn.functional.relu is the function"),
        ("torch.nn.Parameter(ones(2))", "requires_grad=True"),
        ("torch.optim.Adam([])", "torch.optim has SGD"),
        ("torch.load('a')", "`load` and `save`"),
        ("torch.save(ones(2), 'a')", "`load` and `save`"),
        ("'{}'.format(3)", "an f-string formats"),
        ("import torchvision", "`load` reads arrays"),
        ("import time", ":time"),
        ("from copy import deepcopy", "x.clone()"),
    ],
)
def test_the_way_out_is_named(text: str, words: str) -> None:
    found = failure(text)
    assert found.code in ("unknown-attribute", "unknown-import") and words in str(found.help)


def test_every_function_that_is_named_instead_of_a_module_exists() -> None:
    functional = dir(resolve("torch.nn.functional"))
    assert [name for name in advice._SNAKE.values() if name not in functional] == []


def test_no_name_that_gx_has_is_said_to_be_missing() -> None:
    has = {*dir(resolve("torch.nn")), *dir(resolve("torch.optim")), *dir(resolve("torch"))}
    assert has.isdisjoint({*advice._SNAKE} - {"Tanh", "Sigmoid"})
    assert "Adam" not in has and "Module" not in has
