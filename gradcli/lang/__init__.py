"""The gx language: from a script's text to Python code that runs in a closed namespace."""
