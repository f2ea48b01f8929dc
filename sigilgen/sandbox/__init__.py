"""Places where agents and verifiers run."""
