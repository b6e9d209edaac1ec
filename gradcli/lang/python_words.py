"""Python's own run-time messages in the language's words, with a way out where there is one."""

from __future__ import annotations

import re
from types import FrameType

from gradcli.autograd.errors import Detail
from gradcli.lang import attributes
from gradcli.lang.advice import for_attribute
from gradcli.lang.builtin_functions import safe_builtins
from gradcli.lang.guards import describe_type, kind_words
from gradcli.lang.source import Source, Span
from gradcli.lang.suggest import did_you_mean

Here = tuple[Source, Span] | None
_MISSING = r"(?:<lambda>|[\w.<>]+\.)?([\w<>]*)\(\)"


def translate(error: BaseException, frame: FrameType | None, here: Here) -> Detail:
    """Return code, message and help for an exception of Python's."""
    if isinstance(error, NameError):
        return _name_error(error, frame)
    if isinstance(error, AttributeError):
        return _attribute_error(error)
    if isinstance(error, KeyError):
        return Detail("missing-key", f"the dict has no key {error.args[0]!r}" if error.args else "a key is missing")
    text = str(error)
    for kind, pattern, code, words, help in _TABLE:
        found = re.fullmatch(pattern, text, re.DOTALL) if isinstance(error, kind) else None
        if found:
            parts = [_in_words(part, f"`{{{k}}}`" in words) for k, part in enumerate(found.groups(""))]
            more = _list_help(text, here) if code in ("wrong-operands", "list-arithmetic") else None
            message = words.format(*parts).replace("``", "the function")  # a lambda has no name
            return Detail(code, message, help.format(*parts) if help else more)
    return _by_class(error, text)


def _in_words(part: str, quoted: bool) -> str:
    """Return a piece of Python's message: a type in words, unless it is quoted as the name of a function."""
    if not quoted:
        return kind_words(part) if part in _TYPE_NAMES else part.replace("'", "`")
    ours = safe_builtins().get(part.removesuffix("_"))  # `list_` is what a script calls `list`
    return part.removesuffix("_") if getattr(ours, "__name__", None) == part else part.replace("'", "`")


def _by_class(error: BaseException, text: str) -> Detail:
    for kind, code, message, help in _CLASSES:
        if isinstance(error, kind):
            size = re.search(r"allocate (.+?) for an array with shape (\(.*?\))", text)
            more = f": {size[1]} are needed for the shape {size[2]}" if size and kind is MemoryError else ""
            return Detail(code, message + more, help)
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower().removesuffix("-error")
    return Detail(name, text or f"the script failed ({name})")


def _name_error(error: NameError, frame: FrameType | None) -> Detail:
    name = error.name or next(iter(re.findall(r"'(\w+)'", str(error))), "?")
    local = frame is not None and name in frame.f_code.co_varnames
    message = f"`{name}` has no value yet"
    if local:
        help = f"the function assigns `{name}`, so it is the function's own; `global {name}` would mean the script's"
        return Detail("no-value-yet", message, help)
    return Detail("no-value-yet", message, "it is assigned further down, or was deleted")


def _attribute_error(error: AttributeError) -> Detail:
    name, owner = error.name or "?", error.obj
    space = getattr(type(owner), "__name__", "")
    if space == "Namespace":
        shown = repr(owner).removeprefix("<namespace ").removesuffix(">")
        return Detail("unknown-attribute", f"`{shown}` has no `{name}`", did_you_mean(name, dir(owner)))
    if owner is None:
        return Detail("none-value", f"this is None, so it has no `{name}`", _NONE_HELP)
    known = [word for word in dir(owner) if attributes.is_allowed(word)]
    return Detail("unknown-attribute", f"{describe_type(owner)} has no `{name}`", for_attribute(name, known))


def _list_help(text: str, here: Here) -> str | None:
    """A list in arithmetic was meant as a tensor: show how to make it one."""
    if "'list'" not in text and "list" not in text:
        return None
    shown = here[0].slice(here[1]) if here else ""
    literal = re.search(r"\[[^\[\]]*\]", shown)
    if literal and len(shown) <= 60 and (literal.start() == 0 or not re.match(r"[\w)\]]", shown[literal.start() - 1])):
        return f"a list is not a tensor: write {shown[: literal.start()]}tensor({literal[0]}){shown[literal.end() :]}"
    return "a list is not a tensor: tensor(...) makes one of it"


_NONE_HELP = "a function without `return`, and `backward()`, give None; so does `.grad` before a backward pass"
_TYPE_NAMES = {
    *("int", "float", "complex", "bool", "str", "list", "tuple", "dict", "set", "range", "NoneType", "Tensor", "Size"),
    *("function", "builtin_function_or_method", "method", "generator", "ellipsis", "slice", "type", "Namespace"),
    *("zip", "map", "filter", "enumerate"),
}
_Q = r"'([\w.]+)'"
_TABLE: tuple[tuple[type[BaseException], str, str, str, str | None], ...] = (
    (
        TypeError,
        rf"unsupported operand type\(s\) for (.+?): {_Q} and {_Q}",
        "wrong-operands",
        "`{0}` can't combine {1} and {2}",
        None,
    ),
    (
        TypeError,
        rf"'(.+?)' not supported between instances of {_Q} and {_Q}",
        "wrong-operands",
        "`{0}` can't compare {1} and {2}",
        None,
    ),
    (TypeError, rf"bad operand type for unary (.): {_Q}", "wrong-operands", "`{0}` can't be applied to {1}", None),
    (TypeError, r"bad operand type for abs\(\): '([\w.]+)'", "wrong-operands", "abs can't be applied to {0}", None),
    (
        TypeError,
        r"can only concatenate (\w+) \(not \"(\w+)\"\) to \w+",
        "wrong-operands",
        "`+` can't join {0} and {1}",
        None,
    ),
    (
        TypeError,
        r"can't multiply sequence by non-int of type '(\w+)'",
        "list-arithmetic",
        "a list can't be multiplied by {0}",
        None,
    ),
    (
        TypeError,
        r"'NoneType' object is not (?:subscriptable|iterable|callable)",
        "none-value",
        "this is None, not a value",
        _NONE_HELP,
    ),
    (
        TypeError,
        r"cannot unpack non-iterable NoneType object",
        "none-value",
        "this is None, which can't be unpacked",
        _NONE_HELP,
    ),
    (TypeError, rf"{_Q} object is not subscriptable", "not-indexable", "{0} can't be indexed", None),
    (
        TypeError,
        rf"{_Q} object is not callable",
        "not-a-function",
        "{0} is not a function",
        "an operator may be missing before the bracket",
    ),
    (
        TypeError,
        rf"{_Q} object is not iterable",
        "not-iterable",
        "{0} can't be looped over or unpacked",
        "range(n) counts up to n",
    ),
    (TypeError, r"cannot unpack non-iterable (\w+) object", "not-iterable", "{0} can't be unpacked", None),
    (TypeError, rf"argument of type {_Q} is not iterable", "not-iterable", "`in` can't search {0}", None),
    (
        TypeError,
        rf"{_Q} object does not support item (?:assignment|deletion)",
        "read-only",
        "parts of {0} can't be changed",
        None,
    ),
    (TypeError, rf"object of type {_Q} has no len\(\)", "no-length", "{0} has no length", None),
    (TypeError, rf"unhashable type: {_Q}", "not-a-key", "{0} can't be the key of a dict", "a tuple can"),
    (
        TypeError,
        r"(\w+) indices must be integers(?: or slices)?,? ?(?:not '?([\w.]+)'?)?.*",
        "wrong-index",
        "the index of {0} must be a whole number, not {1}",
        None,
    ),
    (
        TypeError,
        rf"{_Q} object does not support the context manager protocol.*",
        "not-a-context",
        "{0} can't be used with `with`",
        "no_grad(), enable_grad() and set_grad_enabled(b) can",
    ),
    (
        TypeError,
        rf"{_MISSING} missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
        "missing-argument",
        "`{0}` is called without its argument {1}",
        None,
    ),
    (
        TypeError,
        rf"{_MISSING} takes (?:from )?(.+?) positional arguments? but (\d+) (?:was|were) given",
        "too-many-arguments",
        "`{0}` takes {1} arguments, but {2} are given",
        None,
    ),
    (
        TypeError,
        r"([\w.]+?)(?:\(\))? (?:takes|expected|requires) (?:exactly )?(?!no\b)([\w ]+?) arguments?",
        "wrong-arguments",
        "`{0}` takes {1} arguments",
        None,
    ),
    (
        TypeError,
        r"([\w.]+?)(?:\(\))? (?:takes|expected) (?:exactly )?([\w ]+?) arguments?,? \(?(?:got )?(\d+)(?: given\))?",
        "wrong-arguments",
        "`{0}` takes {1} arguments, but {2} are given",
        None,
    ),
    (
        TypeError,
        r"Value after \* must be an iterable, not (\w+)",
        "not-iterable",
        "{0} can't be spread with `*`",
        None,
    ),
    (TypeError, r"type '\w+' is not subscriptable", "not-indexable", "a type can't be indexed", None),
    (
        TypeError,
        rf"{_MISSING} takes no (?:keyword )?arguments.*",
        "too-many-arguments",
        "`{0}` takes no such arguments",
        None,
    ),
    (
        TypeError,
        rf"{_MISSING} got an unexpected keyword argument '(\w+)'.*",
        "unknown-argument",
        "`{0}` has no argument `{1}`",
        None,
    ),
    (
        TypeError,
        r"'(\w+)' is an invalid keyword argument for (\w+)\(\)",
        "unknown-argument",
        "`{1}` has no argument `{0}`",
        None,
    ),
    (
        TypeError,
        rf"{_MISSING} got multiple values for (?:keyword )?argument '(\w+)'",
        "repeated-argument",
        "`{0}` is given `{1}` twice",
        None,
    ),
    (
        TypeError,
        rf"{_MISSING} argument after \*\*? must be .*, not (\w+)",
        "not-iterable",
        "{1} can't be spread into arguments",
        None,
    ),
    (TypeError, r"(\w+)\(\) argument must be .*?, not '?(\w+)'?", "wrong-argument", "{0} can't be made of {1}", None),
    (
        TypeError,
        rf"{_Q} object cannot be interpreted as an integer",
        "wrong-argument",
        "a whole number is needed, not {0}",
        None,
    ),
    (
        TypeError,
        r"must be real number, not (\w+)",
        "wrong-argument",
        "a number is needed, not {0}",
        "math's functions take numbers, torch's take tensors",
    ),
    (TypeError, r"'(\w+)' object is not reversible", "not-iterable", "{0} can't be reversed", None),
    (
        ValueError,
        r"too many values to unpack \(expected (\d+)\)",
        "unpacking",
        "there are more values than the {0} names on the left",
        None,
    ),
    (
        ValueError,
        r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
        "unpacking",
        "{0} names on the left, but {1} values",
        None,
    ),
    (ValueError, r"could not convert string to float: (.*)", "not-a-number", "{0} is not a number", None),
    (ValueError, r"invalid literal for int\(\) with base \d+: (.*)", "not-a-number", "{0} is not a whole number", None),
    (ValueError, r"complex\(\) arg is a malformed string", "not-a-number", "this text is not a complex number", None),
    (
        ValueError,
        r"math domain error|expected a (?:positive|nonnegative) input.*|.*(?:must be|defined for) (?:a )?non-?neg.*",
        "outside-domain",
        "the function has no value for this number",
        "torch's function gives nan or an infinity instead",
    ),
    (ValueError, r"Exceeds the limit .*", "number-too-large", "this whole number has too many digits to print", None),
    (
        ValueError,
        r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)",
        "empty",
        "{0} of nothing has no value",
        None,
    ),
    (
        ValueError,
        r"list\.(?:remove|index)\(x\): x not in list|(.*) is not in (?:list|tuple)",
        "missing-value",
        "the list has no such value",
        None,
    ),
    (
        ValueError,
        r"range\(\) arg 3 must not be zero|slice step cannot be zero",
        "zero-step",
        "a step of 0 leads nowhere",
        None,
    ),
    (
        ValueError,
        r"Invalid format specifier.*|Unknown format code.*|Format specifier missing.*",
        "bad-format",
        "the format after `:` means nothing for this value",
        "such as {{x:.3f}} or {{n:5d}}",
    ),
    (
        TypeError,
        r"unsupported format string passed to (\w+)\.__format__",
        "bad-format",
        "the format after `:` means nothing for {0}",
        None,
    ),
    (IndexError, r"pop from empty list", "empty", "the list is empty", None),
    (
        IndexError,
        r"(\w+)(?: assignment)? index out of range",
        "index-out-of-range",
        "the index lies beyond the ends of {0}",
        None,
    ),
    (
        OverflowError,
        r"math range error|\(34, .*\)",
        "number-too-large",
        "the result is too large for a number",
        "tensors give inf instead",
    ),
    (
        OverflowError,
        r"int too large to convert to float.*|integer division result too large.*",
        "number-too-large",
        "this whole number is too large for a float",
        None,
    ),
    (
        RuntimeError,
        r"dictionary changed size during iteration",
        "changed-while-looping",
        "the dict was changed while a loop went through it",
        "loop over list(d)",
    ),
)
_CLASSES: tuple[tuple[type[BaseException], str, str, str | None], ...] = (
    (ZeroDivisionError, "division-by-zero", "division by zero", "tensors give inf or nan instead"),
    (
        RecursionError,
        "endless-recursion",
        "recursion without end: functions call each other too deeply",
        "a recursive function needs a case that doesn't call it",
    ),
    (MemoryError, "out-of-memory", "there is not enough memory for this", None),
    (OverflowError, "number-too-large", "the number is too large", None),
    (TimeoutError, "timeout", "the script ran too long", None),
)
