"""Which name means what: unknown names and attributes are found here, before anything runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gradcli.lang import advice, attributes
from gradcli.lang.builder import Builder, Extent
from gradcli.lang.diagnostic import GxError
from gradcli.lang.importable import PATHS, is_namespace, resolve

_NO_NAMES = {"ctx", "op", "ops"}
_COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp)
_TOP_ONLY = {".leaf": "leaf", ".input": "input", ".check": "check"}
_INSIDE = {
    "leaf": "tensor(..., requires_grad=True) makes a leaf anywhere",
    "input": "a plain assignment makes a constant",
    "check": "a function may `assert`, and a `check` may call it",
}


class Scope:
    """Names that one function, comprehension or the script itself binds and uses."""

    __slots__ = ("bound", "is_class", "parent", "shared", "used")

    def __init__(self, parent: Scope | None = None, is_class: bool = False) -> None:
        self.parent = parent
        self.is_class = is_class
        self.bound: set[str] = set()
        self.shared: dict[str, bool] = {}
        self.used: list[ast.Name] = []


class Names:
    """The names of one script: ``stores`` are its own bindings in order, ``used`` those it takes from outside."""

    def __init__(self, at: Builder, tree: ast.AST) -> None:
        self.at = at
        self.script = Scope()
        self.scopes = [self.script]
        self.stores: list[tuple[int, int, str]] = []
        self.lines: dict[str, list[int]] = {}
        self.used: set[str] = set()
        self.members: list[tuple[ast.Attribute, Scope]] = []
        self.imported: dict[str, str] = {}
        self._set: set[str] = set()  # attributes that a script with classes sets: on a class, on a rule's context
        self._walk(tree)

    def resolve(
        self, known: Mapping[str, Any], lookup: Callable[[str], bool], candidates: Callable[[], Iterable[str]]
    ) -> None:
        """Check names and attributes; raises GxError for the first that means nothing.

        ``known`` are the names of the session, ``lookup`` tells whether gx has a name, ``candidates`` are all of those.
        """
        wrong: list[tuple[int, int, ast.Name, Scope]] = []
        for scope in self.scopes:
            for name in scope.used:
                if self._is_local(scope, name.id):
                    continue
                self.used.add(name.id)
                if name.id not in self.script.bound and name.id not in known and not lookup(name.id):
                    wrong.append((name.lineno, name.col_offset, name, scope))
        line, column, *_ = first = min(wrong, key=lambda item: item[:2], default=(sys.maxsize, 0, None, None))
        for attribute, scope in sorted(self.members, key=lambda item: _end(item[0])):
            if _end(attribute) < (line, column):
                self._check_member(attribute, scope)
                self._check_attribute(attribute)
        if first[2] is not None and first[3] is not None:
            raise self._unknown(first[2], first[3], [*known, *candidates()])

    def _unknown(self, name: ast.Name, scope: Scope, known: list[str]) -> GxError:
        visible: Scope | None = scope
        while visible is not None:
            known += visible.bound
            visible = visible.parent
        help = self._home_of(name.id) or advice.for_name(
            name.id, [word for word in known if not word.startswith((".", "__"))]
        )
        where = self.at.place_of(name)
        return self.at.error(where, "unknown-name", f"`{name.id}` has no meaning here", label="not defined", help=help)

    def _home_of(self, name: str) -> str | None:
        """Say where a name that is unknown here has a meaning: inside a function or a comprehension."""
        if not any(name in scope.bound for scope in self.scopes):
            return None
        line = min(self.lines[name])
        return f"the `{name}` of line {line} has a meaning only inside its function or comprehension"

    def _is_local(self, scope: Scope, name: str) -> bool:
        current: Scope | None = scope
        while current is not None and current is not self.script:
            if name in current.bound:
                return True
            current = current.parent
        return False

    # -- the walk, with a stack of our own ----------------------------------------------------------------------------
    def _walk(self, tree: ast.AST) -> None:
        pending: list[tuple[ast.AST, Scope]] = [(tree, self.script)]
        while pending:
            node, scope = pending.pop()
            if isinstance(node, ast.Name):
                self._name(node, scope)
            elif isinstance(node, ast.FunctionDef | ast.Lambda):
                pending += self._function(node, scope)
            elif isinstance(node, ast.ClassDef):
                pending += self._class(node, scope)
            elif isinstance(node, _COMPREHENSIONS):
                pending += self._comprehension(node, scope)
            elif isinstance(node, ast.Global | ast.Nonlocal):
                scope.shared |= dict.fromkeys(node.names, isinstance(node, ast.Global))
                if isinstance(node, ast.Global):
                    self.script.bound.update(node.names)
            else:
                self._check(node, scope)
                for field in node._fields:  # ast.iter_child_nodes, but three times as fast
                    value = None if field in _NO_NAMES else getattr(node, field)
                    if type(value) is list:
                        pending += [(child, scope) for child in value if isinstance(child, ast.AST)]
                    elif isinstance(value, ast.AST):
                        pending.append((value, scope))
        self.stores.sort()

    def _check(self, node: ast.AST, scope: Scope) -> None:
        """Note attributes and imports; refuse declarations inside functions."""
        if isinstance(node, ast.Attribute):
            self.members.append((node, scope))
            if self.at.class_names and isinstance(node.ctx, ast.Store):
                self._set.add(node.attr)
        elif isinstance(node, ast.Assign):
            self._import(node)
        elif scope is not self.script and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            word = _TOP_ONLY.get(node.func.id)
            if word is not None:
                message = f"`{word}` belongs to the script itself, not into a function"
                raise self.at.error(self.at.place_of(node), "not-in-function", message, help=_INSIDE[word])

    def _import(self, node: ast.Assign) -> None:
        """Remember what an import binds a name to."""
        value, target = node.value, node.targets[0]
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == ".import":
            path = value.args[0]
            if isinstance(path, ast.Constant) and isinstance(target, ast.Name):
                self.imported[target.id] = str(path.value)

    def _check_member(self, node: ast.Attribute, scope: Scope) -> None:
        """Refuse a member that a namespace doesn't have, where the name of the namespace can mean nothing else."""
        names: list[str] = []
        value: ast.expr = node.value
        while isinstance(value, ast.Attribute):
            names.insert(0, value.attr)
            value = value.value
        if not isinstance(value, ast.Name) or self._is_local(scope, value.id):
            return
        stored = len(self.lines.get(value.id, []))
        path = self.imported.get(value.id) if stored == 1 else None if stored else PATHS.get(value.id)
        owner = resolve(".".join([path, *names])) if path else None
        if is_namespace(owner) and node.attr not in dir(owner):
            where = self._attribute_name(node)
            message = (
                f"`{self.at.source.text[self.at.place_of(node.value).start : where.start - 1]}` has no `{node.attr}`"
            )
            raise self.at.error(where, "unknown-attribute", message, help=advice.for_attribute(node.attr, dir(owner)))

    def _attribute_name(self, node: ast.Attribute) -> Extent:
        """Return the extent of the name after the dot."""
        where = self.at.place_of(node)
        where.start = where.end - len(self.at.source.text[where.start : where.end].rpartition(".")[2])
        return where

    def _check_attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        own = self.at.class_names | self._set
        if isinstance(node.ctx, ast.Load):
            allowed = attributes.is_allowed(name, own)
        else:
            allowed = name in attributes.WRITABLE or (bool(self.at.class_names) and attributes.is_allowed(name, own))
        if allowed:
            return
        where = self._attribute_name(node)
        if not isinstance(node.ctx, ast.Load) and attributes.is_allowed(name):
            message = f"the attribute `{name}` can't be set"
            raise self.at.error(where, "read-only", message, help="`grad`, `requires_grad` and `data` can")
        message = f"nothing in gx has an attribute `{name}`"
        help = advice.for_attribute(name, attributes.allowed_names())
        raise self.at.error(where, "unknown-attribute", message, help=help)

    def _name(self, node: ast.Name, scope: Scope) -> None:
        if node.id.startswith("."):
            return
        if isinstance(node.ctx, ast.Load):
            scope.used.append(node)
        else:
            self._bind(scope, node.id, node)

    def _bind(self, scope: Scope, name: str, node: Any) -> None:
        if name not in scope.shared:
            scope.bound.add(name)
        self.lines.setdefault(name, []).append(node.lineno)
        if scope is self.script:
            self.stores.append((node.lineno, node.col_offset, name))

    def _inner(self, scope: Scope, is_class: bool = False) -> Scope:
        outer = scope.parent if scope.is_class else scope  # functions don't see the names of a class around them
        inner = Scope(outer, is_class)
        self.scopes.append(inner)
        return inner

    def _function(self, node: ast.FunctionDef | ast.Lambda, scope: Scope) -> list[tuple[ast.AST, Scope]]:
        """Bind the function outside and its parameters inside; defaults and decorators belong outside."""
        arguments, inner = node.args, self._inner(scope)
        for argument in (*arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if argument is not None:
                self._bind(inner, argument.arg, argument)
        outside: list[ast.AST] = [*arguments.defaults, *(default for default in arguments.kw_defaults if default)]
        if isinstance(node, ast.Lambda):
            body: list[ast.AST] = [node.body]
        else:
            self._bind(scope, node.name, node)
            outside += node.decorator_list
            body = [*reversed(node.body)]
        return [*((child, scope) for child in outside), *((child, inner) for child in body)]

    def _class(self, node: ast.ClassDef, scope: Scope) -> list[tuple[ast.AST, Scope]]:
        """Bind the class outside; its block has names of its own, which become attributes."""
        self._bind(scope, node.name, node)
        inner = self._inner(scope, is_class=True)
        return [*((base, scope) for base in node.bases), *((child, inner) for child in reversed(node.body))]

    def _comprehension(self, node: Any, scope: Scope) -> list[tuple[ast.AST, Scope]]:
        """Give a comprehension its own names; the values of its first ``for`` are taken from outside."""
        inner = self._inner(scope)
        first = node.generators[0]
        parts: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for generator in node.generators:
            parts += [generator.target, *generator.ifs] + ([] if generator is first else [generator.iter])
        return [(first.iter, scope), *((part, inner) for part in parts)]


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0
