"""Frozen records: the words of the project as values. Nothing here reads, runs or decides anything."""
