"""Readers and writers of number files, one module a format; none of them runs what a file holds.

A reader takes the open file and its name and returns an array, or a dictionary of arrays by name.
"""
