"""Drawing graphs: shared nodes once, chains folded, nothing recursive."""

from __future__ import annotations

from gradcli.cli.render.tree import draw
from gradcli.cli.terminal import PLAIN, Look
from gradcli.lang.graph_walk import GraphNode
from gradcli.lang.source import Span
from tests.counting import calls

ASCII = Look(color=False, unicode=False, width=80)


def node(number: int, name: str, inputs: tuple[int | None, ...], source: str = "", line: int = 1) -> GraphNode:
    span = Span(line, 1, line, 1 + len(source))
    return GraphNode(number, f"{name}Backward0", name.lower(), [3], span, source or name, "a.gx", None, inputs, 0)


def leaf(number: int, name: str | None) -> GraphNode:
    return GraphNode(number, "AccumulateGrad", "leaf", [3], None, None, None, name, (), 0)


def chain(length: int) -> list[GraphNode]:
    return [*(node(i, "Mul", (i + 1, None), "y * 2", 4) for i in range(length)), leaf(length, "x")]


def test_shared_nodes_are_drawn_once_and_constants_not_at_all() -> None:
    nodes = [node(0, "Add", (1, 3), "x^2 + x*2"), node(1, "Pow", (2, None)), leaf(2, "x"), node(3, "Mul", (2, None))]
    assert draw(nodes, PLAIN) == (
        "AddBackward0 (3,)               x^2 + x*2  line 1\n"
        "├─ PowBackward0 (3,)            Pow  line 1\n"
        "│  └─ AccumulateGrad x (3,) #2\n"
        "└─ MulBackward0 (3,)            Mul  line 1\n"
        "   └─ AccumulateGrad x #2 ↑\n"
    )


def test_ascii_alone_where_the_encoding_has_no_more() -> None:
    nodes = [node(0, "Add", (1, 1), "a\nb" + "c" * 100), node(1, "Pow", (2,)), leaf(2, None)]
    text = draw(nodes, ASCII)
    assert text.isascii()
    assert "`- PowBackward0 (3,) #1" in text


def test_the_rounds_of_a_loop_are_folded() -> None:
    assert draw(chain(10), PLAIN) == (
        "MulBackward0 (3,)               y * 2  line 4\n"
        "└─ ⋮ 8 more like it\n"
        "   └─ MulBackward0 (3,)         y * 2  line 4\n"
        "      └─ AccumulateGrad x (3,)\n"
    )


def test_rounds_of_several_nodes_that_share_a_leaf_are_folded() -> None:
    rounds = 1000
    nodes = []
    for k in range(0, 2 * rounds, 2):
        nodes += [node(k, "Tanh", (k + 1,), "tanh(w @ h)"), node(k + 1, "Mv", (2 * rounds + 1, k + 2), "w @ h")]
    nodes += [leaf(2 * rounds, "h"), leaf(2 * rounds + 1, "w")]
    text = draw(nodes, PLAIN)
    assert "⋮ 1,996 more nodes: 998 more rounds of these 2" in text
    assert text.count("\n") == 8
    assert "AccumulateGrad h (3,)" in text


def test_a_chain_that_repeats_nothing_is_folded_in_its_middle() -> None:
    nodes = [*(node(i, "Mul", (i + 1,), line=i) for i in range(1000)), leaf(1000, "x")]
    text = draw(nodes, PLAIN)
    assert "⋮ 984 more nodes in a chain" in text
    assert text.count("\n") == 18
    assert "line 0\n" in text and "line 999\n" in text


def test_a_short_chain_is_drawn_in_full() -> None:
    assert "⋮" not in draw([*(node(i, "Mul", (i + 1,), line=i) for i in range(20)), leaf(20, "x")], PLAIN)
    assert "⋮" not in draw(chain(2), PLAIN)


def test_a_hundred_thousand_nodes_take_no_stack() -> None:
    assert draw(chain(100_000), PLAIN).count("\n") == 4


def test_work_grows_with_the_graph_and_no_faster() -> None:
    assert calls(draw, chain(8_000), PLAIN) < 4.4 * calls(draw, chain(2_000), PLAIN)


def test_a_wide_graph_ends_somewhere() -> None:
    wide = [node(0, "Stack", tuple(range(1, 10_001))), *(leaf(i, f"x{i}") for i in range(1, 10_001))]
    text = draw(wide, PLAIN)
    assert text.count("\n") == 2001
    assert text.endswith("… the rest of 10,001 nodes is left out\n")


def test_a_deep_graph_without_chains_ends_somewhere() -> None:
    nodes = [node(i, "Mul", (i + 1, i + 1), line=i) for i in range(1000)] + [leaf(1000, "x")]
    ladder = []
    for k in range(0, 2000, 2):  # each rung has two ways down, so nothing is a chain
        ladder += [node(k, "Add", (k + 1, k + 2)), node(k + 1, "Mul", (k + 2,))]
    ladder.append(leaf(2000, "x"))
    for graph in (nodes, ladder):
        assert draw(graph, PLAIN).count("\n") < 2003


def test_no_graph_draws_nothing() -> None:
    assert draw([], PLAIN) == ""
