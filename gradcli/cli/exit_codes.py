"""What the shell is told."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit statuses of every command."""

    OK = 0
    CHECK_FAILED = 1  # a check or an assertion of a script did not hold
    USAGE = 2  # the command line, or the syntax of a script
    SCRIPT_FAILED = 3  # the script failed while it ran
    INTERNAL = 4  # a fault of gradcli's own
    NOTHING_COLLECTED = 5  # `check` found no check
    INTERRUPTED = 130  # Ctrl-C: 128 + SIGINT
    CLOSED_PIPE = 141  # whoever read our output went away: 128 + SIGPIPE
