"""Adapters: what to run for each agent, and what its output means. Pure: nothing here starts a process."""
