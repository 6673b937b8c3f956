"""lith: one memory for all your coding agents.

Importing this package imports nothing else: the command line answers `--version` from here.
"""

__version__ = "0.1.0"
