"""Lint: what is wrong with a vault, how bad it is, and the repairs that have one right answer."""
