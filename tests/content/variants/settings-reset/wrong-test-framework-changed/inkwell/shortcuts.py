"""Key combinations, written the way they are shown in menus: "Ctrl+Shift+N"."""

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
NAMED_KEYS = {"Enter", "Escape", "Tab", "Space", "Left", "Right", "Up", "Down", "Home", "End", "Delete"}


class ShortcutError(ValueError):
    pass


def normalise(text: str) -> str:
    """Return `text` with its modifiers in menu order, or raise `ShortcutError`."""
    parts = [part.strip() for part in text.split("+")]
    *modifiers, key = parts
    if not key:
        raise ShortcutError(f"{text!r} names no key")
    wanted = {modifier.capitalize() for modifier in modifiers}
    unknown = wanted - set(MODIFIERS)
    if unknown:
        raise ShortcutError(f"{text!r} has an unknown modifier: {', '.join(sorted(unknown))}")
    return "+".join([m for m in MODIFIERS if m in wanted] + [_key(key, text)])


def _key(key: str, text: str) -> str:
    if len(key) == 1:
        return key
    if key.capitalize() in NAMED_KEYS:
        return key.capitalize()
    if key[0] in "fF" and key[1:].isdigit() and 1 <= int(key[1:]) <= 24:
        return key.upper()
    raise ShortcutError(f"{text!r} names an unknown key: {key}")


def conflicts(bindings: dict[str, str]) -> list[tuple[str, str]]:
    """Pairs of commands that are bound to the same combination."""
    found = []
    by_keys: dict[str, str] = {}
    for command, keys in sorted(bindings.items()):
        if keys in by_keys:
            found.append((by_keys[keys], command))
        else:
            by_keys[keys] = command
    return found
