"""From evidence to judgement: pure functions that can be computed again at any time."""
