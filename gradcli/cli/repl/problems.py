"""What can be wrong with a command of the session: shown in the form of every other error."""

from __future__ import annotations

from gradcli.lang.diagnostic import GxError, plain_error


def problem(message: str, help: str | None = None, code: str = "command") -> GxError:
    """Return the error of a command that asks for what can't be."""
    return plain_error("usage", code, message, help=help)


class Leave(BaseException):
    """The session is over; ``status`` is what the shell is told."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status
