"""Benchmarks of the room `wiki`: a seeded generator of vaults, and one command that prints the figures."""
