"""The interactive session: ``gradcli repl``, and ``gradcli`` alone on a terminal."""
