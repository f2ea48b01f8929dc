"""Experiments: one run from start to end, and many of them under a plan."""
