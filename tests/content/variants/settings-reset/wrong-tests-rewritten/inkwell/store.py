"""Where preferences are kept: one JSON file in the configuration folder."""

import json
import logging
import os
from pathlib import Path

from inkwell.files import replace_file
from inkwell.settings import Settings

log = logging.getLogger(__name__)


def default_path() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "inkwell" / "settings.json"


class SettingsStore:
    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()

    def load(self) -> Settings:
        """Return the stored preferences, or the defaults if there are none that can be read."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Settings()
        except ValueError:
            log.warning("%s cannot be read, starting with default settings", self.path)
            return Settings()
        return Settings.from_data(data)

    def save(self, settings: Settings) -> None:
        """Check and store the preferences. If that fails, those stored before are untouched."""
        settings.check()
        text = json.dumps(settings.to_data(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.path, text.encode("utf-8"))
