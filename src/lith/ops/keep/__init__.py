"""Keeping and pruning: the operations that connect the rooms `archive` and `keep` with the map.

Faces call them by the table of operations. Nothing here decides what may be pruned or removed; it says which files a question is about.
"""
