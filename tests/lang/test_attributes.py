"""The closed list of attributes has every field of every result that an operation gives."""

from __future__ import annotations

import pytest

import gradcli
from gradcli.autograd.results import Result
from gradcli.lang.attributes import is_allowed
from gradcli.ops.registry import rows
from tests.lang.helpers import printed


def test_fields_of_results_can_be_read() -> None:
    assert list(rows())
    fields = {field for cls in Result.__subclasses__() for field in cls.__match_args__}
    assert {"values", "indices", "eigenvalues", "Vh"} <= fields
    assert sorted(field for field in fields if not is_allowed(field)) == []


@pytest.mark.parametrize("value", [gradcli.finfo(gradcli.float32), gradcli.iinfo(gradcli.int8)], ids=["finfo", "iinfo"])
def test_limits_of_types_can_be_read(value: object) -> None:
    assert [name for name in vars(value) if not is_allowed(name)] == []


def test_fields_in_a_script() -> None:
    text = """
found = torch.max(tensor([[1., 3.], [5., 2.]]), dim=1)
print(found.indices.tolist(), found.values.tolist(), torch.linalg.svd(tensor([[3., 0.], [0., 4.]])).S.tolist())
print(torch.finfo(torch.float64).eps, torch.iinfo(torch.int8).bits)
with torch.autograd.forward_ad.dual_level():
    print(torch.autograd.forward_ad.unpack_dual(tensor(1.)).primal)
"""
    assert printed(text) == "[1, 0] [3.0, 5.0] [4.0, 3.0]\n2.220446049250313e-16 8\ntensor(1.)\n"
