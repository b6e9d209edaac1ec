"""The version, in one place: the build and ``gradcli --version`` read it here."""

__version__ = "0.1.0"
