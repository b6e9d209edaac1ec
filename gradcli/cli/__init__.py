"""The command line: one module a command; ``render`` turns results into text."""
