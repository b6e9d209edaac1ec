"""Errors of the engine: builtin exception classes that carry a structured detail.

A user's habits (``except RuntimeError``) keep working because the class is the one PyTorch raises; what the
command line needs to draw a diagnostic travels in ``exception.detail``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


class LinAlgError(RuntimeError):
    """A matrix that has no inverse, factor or solution; the name is the one PyTorch's class has."""


class GradcheckError(RuntimeError):
    """A gradient that differs from its numerical estimate, as PyTorch's ``GradcheckError``."""


@dataclass(slots=True)
class Detail:
    """What a diagnostic says beyond the message.

    ``code`` is the kebab-case identity of the mistake, ``label`` the words under the carets, ``hint`` the way out,
    ``notes`` further facts, ``nodes`` graph nodes whose script expression should be shown too, each with its words;
    ``about`` the tensor, or the storage, whose name in the script should be told.
    """

    code: str
    message: str
    hint: str | None = None
    label: str | None = None
    notes: list[str] = field(default_factory=list)
    nodes: list[tuple[Any, str]] = field(default_factory=list)
    about: Any = None


def error(
    cls: type[Exception],
    code: str,
    message: str,
    *,
    hint: str | None = None,
    label: str | None = None,
    notes: Iterable[str] = (),
    nodes: Iterable[tuple[Any, str]] = (),
    about: Any = None,
) -> Exception:
    """Return an exception of class ``cls`` with its ``detail``; the caller raises it."""
    exception = cls(message)
    exception.detail = Detail(code, message, hint, label, list(notes), list(nodes), about)  # type: ignore[attr-defined]
    return exception


def detail_of(exception: BaseException) -> Detail | None:
    """Return the structured detail of ``exception``, or None for an exception that is not the engine's."""
    return getattr(exception, "detail", None)
