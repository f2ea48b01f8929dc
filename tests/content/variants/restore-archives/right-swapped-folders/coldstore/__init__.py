"""Restores backups."""

from coldstore.limits import Limits
from coldstore.report import Report
from coldstore.restore import RestoreError, restore

__all__ = ["Limits", "Report", "RestoreError", "restore"]
