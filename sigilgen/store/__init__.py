"""Files and git: the only packages that read or write the repository."""
