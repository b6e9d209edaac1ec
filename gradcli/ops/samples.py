"""Sampled functions."""
