"""``exit(code)``: a script that ends itself before its last line."""

from __future__ import annotations

from gradcli.autograd.errors import error


class ScriptEnd(BaseException):
    """The script has ended itself, with a status for the shell; nothing in it may catch this."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Exit:
    """What ``exit`` and ``quit`` are in a script: called, it ends the script. TypeError for what is no status."""

    __slots__ = ()

    def __call__(self, code: int | None = 0) -> None:
        if not isinstance(code, int | None):
            raise error(TypeError, "bad-status", "exit takes a whole number, the status that the shell is told")
        raise ScriptEnd((code or 0) & 0xFF)

    def __repr__(self) -> str:
        return "exit() ends the script, exit(3) with a status for the shell"


exit_ = Exit()
