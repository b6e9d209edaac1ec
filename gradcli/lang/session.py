"""A session: a namespace that scripts run in, one after the other, and what they left there."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any

import gradcli.ops.registry  # noqa: F401  (gives tensors their operators and methods)
from gradcli.autograd import Tensor, set_user_globals, tensor
from gradcli.autograd.dtypes import get_default_dtype
from gradcli.lang import prebound
from gradcli.lang.builtin_functions import as_function
from gradcli.lang.checks import CheckBlock, CheckResult, failed
from gradcli.lang.compiling import Unit, compile_unit, read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError, plain_error
from gradcli.lang.ending import ScriptEnd, exit_
from gradcli.lang.events import Events
from gradcli.lang.files import only_array
from gradcli.lang.observed import Observed
from gradcli.lang.places import Places
from gradcli.lang.source import Source, Span
from gradcli.lang.suggest import did_you_mean


class Settings:
    """What a session is told from outside.

    ``overrides`` replace leaves and inputs by name; with ``free_leaves`` those that the script doesn't declare
    become leaves of it. ``files`` gives ``load`` and ``save``; without it a script has neither. ``wanted`` tells from
    the offset at which a ``check`` starts whether to run it (default: all of them).
    """

    __slots__ = ("files", "free_leaves", "overrides", "wanted")

    def __init__(
        self,
        overrides: Mapping[str, Any] | None = None,
        free_leaves: bool = False,
        files: Any = None,
        wanted: Callable[[int], bool] | None = None,
    ) -> None:
        self.overrides = dict(overrides or {})
        self.free_leaves = free_leaves
        self.files = files
        self.wanted = wanted or (lambda start: True)


class Session:
    """Runs sources in one namespace; ``leaves`` and ``inputs`` hold the values declared, ``checks`` the results."""

    def __init__(self, events: Events | None = None, *, settings: Settings | None = None) -> None:
        self.events = events or Events()
        self.settings = settings or Settings()
        self.builtins: dict[str, Any] = {**prebound.HELPERS, **self._own_names()}
        self.namespace: dict[str, Any] = {"__builtins__": self.builtins, "__name__": "gx"}
        self.units: list[Unit] = []
        self.places = Places(self.namespace, self.units)
        self.places.given = self.settings.overrides
        self.leaves: dict[str, Tensor] = {}
        self.inputs: dict[str, Any] = {}
        self.checks: list[CheckResult] = []
        self.observed: dict[tuple[Source, int], list[Observed]] = {}
        self.ended: int | None = None  # the status that the script ended itself with, and where
        self.ended_at: tuple[int, int] | None = None
        self._last: tuple[int, str, Tensor] | None = None
        self._warned: set[tuple[str, Span | None]] = set()
        self._spoken: set[tuple[Source, int]] = set()  # the ``#>`` on lines that print something themselves

    # -- running ------------------------------------------------------------------------------------------------------
    def run(self, source: Source, unit: Unit | None = None) -> None:
        """Parse, check, compile and run ``source``; raises GxError for whatever goes wrong in it.

        ``unit`` is what ``read_unit`` made of it, where that is known already.
        """
        unit = unit or read_unit(source)
        self.units.append(unit)
        self._check_overrides(unit)
        code = self._compile(unit)
        self._last = None
        try:
            self._execute(code)
        except ScriptEnd as end:
            self.ended, self.ended_at = end.code, self._place_of(end)
        for name in [name for name in self.namespace if name.startswith(".")]:
            del self.namespace[name]

    def _place_of(self, end: ScriptEnd) -> tuple[int, int]:
        """Return line and column of the script's own statement that ended it."""
        frame, lasti = self.places.frames(end.__traceback__)[0]
        place = self.locate(frame.f_code, lasti)
        return (place[1].line, place[1].column) if place else (0, 0)

    def state(self) -> list[Any]:
        """Return all that scripts can change in this session: what a snapshot starts from."""
        return [self.namespace, self.leaves, self.inputs, self.units, self.checks, self.observed, self._warned]

    def evaluate(self, text: str, name: str = "<expression>") -> Any:
        """Return the value of one expression in this namespace; GxError, with ``name`` as the source."""
        unit = read_unit(Source(text, name), "lone_expression")
        return self._execute(self._compile(unit), evaluate=True)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what ``function`` gives, whose calls may run the session's own functions; GxError for its exceptions.
        """
        return self._guarded(function, *arguments)

    def repeated(self, text: str, name: str) -> Callable[[int], Any]:
        """Return what runs ``text`` a number of times, to be timed: an expression, else statements."""
        try:
            unit, evaluate = read_unit(Source(text, name), "lone_expression"), True
        except GxError:
            unit, evaluate = read_unit(Source(text, name)), False
        self.units.append(unit)
        code = self._compile(unit)
        run: Callable[..., Any] = eval if evaluate else exec

        def repeat(times: int) -> None:
            for _ in range(times):
                run(code, self.namespace)

        return lambda times: self._guarded(repeat, times)

    def _compile(self, unit: Unit) -> CodeType:
        unit.names.resolve(self.namespace, self._is_known, self._known_names)
        source = unit.source
        self.places.add(unit)
        linecache.cache[source.name] = (len(source.text), None, source.text.splitlines(True), source.name)
        return compile_unit(unit)

    def _execute(self, code: CodeType, evaluate: bool = False) -> Any:
        return self._guarded(eval if evaluate else exec, code, self.namespace)

    def _guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call what runs the script's code: its warnings become events, its exceptions errors with a place."""
        before = set_user_globals(self.namespace)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("always", UserWarning)
                warnings.showwarning = self._warn
                return function(*arguments)
        except GxError:
            raise
        except Exception as error:
            raise GxError(self.explain(error)) from error
        finally:
            set_user_globals(before)

    def explain(self, error: BaseException) -> Diagnostic:
        """Return what an exception that came out of a script's code means."""
        from gradcli.lang.runtime_errors import explain

        return explain(error, self.places)

    # -- names --------------------------------------------------------------------------------------------------------
    def _is_known(self, name: str) -> bool:
        """Tell whether gx has ``name``; what is used is put within the script's reach, the rest costs nothing."""
        if name not in self.builtins:
            value = prebound.lookup(name)
            if value is None:
                return False
            self.builtins[name] = value
        return True

    def _known_names(self) -> set[str]:
        return {*prebound.known_names(), *self.builtins}

    def _own_names(self) -> dict[str, Any]:
        own = {
            ".leaf": self._leaf,
            ".input": self._input,
            ".is_given": self.settings.overrides.__contains__,
            ".given": self.settings.overrides.__getitem__,
            ".check": self._check,
            ".wanted": self.settings.wanted,
            ".failed": failed,
            ".keep": self._keep,
            ".expect": self._expect,
            ".assigned": self._assigned,
            "print": as_function(self.print, "print"),
            "exit": exit_,
            "quit": exit_,
        }
        if self.settings.files is not None:
            files = self.settings.files
            own |= {"load": as_function(files.load, "load"), "save": as_function(files.save, "save")}
        return own

    def _check_overrides(self, unit: Unit) -> None:
        """Refuse values for names that the script doesn't declare, unless they are to become leaves of it."""
        declared = {**unit.leaves, **unit.inputs}
        for name in [name for name in self.settings.overrides if name not in declared and name not in self.namespace]:
            if not self.settings.free_leaves:
                known = f"it has {', '.join(declared)}" if declared else "it declares none"
                help = did_you_mean(name, declared) or known
                raise plain_error("usage", "unknown-set", f"the script has no leaf or input `{name}`", help=help)
            try:
                self.namespace[name] = self._leaf(name, self.settings.overrides[name])
            except (TypeError, ValueError, RuntimeError) as problem:
                found = self.explain(problem)
                raise plain_error("usage", found.code, f"--set {name}: {found.message}", help=found.help) from None

    # -- what the script's code calls ---------------------------------------------------------------------------------
    def _leaf(self, name: str, value: Any) -> Tensor:
        value = only_array(value)
        made = value.detach() if isinstance(value, Tensor) else tensor(value)
        if not (made.dtype.is_floating_point or made.dtype.is_complex):
            made = tensor(made, dtype=get_default_dtype())
        leaf = self.leaves[name] = made.requires_grad_()
        return leaf

    def _input(self, name: str, value: Any) -> Any:
        if isinstance(value, Tensor):
            value = value.detach()
        elif isinstance(value, list | tuple):
            value = tensor(value)
        self.inputs[name] = value
        return value

    def _check(self, title: str, start: int, end: int) -> CheckBlock:
        source = self.units[-1].source
        return CheckBlock(self, CheckResult(title, source, source.span(start, end)))

    def _keep(self, value: Any, start: int, end: int) -> None:
        """Remember the last expression that could be an output, and tell who listens about each."""
        if value is None:
            return
        text = self.units[-1].source.text[start:end]
        if isinstance(value, Tensor) and value.requires_grad and not value.is_leaf:
            self._last = (start, text, value)
        self.events.value(text, value)

    def _expect(self, index: int, value: Any) -> Any:
        """Note the value of a line with ``#>``. None shows as nothing but may be awaited: ``x.grad #> None``."""
        unit = self.units[-1]
        key = unit.source, index
        is_awaited = key not in self._spoken and unit.expectations[index].text.partition("#")[0].strip() == "None"
        if value is not None or is_awaited:
            self.observed.setdefault(key, []).append(Observed(f"{value!s}\n", value))
        return value

    def _assigned(self, index: int, value: Any) -> Any:
        """Let a ``#>`` behind an assignment see the value, unless the line prints: then it is about what is printed."""
        if (self.units[-1].source, index) not in self._spoken:
            self._expect(index, value)
        return value

    def print(self, *values: Any, sep: str | None = " ", end: str | None = "\n", flush: bool = False) -> None:
        """Print values as Python's print does; the text goes to the session's events."""
        text = (" " if sep is None else sep).join(map(str, values)) + ("\n" if end is None else end)
        watched = self.places.expectation_of_caller() if any(unit.expectations for unit in self.units) else None
        if watched is not None:
            value = values[0] if len(values) == 1 and end == "\n" else None
            self._spoken.add(watched)
            self.observed.setdefault(watched, []).append(Observed(text, value))
        self.events.printed(text)

    def _warn(
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        from gradcli.lang.runtime_errors import explain_warning

        warning = explain_warning(str(message), self.places)
        key = (str(message), warning.primary.span if warning.primary else None)
        if key not in self._warned:
            self._warned.add(key)
            self.events.warned(warning)

    # -- what is left when it has run ---------------------------------------------------------------------------------
    def results(self) -> Iterator[tuple[str, Any]]:
        """Yield (name or text, value) of the last source's assignments and its last expression, in textual order."""
        unit = self.units[-1]
        found = [
            (unit.source.offset(line, 1), name, self.namespace[name])
            for line, _, name in unit.names.stores
            if name in self.namespace
        ]
        if self._last is not None:
            found.append(self._last)
        for _, name, value in sorted(found, key=lambda item: item[0]):
            yield name, value

    def locate(self, code: CodeType | None, lasti: int) -> tuple[Source, Span] | None:
        """Return the source and the span of a recorded place: a code object and its instruction."""
        return self.places.locate(code, lasti)
