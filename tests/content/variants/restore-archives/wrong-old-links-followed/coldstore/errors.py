"""Why an archive is not restored."""


class RestoreError(Exception):
    """An archive cannot be restored. Nothing has been changed."""
