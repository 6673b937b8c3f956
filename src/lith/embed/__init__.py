"""Text to vectors, on this machine alone, and vectors kept in files that are searched without an index.

The door of the room: rooms above ask `get_embedder` for a model, and keep what it gives in a `VectorFile` beside whatever their ids belong
to. numpy is imported on first use, never with the room. It knows nothing of sessions, maps or wikis.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lith.embed.embedder import Embedder, Ids, Vectors
    from lith.embed.hashed import HashedEmbedder
    from lith.embed.nearest import quantize, search
    from lith.embed.registry import EMBEDDERS, get_embedder
    from lith.embed.static import StaticEmbedder
    from lith.embed.vectorfile import VectorFile

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "HashedEmbedder",
    "Ids",
    "StaticEmbedder",
    "VectorFile",
    "Vectors",
    "get_embedder",
    "quantize",
    "search",
]

_HOME = {
    "EMBEDDERS": "registry",
    "Embedder": "embedder",
    "HashedEmbedder": "hashed",
    "StaticEmbedder": "static",
    "VectorFile": "vectorfile",
    "get_embedder": "registry",
    "quantize": "nearest",
    "search": "nearest",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, and no more."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
