"""Checks of scripts: found, run, compared and reported; nothing here prints."""
