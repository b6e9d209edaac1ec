"""Vector norms."""
