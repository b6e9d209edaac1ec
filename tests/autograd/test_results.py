"""Named results: tuples with fields that print as PyTorch's."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from gradcli.autograd import Tensor
from gradcli.autograd.results import result_type

Pair = result_type("max", "values indices")


def pair() -> tuple[Tensor, ...]:
    return Pair((Tensor(np.array([1.0, 2.0])), Tensor(np.array([0, 1]))))


def test_fields_and_positions_are_the_same_objects() -> None:
    made = pair()
    values, indices = made
    assert made.values is values is made[0]
    assert made.indices is indices is made[-1]
    assert isinstance(made, tuple) and len(made) == 2


def test_it_prints_as_pytorch_prints_it() -> None:
    assert repr(pair()) == "torch.return_types.max(\nvalues=tensor([1., 2.]),\nindices=tensor([0, 1]))"


def test_it_can_be_matched_by_position() -> None:
    match pair():
        case Pair(values, indices):
            assert values.tolist() == [1.0, 2.0] and indices.tolist() == [0, 1]
        case _:
            pytest.fail("no match")


def test_a_copy_is_of_the_same_type() -> None:
    assert type(copy.copy(pair())) is Pair


def test_the_number_of_items_is_checked() -> None:
    with pytest.raises(TypeError, match="values, indices"):
        Pair((1,))
