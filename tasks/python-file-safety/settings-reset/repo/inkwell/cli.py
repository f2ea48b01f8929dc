"""`python3 -m inkwell`: look at preferences and change them from a terminal."""

import argparse
import json
import sys

from inkwell.settings import Settings, SettingsError
from inkwell.store import SettingsStore

HIDDEN = {"sync_token"}


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    store = SettingsStore(options.file)
    try:
        return options.run(store, options)
    except (SettingsError, OSError) as error:
        print(f"inkwell: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="inkwell")
    parser.add_argument("--file", help="use this file instead of the one in the configuration folder")
    commands = parser.add_subparsers(required=True)
    get = commands.add_parser("get", help="print one preference, or all of them")
    get.add_argument("name", nargs="?")
    get.set_defaults(run=_get)
    change = commands.add_parser("set", help="change one preference; the value is JSON or plain text")
    change.add_argument("name")
    change.add_argument("value")
    change.set_defaults(run=_set)
    reset = commands.add_parser("reset", help="go back to the defaults, but stay signed in")
    reset.set_defaults(run=_reset)
    return parser


def _get(store: SettingsStore, options: argparse.Namespace) -> int:
    data = {key: "***" if key in HIDDEN and value else value for key, value in store.load().to_data().items()}
    if options.name and options.name not in data:
        raise SettingsError(f"there is no preference called {options.name}")
    shown = data[options.name] if options.name else data
    print(shown if isinstance(shown, str) else json.dumps(shown, indent=2, ensure_ascii=False))
    return 0


def _set(store: SettingsStore, options: argparse.Namespace) -> int:
    data = store.load().to_data()
    if options.name not in data:
        raise SettingsError(f"there is no preference called {options.name}")
    try:
        data[options.name] = json.loads(options.value)
    except ValueError:
        data[options.name] = options.value
    store.save(Settings.from_data(data))
    return 0


def _reset(store: SettingsStore, options: argparse.Namespace) -> int:
    store.save(Settings(sync_token=store.load().sync_token))
    return 0
