"""Runs build steps and remembers their results."""

from kiln.build import BuildError, Builder
from kiln.cache import Cache
from kiln.keys import key_of

__all__ = ["BuildError", "Builder", "Cache", "key_of"]
