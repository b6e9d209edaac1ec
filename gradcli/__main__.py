"""``python -m gradcli``: the same command as the console script."""

from gradcli.cli.main import entry

entry()
