"""Restores backups."""

from coldstore.errors import RestoreError
from coldstore.limits import Limits
from coldstore.report import Report
from coldstore.restore import restore

__all__ = ["Limits", "Report", "RestoreError", "restore"]
