"""The operations: one row each, by family. The engine's tensors get their methods from here."""
