"""What a token without a place in the grammar means, in a person's words: what was expected, and what may be meant."""

from __future__ import annotations

from collections.abc import Callable

from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.lexer import Token
from gradcli.lang.mistake import Mistake, short, wanted
from gradcli.lang.source import Source
from gradcli.lang.tables import Tables

_HEADERS = ("if", "elif", "else", "while", "for", "with", "def", "check")
_ABSENT = {
    "try": "gx has no exceptions to catch: a script stops at its first error",
    "except": "gx has no exceptions to catch: a script stops at its first error",
    "raise": 'gx has no exceptions: use `assert condition, "message"`',
    "yield": "gx has no generators of its own: return a list",
    "async": "gx has no coroutines",
    "await": "gx has no coroutines",
    "match": "use if/elif",
    "let": "names need no `let`: write `x = ...`",
    "var": "names need no `var`: write `x = ...`",
    "function": "a function is written `def f(x):`",
}
_OPERATORS_ONLY = {
    "*",
    "/",
    "//",
    "%",
    "@",
    "**",
    "^",
    "&",
    "|",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    ",",
    "+",
    "-",
    "~",
    ".",
    "=",
}


def unexpected(source: Source, tables: Tables, tokens: list[Token], index: int, states: list[int]) -> GxError:
    """Return the error for ``tokens[index]``, which the grammar can't use in the state that ``states`` ends with."""
    mistake = Mistake(source, tables, tokens, index, states)
    for rule in _RULES:
        error = rule(mistake)
        if error is not None:
            return error
    shown = _shown(mistake)
    return mistake.error("unexpected", f"{shown} has no place here", label=wanted(mistake))


def _indentation(m: Mistake) -> GxError | None:
    layout = m.is_layout(m.token)
    if layout == "_INDENT":
        return m.error(
            "unexpected-indent",
            "this line is indented, but no block begins above it",
            help="a block begins after a line that ends with `:`",
        )
    if m.tables.ids["_INDENT"] in m.expected:
        line = m.source.place(m.before.start)[0] if m.before else 1
        return m.error(
            "missing-block",
            f"line {line} begins a block, so the next line must be indented",
            help="a block that does nothing is written `pass`",
        )
    return None


def _absent_word(m: Mistake) -> GxError | None:
    line = m.line_tokens()
    for token in (*line[:1], m.token):
        if token.text in _ABSENT and token.kind == m.tables.ids["NAME"] and (token is m.token or len(line) == 1):
            return m.error("no-such-statement", f"gx has no `{token.text}`", at=token, help=_ABSENT[token.text])
    if line and len(line) == 1 and line[0].text == "print" and m.is_value_start(m.token):
        return m.error("print-brackets", "`print` is a function: its values go into brackets", help="write print(...)")
    return None


def _class_without_base(m: Mistake) -> GxError | None:
    line = m.line_tokens()
    if len(line) == 2 and line[0].text == "class" and m.token.text == ":":
        return m.error(
            "class-base",
            "a class names what it builds on, in brackets",
            help=f"class {line[1].text}(torch.autograd.Function): is a custom rule",
        )
    return None


def _no_block_before(m: Mistake) -> GxError | None:
    if m.token.text in ("else", "elif") and not m.line_tokens():
        owners = "`if`, `for` or `while`" if m.token.text == "else" else "`if`"
        message = f"`{m.token.text}` has no {owners} block above it"
        return m.error("stray-else", message, help="it must be indented like the line that begins that block")
    return None


def _no_sets(m: Mistake) -> GxError | None:
    if m.token.text in (",", "}") and m.expects(":") and any(token.text == "{" for token in m.line_tokens()):
        return m.error(
            "missing-colon",
            "the value of this key is missing",
            label="`:` is expected",
            help="a dict is written {key: value}, a set set([1, 2])",
        )
    return None


def _reserved(m: Mistake) -> GxError | None:
    """A word of the language where a name belongs: ``for = 3``, ``def in(x)``, ``x.is``."""
    before, token = m.before, m.token
    if before is not None and before.text in m.words and token.text == "=" and len(m.line_tokens()) == 1:
        return m.error(
            "reserved-word",
            f"`{before.text}` is a word of the language and can't be a name",
            at=before,
            help=f"choose another name, such as `{before.text}_`",
        )
    wants_name = m.expects_name() and (
        before is None or before.text in (".", "def", ",", "(", "as", "import", "leaf", "input")
    )
    if token.text in m.words and wants_name and not m.expects(token.text):
        return m.error("reserved-word", f"`{token.text}` is a word of the language and can't be a name")
    return None


def _for_without_in(m: Mistake) -> GxError | None:
    line = m.line_tokens()
    if line and line[0].text == "for" and m.expects("in") and m.token.text in ("=", "of", "from", ":"):
        return m.error("missing-in", "a `for` line needs `in`", help="write for i in range(n):")
    return None


def _equals(m: Mistake) -> GxError | None:
    token, before = m.token, m.before
    if token.text == "=" and before is not None and before.text in ("=", "==", "!", "<", ">"):
        help = "to assign, write one `=`; to compare, `==` without a blank"
        if before.text in ("!", "<", ">"):
            help = f"write `{before.text}=` without a blank"
        return m.error("doubled-sign", f"`{before.text} =` is no operator", help=help)
    if token.text == "=" and not m.expects("="):
        return m.error(
            "assignment-in-expression",
            "`=` assigns, and there is nothing to assign to here",
            help="to compare, write `==`",
        )
    if token.text == "==" and before is not None and before.text in ("=", "=="):
        return m.error("doubled-sign", "one sign too many", help="to compare, write `==`; to assign, `=`")
    return None


def _misplaced_colon(m: Mistake) -> GxError | None:
    """``:=``, and a ``check`` without a title."""
    if m.token.text != ":":
        return None
    if m.after is not None and m.after.text == "=" and m.after.start == m.token.end:
        return m.error("no-such-operator", "gx has no `:=`", help="assign on a line of its own")
    if [token.text for token in m.line_tokens()] == ["check"]:
        return m.error("missing-value", "a check needs a title", help='write check "what must hold":')
    return None


def _colon(m: Mistake) -> GxError | None:
    line = m.line_tokens()
    if m.token.text == ":" or not line or not m.expects(":") or line[0].text not in _HEADERS:
        return None
    if not m.is_layout(m.token):
        return None
    end, message = line[-1].end, f"the `{line[0].text}` line must end with `:`"
    return syntax_error(m.source, end, end + 1, "missing-colon", message, label="`:` is missing here")


def _cut_off(m: Mistake) -> GxError | None:
    """The line ends where something must follow."""
    if m.is_layout(m.token) not in ("_NEWLINE", "$END", "_DEDENT") or m.before is None:
        return None
    before = m.before
    missing = wanted(m)
    # the end of an f-string's braces has no text either, but a sign of its own
    whole = "expression" if m.source.text[m.token.start : m.token.start + 1] in ("}", "!", ":") else "line"
    if before.text in _OPERATORS_ONLY or before.text in m.words:
        return m.error(
            "incomplete",
            f"the {whole} ends after `{before.text}`",
            at=before,
            label=f"{missing or 'a value is expected'} after this",
        )
    return syntax_error(
        m.source, before.end, before.end + 1, "incomplete", f"the {whole} ends too early", label=missing
    )


def _doubled_operator(m: Mistake) -> GxError | None:
    before, token = m.before, m.token
    if before is None or before.text != token.text or before.end != token.start:
        return None
    help = {"&": "write `and`", "|": "write `or`"}.get(token.text)
    return m.error("no-such-operator", f"`{token.text * 2}` is no operator", help=help) if help else None


def _neighbours(m: Mistake) -> GxError | None:
    """Two values side by side."""
    before, token = m.before, m.token
    if before is None or not m.is_value_end(before) or not m.is_value_start(token):
        return None
    left, right = before.text, token.text
    if before.kind == m.tables.ids["NUMBER"] and before.end == token.start:
        return m.error(
            "missing-operator",
            f"`{left}{right}` is neither a number nor a name",
            help=f"did you mean {left} * {right}?",
        )
    if token.kind == m.tables.ids["STRING"] and before.end == token.start:
        return m.error(
            "string-prefix",
            f"a string can't begin with `{left}`",
            at=before,
            help="f, r and u are the letters before a string",
        )
    shown = f"`{short(left)}` and `{short(right)}`"
    help = f"did you mean {left} * {right}?" if before.kind == m.tables.ids["NUMBER"] and right.isidentifier() else None
    message = f"an operator or a comma is missing between {shown}"
    return m.error("missing-operator", message, label=_inside(m), help=help)


def _no_operand(m: Mistake) -> GxError | None:
    """An operator, or a closing bracket, where a value belongs."""
    token = m.token
    if not m.expects_value() or m.is_layout(token):
        return None
    place = f"after `{m.before.text}`" if m.before is not None and m.before.text else "here"
    if token.text == ";" and m.before is not None:
        return m.error(
            "unexpected", "`;` ends a statement, and this one is not complete", label="a value is expected before it"
        )
    return m.error("missing-value", f"a value is expected {place}, not `{short(token.text)}`")


def _semicolon(m: Mistake) -> GxError | None:
    if m.token.text == ";":
        return m.error("unexpected", "`;` separates statements, not values", help="separate values with `,`")
    return None


def _increment(m: Mistake) -> GxError | None:
    sign, first = m.before, m.tokens[m.index - 2] if m.index > 1 else None
    if sign is None or first is None or sign.text not in ("+", "-") or first.text != sign.text:
        return None
    if not m.is_layout(m.token) or sign.start != first.end:
        return None
    return m.error("no-such-operator", f"gx has no `{sign.text * 2}`", at=first, help=f"write `{sign.text}= 1`")


_RULES: tuple[Callable[[Mistake], GxError | None], ...] = (
    _indentation,
    _absent_word,
    _class_without_base,
    _no_block_before,
    _no_sets,
    _reserved,
    _for_without_in,
    _equals,
    _misplaced_colon,
    _colon,
    _doubled_operator,
    _increment,
    _cut_off,
    _neighbours,
    _semicolon,
    _no_operand,
)


def _inside(m: Mistake) -> str:
    return wanted(m) if len(m.expected) < 12 else ""


def _shown(m: Mistake) -> str:
    layout = m.is_layout(m.token)
    if layout == "$END":
        return "the end of the script"
    if layout is not None:
        return "the end of the line"
    return f"`{short(m.token.text)}`"
