"""The well-known ways out of Python sandboxes, each tried: a script that is not trusted stays inside."""

from __future__ import annotations

import builtins
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from gradcli.autograd.node import Node
from gradcli.autograd.tensor import Tensor
from gradcli.lang import attributes, prebound
from gradcli.lang.session import Session

from .helpers import failure, printed, run

# Refused before anything runs: kind "syntax".
STATIC = [
    "x = ().__class__",
    "x = (1).__class__.__bases__[0].__subclasses__()",
    "x = print.__self__",
    "x = print.__globals__",
    "x = (lambda: 0).__code__",
    "def f():\n    pass\nf.__globals__['x'] = 1",
    "x = torch.__dict__",
    "x = torch.Tensor.__init__",
    "__builtins__",
    "__import__('os')",
    "x = __name__",
    "__x = 1",
    "def __f():\n    pass",
    "def f(__x):\n    pass",
    "f = lambda __x: 1",
    "print(__sep='')",
    "import __main__",
    "from torch import __version__",
    "import torch as __t",
    "for __i in [1]:\n    pass",
    "x = [__i for __i in [1]]",
    "global __x",
    "x = {}.__getitem__",
    # names that unicode normalisation makes into dunders
    "x = ().＿＿class＿＿",
    "x = ()._＿class__",
    "x = ().__𝒸lass__",
    "＿＿import＿＿('os')",
    "x = ().__cl\u00aass__",
    # f-strings are code as well
    "x = f'{().__class__}'",
    "x = f'{print.__self__!r}'",
    "x = f'{1:{().__class__}}'",
    "x = f'{(lambda: ().__class__)()}'",
    "x = f'''{f\"{().__class__}\"}'''",
    # format strings reach attributes by text
    "x = '{0.__class__}'.format(1)",
    "x = '{0.__class__}'.format_map({})",
    "x = str.format('{0.__class__}', 1)",
    # frames, code and closures
    "g = (i for i in [1])\nx = g.gi_frame",
    "g = (i for i in [1])\nx = g.gi_code",
    "g = (i for i in [1])\nx = g.gi_yieldfrom",
    "g = (i for i in [1])\ng.send(1)",
    "g = (i for i in [1])\ng.throw(1)",
    "x = (lambda: 0).func_globals",
    "x = torch.ones(1).grad_fn.code",
    "x = torch.ones(1).grad_fn.code.co_consts",
    "x = torch.ones(1).grad_fn.primitive",
    "x = torch.ones(1)._array",
    "x = torch.ones(1).resolver",
    "x = torch._resolve",
    "x = torch._names",
    "x = int.mro()",
    "x = torch.ones(1).numpy().tofile('x')",
    "x = torch.ones(1).numpy().dump('x')",
    "x = torch.ones(1).numpy().ctypes",
    "x = 'a'.encode().decode()",
    "x = 'a'.ljust(10)",
    "x = 'a'.zfill(10)",
    "x = 'a'.expandtabs(10)",
    "x = (1).to_bytes(10)",
    # what is not there
    "eval('1')",
    "exec('1')",
    "compile('1', '', 'eval')",
    "open('/etc/passwd')",
    "getattr(1, 'real')",
    "setattr(1, 'real', 2)",
    "vars()",
    "globals()",
    "locals()",
    "dir()",
    "object()",
    "super()",
    "classmethod(1)",
    "property(1)",
    "memoryview(b'')",
    "bytearray(10)",
    "breakpoint()",
    "help()",
    "input('?')",
    "id(1)",
    "hash(1)",
    "iter([1])",
    "next([1])",
    "type.mro(int)",
    "import os",
    "import sys",
    "import builtins",
    "import subprocess",
    "import numpy",
    "import gradcli",
    "import importlib",
    "from os import system",
    "from math import __loader__",
    "import torch.os",
    "from torch import os",
    # setting what is not a tensor's
    "torch.sum = 1",
    "x = torch.ones(1)\nx.shape = 2",
    "torch.Tensor.backward = 1",
    "def f():\n    pass\nf.x = 1",
    "del torch.sum",
    # statements that make objects with traps
    "class A:\n    pass",
    "try:\n    1\nexcept e:\n    e",
    "raise 1",
    "async def f():\n    pass",
    "def f():\n    yield 1",
    "x = (yield)",
    "import torch; torch.load('x.pt')._x",
]


@pytest.mark.parametrize("text", STATIC)
def test_refused_before_anything_runs(text: str) -> None:
    found = failure(f"print('ran')\n{text}\n")
    assert found.kind == "syntax", found


def test_nothing_ran() -> None:
    session = Session()
    with pytest.raises(Exception, match="__class__"):
        session.run(__import__("gradcli.lang.source", fromlist=["Source"]).Source("x = 1\ny = ().__class__\n"))
    assert "x" not in session.namespace


# Refused when they run, quickly and without eating memory.
BOMBS = [
    "10 ** 10 ** 10",
    "9 ^ 999999999",
    "x = 10\nfor i in range(100):\n    x = x * x",
    "x = 10\nfor i in range(100):\n    x *= x",
    "x = 10\nfor i in range(100):\n    x **= 2",
    "x = 10\nfor i in range(100):\n    x = x ** 2",
    "'a' * 10000000000",
    "10000000000 * 'a'",
    "[0] * 10000000000",
    "10000000000 * [0]",
    "(0,) * 10000000000",
    "x = 'a'\nx *= 10000000000",
    "x = [[0]]\nx[0] *= 10000000000",
    "d = {'a': 'b'}\nd['a'] *= 10000000000",
    "True * ('a' * 3)",
    "'%10000000000d' % 1",
    "x = '%10000000000d'\nx %= 1",
    "f'{1:10000000000}'",
    "f'{1:>{10 ** 10}}'",
    "f'{1.5:.10000000000f}'",
    "f'{1!r:10000000000}'",
    "list(range(10 ** 11))",
    "sum(range(10 ** 11))",
    "sorted(range(10 ** 11))",
    "tuple(range(10 ** 11))",
    "max(range(10 ** 11))",
    "len(range(10 ** 30))",
    "math.factorial(10 ** 9)",
    "math.comb(10 ** 9, 10 ** 8)",
    "math.perm(10 ** 9)",
    "math.pow(10, 10 ** 10)",
    "divmod('%10000000000d', 1)",
    "round(3, -(10 ** 10))",
    "map(lambda x: x * 10 ** 9, ['a'])\nlist(map(lambda x: x * 10 ** 9, ['a']))",
]


@pytest.mark.parametrize("text", BOMBS)
def test_bombs_do_not_go_off(text: str) -> None:
    assert failure(text).kind == "runtime"


def test_recursion_ends_in_an_error() -> None:
    assert failure("def f(x):\n    return f(x + 1)\nf(0)").code == "endless-recursion"
    assert failure("f = lambda x: f(x)\nf(0)").code == "endless-recursion"


def test_builtins_are_the_sessions_own() -> None:
    session = run("x = 1")
    given = session.namespace["__builtins__"]
    assert given is not builtins.__dict__ and given is session.builtins
    for name in ("open", "eval", "exec", "getattr", "setattr", "vars", "globals", "object", "input"):
        assert name not in given and prebound.lookup(name) is None
    assert given["__import__"] is prebound.HELPERS["__import__"] and prebound.lookup("__import__") is None


def test_no_name_leads_to_a_module_or_a_frame() -> None:
    for name in prebound.known_names():
        assert not isinstance(prebound.lookup(name), ModuleType | CodeType | FrameType), name


def test_the_attribute_list_has_nothing_dangerous() -> None:
    danger = {
        *(name for kind in (FunctionType, CodeType, FrameType, type(lambda: 0)) for name in dir(kind)),
        *(name for name in dir(x for x in ()) if name not in {"close"}),
        *("format", "format_map", "mro", "tofile", "dump", "ctypes", "encode"),
    }
    # methods of lists, dicts and texts that only share their names
    assert not {name for name in danger if attributes.is_allowed(name)} - {"copy", "clear", "replace"}


@pytest.mark.parametrize("kind", [Tensor, Node])
def test_slots_of_the_engine_are_out_of_reach(kind: Any) -> None:
    slots = {name for base in kind.__mro__ for name in getattr(base, "__slots__", ())}
    reachable = {name for name in slots if attributes.is_allowed(name)}
    assert reachable <= {"shape", "dtype"}, reachable


def test_type_gives_a_name_and_no_class() -> None:
    assert printed("print(type(1), type(1) == int, type([1]) == list, type(1) == type(2))") == (
        "<class 'int'> True True True\n"
    )
    assert failure("type(1)(2)").kind == "runtime"
    assert failure("type('A', (), {})").kind == "runtime"


@pytest.mark.parametrize(
    "text",
    [
        "torch.Tensor.grad = 1",
        "torch.Tensor.data += 1",
        "T = torch.Tensor\ndel T.grad",
        "a, torch.Tensor.grad = 1, 2",
        "x = ones(2).numpy()\nx.data = x",
    ],
)
def test_types_are_shared_and_cannot_be_changed(text: str) -> None:
    before = dict(vars(Tensor))
    assert failure(text).code == "read-only"
    assert dict(vars(Tensor)) == before


def test_arrays_do_not_become_references() -> None:
    for kind in ("'O'", "'object'"):
        assert failure(f"ones(3).numpy().view({kind})[0]").kind == "runtime"


def test_the_namespace_of_a_script_cannot_be_replaced() -> None:
    assert failure("torch.x = 1").kind == "syntax"
    assert failure("import math\nmath.pi = 3").kind == "syntax"


# Arrays of NumPy are Python's own objects, reached through x.numpy(): what could turn memory into objects is refused.
ARRAYS = [
    "ones(2).numpy().view('O')",
    "ones(2).numpy().view('T')",
    "ones(2).numpy().cumsum(dtype='O').view('f8')",
    "ones(2).numpy().view([('a', 'O')])",
    "from_numpy(ones(2).numpy().cumsum(dtype='O'))",
    "tensor(ones(2).numpy().cumsum(dtype='O'))",
    "ones(2).numpy().cumsum(dtype='O').data.tolist()",
    "ones(2).numpy().view('S8')[0] * 10 ^ 9",
    "ones(2).numpy().view('S8')[0] % 3",
    "ones(2).numpy().repeat(10 ^ 12)",
]


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays_stay_numbers(text: str) -> None:
    assert failure(f"x = {text}").kind == "runtime"


def test_numpys_own_imports_work_and_lead_nowhere_else() -> None:
    assert printed("x = ones(4).numpy()\nprint(x.mean(), x.std(), x.sum())") == "1.0 0.0 4.0\n"
    with pytest.raises(ImportError):
        prebound.HELPERS["__import__"]("os", {}, {}, ["path"], 0)
    assert failure("x = __import__('numpy')").kind == "syntax"
