"""Threads as text, within a budget: from what was said and done to what a person or a model reads.

The door of the room; `ops` calls it with entries that were read and scrubbed already. It opens nothing and knows no database.
"""

from lith.render.branches import Node, label_branches
from lith.render.entries import Entry, call_line, result_line
from lith.render.results import find_results
from lith.render.threads import MIN_BUDGET, Rendered, render_thread

__all__ = [
    "MIN_BUDGET",
    "Entry",
    "Node",
    "Rendered",
    "call_line",
    "find_results",
    "label_branches",
    "render_thread",
    "result_line",
]
