"""The commands of the session: each one decorated function, from which the help is made."""

from gradcli.cli.repl.commands.registry import COMMANDS, Command, command, find, run_command

__all__ = ["COMMANDS", "Command", "command", "find", "run_command"]
