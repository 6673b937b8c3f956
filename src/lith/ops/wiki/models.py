"""The embedding model behind tiling and the novelty of folds: the one that is built in, or an Ollama server that was asked for."""

import difflib
from typing import TYPE_CHECKING

import msgspec

from lith.errors import LithError, UsageError
from lith.wiki.errors import EmbedderFailed

if TYPE_CHECKING:
    from lith.wiki import Embedder


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A model by its name: one of this package, else one of an Ollama server. `allow_remote` lets page texts leave the machine."""

    model: str | None = None
    ollama_url: str | None = None
    allow_remote: bool = False

    @property
    def given(self) -> bool:
        """Whether somebody asked for a model in so many words."""
        return self.model is not None or self.ollama_url is not None


def get_model(choice: ModelChoice) -> "Embedder":
    """The model of a choice, loaded. Raises `EmbedderFailed`, `MissingExtra`, `UsageError`."""
    from lith.wiki.extras import need_numpy  # noqa: PLC0415

    need_numpy()
    try:
        from lith.embed import EMBEDDERS, get_embedder  # noqa: PLC0415
    except ImportError as error:  # a build without the room `embed`
        if not choice.given:
            raise _absent("no embedding model is built into this lith") from error
        return _ollama(choice)
    if choice.ollama_url is None and (choice.model is None or choice.model in EMBEDDERS):
        try:
            return get_embedder(choice.model) if choice.model else get_embedder()
        except OSError as error:
            raise _absent(f"the embedding model cannot be loaded: {error.strerror or error}") from error
    if choice.ollama_url is None and choice.model and difflib.get_close_matches(choice.model, EMBEDDERS, n=1, cutoff=0.8):
        raise UsageError(f"no model is called {choice.model!r}", hint=f"built in are {', '.join(EMBEDDERS)}")
    return _ollama(choice)


def find_model(choice: ModelChoice) -> "Embedder | None":
    """As `get_model`; None where nobody asked for a model and the built-in one cannot be had."""
    try:
        return get_model(choice)
    except LithError:
        if choice.given:
            raise
        return None


def _ollama(choice: ModelChoice) -> "Embedder":
    from lith.wiki.tiling.ollama import DEFAULT_MODEL, DEFAULT_URL, OllamaEmbedder  # noqa: PLC0415

    return OllamaEmbedder(choice.model or DEFAULT_MODEL, choice.ollama_url or DEFAULT_URL, allow_remote=choice.allow_remote)


def _absent(message: str) -> EmbedderFailed:
    return EmbedderFailed(message, hint="--model nomic-embed-text uses a local Ollama server")
