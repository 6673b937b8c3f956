"""Tiling: one concept, one page. Pages are compared by their vectors, reported in bands, and never merged."""
