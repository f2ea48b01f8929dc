"""The preferences as a value: defaults, checks, and the way to and from plain JSON data."""

from dataclasses import dataclass, field, fields
from typing import Any

from inkwell.shortcuts import ShortcutError, conflicts, normalise

THEMES = ("light", "dark", "system")

DEFAULT_SHORTCUTS = {
    "new-note": "Ctrl+N",
    "quick-open": "Ctrl+P",
    "search": "Ctrl+Shift+F",
    "sync-now": "F9",
}


class SettingsError(ValueError):
    """A preference has a value that it cannot have."""


@dataclass
class Settings:
    theme: str = "system"
    font_size: int = 13
    spellcheck: bool = True
    language: str = "en"
    recent_limit: int = 10
    sync_token: str = ""
    shortcuts: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_SHORTCUTS))
    plugins: dict[str, Any] = field(default_factory=dict)
    unknown: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        if self.theme not in THEMES:
            raise SettingsError(f"theme must be one of {', '.join(THEMES)}, not {self.theme!r}")
        if not 6 <= self.font_size <= 72:
            raise SettingsError(f"font_size must be between 6 and 72, not {self.font_size}")
        if self.recent_limit < 0:
            raise SettingsError("recent_limit must not be negative")
        try:
            self.shortcuts = {command: normalise(keys) for command, keys in self.shortcuts.items()}
        except ShortcutError as error:
            raise SettingsError(str(error)) from error
        for first, second in conflicts(self.shortcuts):
            raise SettingsError(f"{first} and {second} have the same shortcut")

    def to_data(self) -> dict[str, Any]:
        data = dict(self.unknown)
        for entry in fields(self):
            if entry.name != "unknown":
                data[entry.name] = getattr(self, entry.name)
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Settings":
        known = {entry.name for entry in fields(cls)} - {"unknown"}
        settings = cls(
            **{key: value for key, value in data.items() if key in known},
            unknown={key: value for key, value in data.items() if key not in known},
        )
        settings.check()
        return settings
