"""Each report against the rules of its format, and against names and messages made to break it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradcli.checks.report import FORMATS, Ending, Words, make_report
from gradcli.checks.report.characters import legible
from gradcli.checks.results import CheckResult, CheckSettings, FileResult, Kind, Totals
from gradcli.cli.render.checks import TextReport
from gradcli.cli.render.diagnostic import render
from gradcli.cli.render.error_object import diagnostic_error
from gradcli.cli.terminal import PLAIN
from tests.checks.helpers import failure, result_of

WORDS = Words(lambda diagnostic: render(diagnostic, PLAIN), diagnostic_error)
NASTY = "a,b:c%d\n]]> <&> \"q\" 'r' # \\ \x00\x07\x1b[31m\x7f\x85\ufffe\udc80 é 梯度 𝛁 ::error::"


def report(format: str, *results: FileResult, stopped: str = "") -> str:
    pieces: list[str] = []
    made = TextReport(pieces.append, WORDS, PLAIN) if format == "text" else make_report(format, pieces.append, WORDS)
    totals = Totals()
    made.begin()
    for result in results:
        totals.add(result)
        made.file(result)
    made.end(Ending(totals, 1.5, CheckSettings(), stopped))
    return "".join(pieces)


def nasty() -> FileResult:
    diagnostic = failure(NASTY, message=NASTY)
    diagnostic.notes.append(NASTY)
    check = CheckResult(f"{NASTY}::{NASTY}", NASTY, NASTY, "check", "failed", 2, 0.1, diagnostic)
    return FileResult(NASTY, [check], 0.2, NASTY, [failure(NASTY, message=NASTY)])


IDS: list[tuple[str, Kind]] = [("s.gx::", "check"), ("s.gx", "file")]
MIXED = [result_of("passed", "failed", "error", "skipped"), result_of(), result_of("passed", file="sub/t.gx")]


# -- text -------------------------------------------------------------------------------------------------------------
def test_text_says_what_is_wrong_after_all_marks() -> None:
    bad = result_of("passed", "failed", "skipped", stdout="".join(f"line {n}\n" for n in range(30)))
    bad.seed = 0
    bad.checks[2].outcome = "skipped"
    text = report("text", bad, result_of(), result_of("passed", file="t.gx"), stopped="stopped after 1 failure")
    shown = "".join(f"  line {n}\n" for n in range(10, 30))
    assert text == (
        "s.gx .Fs\n"
        "t.gx .\n"
        "\n"
        "FAILED s.gx::c1\n"
        "error[assertion-failed]: x is not 2\n"
        "  --> s.gx:2:8\n"
        "   |\n"
        " 2 | assert x == 2\n"
        "   |        ^^^^^^ this is not so\n"
        "   |\n"
        "   = x is 1\n"
        "printed:\n"
        "  (10 lines before these)\n"
        f"{shown}"
        "\n"
        "random numbers of s.gx: --manual-seed 0 gives them again\n"
        "\n"
        "stopped after 1 failure\n"
        "2 passed, 1 failed, 1 skipped in 1.50s\n"
    )


def test_text_of_what_passes_is_short() -> None:
    assert report("text", result_of("passed", "passed")) == "s.gx ..\n2 passed in 1.50s\n"
    assert report("text") == "no checks in 1.50s\n"


def test_text_shows_what_looked_wrong_though_it_passed() -> None:
    result = result_of("passed")
    result.warnings = [failure(message=f"number {n}") for n in range(12)]
    text = report("text", result)
    assert text.startswith("s.gx .\n\nwarning[assertion-failed]: number 0\n  --> s.gx:2:8\n")
    assert "number 9" in text and "number 10" not in text
    assert text.endswith("\n\n(2 more warnings; --format json has them all)\n\n1 passed in 1.50s\n")


@pytest.mark.parametrize(
    ("outcomes", "deselected", "updated", "line"),
    [
        (["passed"] * 12 + ["failed", "error"], 0, 0, "12 passed, 1 failed, 1 error in 1.50s"),
        (["error", "error"], 3, 0, "2 error, 3 deselected in 1.50s"),
        (["passed", "skipped"], 0, 2, "1 passed, 1 skipped, 2 updated in 1.50s"),
    ],
)
def test_the_summary_parses(outcomes: list[str], deselected: int, updated: int, line: str) -> None:
    result = result_of(*outcomes)
    result.deselected, result.updated = deselected, updated
    last = report("text", result).splitlines()[-1]
    assert last == line
    assert re.fullmatch(r"(\d+ [a-z]+(, )?)+ in \d+\.\d\ds", last)


# -- JSON -------------------------------------------------------------------------------------------------------------
def strict(text: str) -> Any:
    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text.encode("utf-8", "backslashreplace"), parse_constant=refuse)


def test_json_is_one_object() -> None:
    text = report("json", *MIXED)
    whole = strict(text)
    assert text.count("\n") == 1
    assert list(whole) == ["schema", "ok", "stopped", "summary", "duration", "manual_seed", "dtype", "files", "error"]
    assert (whole["schema"], whole["ok"]) == ("gradcli.check/1", False)
    assert whole["summary"] == {
        "passed": 2,
        "failed": 1,
        "error": 1,
        "skipped": 1,
        "deselected": 0,
        "updated": 0,
        "files": 3,
    }
    first = whole["files"][0]["checks"][1]
    assert {key: first[key] for key in ("id", "title", "kind", "outcome", "line", "duration")} == {
        "id": "s.gx::c1",
        "title": "c1",
        "kind": "check",
        "outcome": "failed",
        "line": 2,
        "duration": 0.25,
    }
    assert (first["error"]["code"], first["error"]["line"], first["error"]["column"]) == ("assertion-failed", 2, 8)
    assert whole["files"][2]["checks"][0]["error"] is None


def test_json_keeps_every_character() -> None:
    check = strict(report("json", nasty()))["files"][0]["checks"][0]
    assert check["title"] == NASTY.replace("\udc80", "\ufffd")  # half of a pair is no character
    assert check["error"]["message"].startswith("a,b:c%d\n]]> <&>")


# -- GitHub -----------------------------------------------------------------------------------------------------------
def unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def annotations(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Read annotations as the runner of GitHub Actions does."""
    found = []
    for line in text.removesuffix("\n").split("\n"):
        kind, fields, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
        pairs = dict(pair.split("=", 1) for pair in fields.split(","))
        found.append((kind, {name: unescaped(value) for name, value in pairs.items()}, unescaped(message)))
    return found


def test_github_annotates_the_line() -> None:
    error, failed, note = annotations(report("github", *MIXED))
    assert failed[1] == {"file": "s.gx", "line": "2", "endLine": "2", "col": "8", "endColumn": "13", "title": "c1"}
    assert failed[2] == render(failure(), PLAIN).rstrip()
    assert error[1]["title"] == "c2"
    assert note == ("notice", {"title": "gradcli check"}, "2 passed, 1 failed, 1 error, 1 skipped in 1.50s")


def test_github_survives_any_character() -> None:
    (kind, fields, message), _ = annotations(report("github", nasty()))
    assert (kind, fields["title"], fields["file"]) == ("error", legible(NASTY), NASTY)
    assert "a,b:c%d" in message


def test_github_tells_a_check_without_a_title_from_a_file() -> None:
    results = [CheckResult(id, "s.gx", "", kind, "failed", 2, 0.1, failure()) for id, kind in IDS]
    titles = [fields["title"] for _, fields, _ in annotations(report("github", FileResult("s.gx", results)))[:2]]
    assert titles == ["a check failed", "the file failed"]


def test_github_shows_the_worst_first_and_ten_at_most() -> None:
    result = result_of(*["failed"] * 13)
    for number, check in enumerate(result.checks):
        check.magnitude = float(number)
    result.checks[5].magnitude = float("nan")
    result.checks[7].magnitude = None
    result.checks[9].outcome = "error"
    *shown, rest, _ = annotations(report("github", result))
    assert [fields["title"] for _, fields, _ in shown] == [
        "c9", "c5", "c12", "c11", "c10", "c8", "c6", "c4", "c3", "c2",
    ]  # fmt: skip
    assert rest[2] == "3 more failed; the log of this step has them all"


# -- TAP --------------------------------------------------------------------------------------------------------------
TAP_LINE = re.compile(r"(ok|not ok) (\d+) - ((?:[^#\\]|\\.)*)( # SKIP .*)?")


def test_tap_follows_version_14() -> None:
    lines = report("tap", *MIXED).splitlines()
    assert lines[0] == "TAP version 14"
    points = [found.groups() for line in lines if (found := TAP_LINE.fullmatch(line))]
    assert [(status, number) for status, number, _, _ in points] == [
        ("ok", "1"),
        ("not ok", "2"),
        ("not ok", "3"),
        ("ok", "4"),
        ("ok", "5"),
    ]
    assert points[3][3] == " # SKIP the run did not come to it" and points[4][2] == "sub/t.gx::c0"
    assert lines[-2:] == ["1..5", "# 2 passed, 1 failed, 1 error, 1 skipped in 1.50s"]
    block = lines[3 : lines.index("  ...") + 1]
    assert block[0] == "  ---" and all(line.startswith("  ") or not line for line in block)
    assert '  message: "x is not 2"' in block and "  detail: |-2" in block and "     2 | assert x == 2" in block


def test_tap_survives_any_character() -> None:
    text = report("tap", nasty())
    (point,) = [line for line in text.split("\n") if TAP_LINE.fullmatch(line)]
    assert "\\#" in point and "\\\\" in point
    assert all(line.startswith(("  ", "TAP", "not ok", "1..", "# ")) for line in text.rstrip("\n").split("\n"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]", text)


def test_tap_bails_out_when_it_was_stopped() -> None:
    assert "Bail out! interrupted\n" in report("tap", result_of("failed"), stopped="interrupted")


# -- JUnit ------------------------------------------------------------------------------------------------------------
# the common schema (that of Ant's task): for each element what attributes must and may be there, and its children
DECIMAL, WHOLE, ANY = r"\d+(\.\d+)?", r"\d+", r"(?s:.*)"
SCHEMA: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "testsuites": ({}, {}, r"(testsuite )*"),
    "testsuite": (
        {
            "name": r"(?s:.+)",
            "package": ANY,
            "id": WHOLE,
            "tests": WHOLE,
            "failures": WHOLE,
            "errors": WHOLE,
            "time": DECIMAL,
            "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d",
            "hostname": r".+",
        },
        {"skipped": WHOLE},
        r"properties (testcase )*system-out system-err ",
    ),
    "properties": ({}, {}, r"(property )*"),
    "property": ({"name": r".+", "value": ANY}, {}, ""),
    "testcase": ({"name": ANY, "classname": ANY, "time": DECIMAL}, {}, r"((skipped|error|failure) )?"),
    "failure": ({"type": ANY}, {"message": ANY}, ""),
    "error": ({"type": ANY}, {"message": ANY}, ""),
    "skipped": ({}, {"message": ANY, "type": ANY}, ""),
    "system-out": ({}, {}, ""),
    "system-err": ({}, {}, ""),
}


def valid(text: str) -> ET.Element:
    root = ET.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    for element in root.iter():
        required, optional, children = SCHEMA[element.tag]
        assert set(required) <= set(element.attrib) <= set(required) | set(optional)
        for name, value in element.attrib.items():
            assert re.fullmatch({**required, **optional}[name], value), (name, value)
        assert re.fullmatch(children, "".join(f"{child.tag} " for child in element))
        assert not len(element) or not (element.text or "").strip()
    return root


def test_junit_is_valid_and_counts() -> None:
    seeded = result_of("failed", file="u.gx", stdout="said\n")
    seeded.seed = 7
    root = valid(report("junit", *MIXED, seeded))
    suites = list(root)
    assert [suite.attrib["name"] for suite in suites] == ["s.gx", "sub/t.gx", "u.gx"]
    assert [suites[0].attrib[key] for key in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert [child.tag for case in suites[0].iter("testcase") for child in case] == ["failure", "error", "skipped"]
    assert suites[1][1].attrib["classname"] == "sub.t"
    assert suites[2][0][0].attrib == {"name": "manual_seed", "value": "7"}
    assert suites[2].findtext("system-out") == "said\n"
    assert suites[2][1][0].text == render(failure("u.gx"), PLAIN)


def test_junit_survives_any_character() -> None:
    root = valid(report("junit", nasty()))
    message = root[0][1][0].attrib["message"]
    assert message.startswith("a,b:c%d ]]> <&> \"q\" 'r' # \\ ␀␇␛[31m<U+007F>")
    assert message.endswith("<U+FFFE><U+DC80> é 梯度 𝛁 ::error::")
    assert root[0].attrib["name"].startswith("a,b:c%d\n]]> <&>")


@given(st.text(st.characters(codec=None), max_size=30))
def test_junit_is_legal_xml_whatever_is_said(text: str) -> None:
    result = result_of("failed", message=text or "x", stdout=text, file=text or "f")
    result.checks[0].title = text
    valid(report("junit", result))


# -- SARIF ------------------------------------------------------------------------------------------------------------
def test_sarif_has_the_place_of_each_failure() -> None:
    whole = strict(report("sarif", *MIXED))
    assert whole["version"] == "2.1.0" and whole["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = whole["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["assertion-failed"]
    assert len(run["results"]) == 2
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("assertion-failed", 0, "error")
    assert first["message"]["text"] == "x is not 2\nx is 1"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "s.gx"}
    assert place["region"] == {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 14}
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_escapes_names_and_keeps_messages() -> None:
    whole = strict(report("sarif", nasty()))
    (result,) = whole["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri) and "%25d%0A" in uri
    assert "梯度" in result["message"]["text"]


# -- all --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("format", ["text", *FORMATS])
@given(outcomes=st.lists(st.lists(st.sampled_from(["passed", "failed", "error", "skipped"]), max_size=4), max_size=4))
def test_any_results_make_a_report(format: str, outcomes: list[list[str]]) -> None:
    results = [result_of(*ones, file=f"{number}.gx") for number, ones in enumerate(outcomes)]
    text = report(format, *results)
    checkers: dict[str, Callable[[str], Any]] = {"json": strict, "sarif": strict, "junit": valid, "github": annotations}
    checkers.get(format, str)(text)
    assert text.endswith("\n")
