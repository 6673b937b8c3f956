"""The optional packages of this room, imported on first use.

Only this module imports them, so that a missing extra is one clear error and importing the room stays cheap.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from lith.errors import MissingExtra


def markdown_events(text: str) -> Iterator[tuple[Any, Any]]:
    """The events of a Markdown text with their byte ranges (offsets into its UTF-8), tables and math included."""
    try:
        import pyromark  # noqa: PLC0415
    except ImportError as error:
        raise _missing("pyromark") from error
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_MATH
    return iter(pyromark.events_with_range(text, options=options, merge_text=True))


def need_numpy() -> None:
    """Make sure that numpy is there, before something imports it. Raises `MissingExtra`."""
    try:
        import numpy as np  # noqa: F401, PLC0415
    except ImportError as error:
        raise _missing("numpy") from error


def yaml_module() -> ModuleType:
    """PyYAML."""
    try:
        import yaml  # noqa: PLC0415
    except ImportError as error:
        raise _missing("PyYAML") from error
    return yaml


def _missing(package: str) -> MissingExtra:
    return MissingExtra(f"this command needs the package {package}", hint="install the extra: pip install 'lith[wiki]'")
