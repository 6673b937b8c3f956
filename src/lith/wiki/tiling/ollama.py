"""An embedder behind a local Ollama server.

The only module of this room that opens a socket. It talks to the loopback interface alone unless it is told otherwise in so many words:
with a remote server, the text of the pages leaves this machine.
"""

import http.client
import ipaddress
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lith.errors import UsageError
from lith.wiki.errors import EmbedderFailed

if TYPE_CHECKING:
    from lith.wiki.embedder import Matrix

DEFAULT_URL = "http://127.0.0.1:11434"
DEFAULT_MODEL = "nomic-embed-text"
TIMEOUT_SECONDS = 120.0
_MAX_REPLY = 256 * 1024 * 1024


class OllamaEmbedder:
    """Vectors from an Ollama server."""

    def __init__(self, model: str = DEFAULT_MODEL, url: str = DEFAULT_URL, *, allow_remote: bool = False) -> None:
        """Raises `UsageError` for a URL that is not HTTP, or not on this machine without `allow_remote`."""
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise UsageError(f"{url} has no valid port") from error
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(f"{url} is not an http address")
        if not allow_remote and not is_loopback(parts.hostname):
            raise UsageError(
                f"{parts.hostname} is not this machine: the text of every page would be sent to it",
                hint="--allow-remote-ollama permits that",
            )
        self._secure = parts.scheme == "https"
        self._host, self._port, self._path = parts.hostname, port, parts.path.rstrip("/")
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    def embed(self, texts: Sequence[str]) -> "Matrix":
        """One row per text. Raises `EmbedderFailed` when the server is not there or answers with something else."""
        import numpy as np  # noqa: PLC0415

        body = json.dumps({"model": self._model, "input": list(texts), "truncate": True}).encode()
        reply = self._post("/api/embed", body)
        vectors = reply.get("embeddings") if isinstance(reply, dict) else None
        try:
            matrix = np.asarray(vectors, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderFailed(f"Ollama did not answer with vectors for {self._model}") from error
        if matrix.ndim != 2 or len(matrix) != len(texts):
            raise EmbedderFailed(f"Ollama did not answer with one vector per text for {self._model}")
        return matrix

    def _post(self, path: str, body: bytes) -> object:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request("POST", self._path + path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            data = response.read(_MAX_REPLY + 1)
        except (OSError, http.client.HTTPException) as error:
            raise EmbedderFailed(
                f"Ollama at {self._host} does not answer: {error}", hint="start it with: ollama serve"
            ) from error
        finally:
            connection.close()
        if response.status == 404:
            raise EmbedderFailed(f"Ollama has no model {self._model}", hint=f"fetch it with: ollama pull {self._model}")
        if response.status != 200 or len(data) > _MAX_REPLY:
            raise EmbedderFailed(f"Ollama answered with status {response.status}")
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise EmbedderFailed("Ollama did not answer with JSON") from error


def is_loopback(host: str) -> bool:
    """Whether a host name is this machine by its form; names are not looked up, because a name can be made to point anywhere."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
