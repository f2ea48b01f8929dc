"""Preferences of the Inkwell note-taking application."""

from inkwell.settings import Settings, SettingsError
from inkwell.store import SettingsStore

__all__ = ["Settings", "SettingsError", "SettingsStore"]
