"""help(torch.sin) says what the row of sin says, under every name, and only for names that were used."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import gradcli
from gradcli.ops import registry
from gradcli.ops.namespaces import namespace, namespace_names
from gradcli.ops.registry import find, rows
from gradcli.ops.row import Row, documented, op
from tests.ops.drawing import sample_id

ALL = list(rows())


@pytest.mark.parametrize("row", ALL, ids=sample_id)
def test_the_docstring_is_the_text_of_the_row(row: Row) -> None:
    text = inspect.getdoc(documented(row)) or ""
    flat = " ".join(text.split())
    for part in (row.doc, row.signature, row.conventions, *row.examples):
        assert " ".join(part.split()) in flat
    assert ("Derivative: " in text) == row.differentiable
    assert text.count(f"\n\n    {row.signature}\n") == 1, "the text is added once"


def test_every_name_below_torch_has_a_docstring() -> None:
    silent = [
        f"{place}.{name}"
        for place in sorted(namespace_names())
        for name in dir(namespace(place))
        if callable(getattr(namespace(place), name)) and not inspect.getdoc(getattr(namespace(place), name))
    ]
    assert not silent


def test_methods_of_tensors_have_docstrings() -> None:
    one = gradcli.tensor([[1j]])
    assert all(hasattr(one, name) for name in registry.method_names())
    assert [name for name in registry.method_names() if not inspect.getdoc(getattr(type(one), name))] == []


def test_what_a_function_says_of_itself_stays() -> None:
    text = gradcli.linalg.lstsq.__doc__
    row = find("linalg.lstsq")
    assert row is not None and text.startswith(row.doc.strip())
    assert "LinAlgError for nan" in text and f"    {row.signature}\n" in text


def test_the_text_is_made_at_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradcli.ops.row.ROWS", {})
    monkeypatch.setattr("gradcli.ops.row.NAMES", {})

    @op("torch.nothing", "nothing(input)", doc="The same.", examples=("nothing(1)  #> 1",))
    def nothing(input: Any) -> Any:
        return input

    assert nothing.__doc__ is None
    from gradcli.ops.row import ROWS

    documented(ROWS["torch.nothing"])
    assert nothing.__doc__ == (
        "The same.\n\n    nothing(input)\n\nNot differentiable\n\nExamples::\n\n    nothing(1)  #> 1\n"
    )
