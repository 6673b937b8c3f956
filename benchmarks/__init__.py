"""Benchmarks: seeded generators, and commands that print ratios taken in one run. Nothing in the package depends on them."""
