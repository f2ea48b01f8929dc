"""Sigil: measures, in public, what an agent capability changes."""

__version__ = "0.1.0"
