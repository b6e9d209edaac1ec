"""What runs inside of another engine's process: nothing here imports NumPy or any other part of gradcli."""
