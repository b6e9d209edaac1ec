"""Every example of every document is run, and gives what is written there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import gradcli
from gradcli.ops.namespaces import namespace
from tests.documents import ROOT, Block, blocks, commands, printed_by, python_output, without_times, wrong_in

DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))


def examples(kind: str, needed: str = "") -> list[Any]:
    return [
        pytest.param(block, id=f"{path.name}:{block.line}")
        for path in DOCUMENTS
        for block in blocks(path)
        if block.kind == kind and needed in block.text
    ]


@pytest.fixture(autouse=True)
def _defaults() -> Any:
    yield
    gradcli.set_default_dtype(gradcli.float64)


@pytest.mark.parametrize("block", examples("gx"))
def test_a_script_holds_what_it_says(block: Block, tmp_path: Path) -> None:
    script = tmp_path / "example.gx"
    script.write_text(block.text, encoding="utf-8")
    assert re.search(r"#>|^\s*assert |^check |raises\(", block.text, re.MULTILINE) or block.file, "it shows nothing"
    assert wrong_in(script) == []


@pytest.mark.parametrize("block", examples("python", "import gradcli"))
def test_a_python_example_prints_what_its_comments_say(block: Block) -> None:
    got, said = python_output(block.text, "example")
    assert got and got == said


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [pytest.param(p, c, o, id=f"{p.name}-{c}") for p in DOCUMENTS for c, o in commands(p) if c.startswith("gradcli ")],
)
def test_a_command_prints_what_the_document_says(path: Path, command: str, output: str, tmp_path: Path) -> None:
    assert without_times(printed_by(command, path, tmp_path)) == without_times(output)


def test_links_between_documents_lead_somewhere() -> None:
    dead = [
        f"{path.name}: {target}"
        for path in [*DOCUMENTS, *ROOT.glob("*.md")]
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]
    assert not dead


def test_what_is_said_to_be_missing_is_missing() -> None:
    text = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8").partition("## What is missing")[2]
    names = re.findall(r"`(torch(?:\.\w+)+)`", text)
    assert "torch.nn.Module" in names
    there = {"torch.nn.functional", "torch.optim"}
    for name in set(names) - there:
        place, _, last = name.rpartition(".")
        assert last not in dir(namespace(place)), f"{name} is there now"
