"""Folds: pages that summarise batches of log entries, stack into levels, and leave everything they summarise where it is."""
