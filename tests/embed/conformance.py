"""What every embedder keeps: subclass, and give the fixture `embedder`."""

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.embed import Embedder

TEXTS = [
    "how do I retry a request that timed out",
    "",
    "retry the request after a timeout",
    "   \n\t ",
    "東京タワーの写真を保存する",
    "한국어 문장",
    "def getUserName(self) -> str:\n    return self._user.name",
    "\x1b[31mERROR\x1b[0m \x00 \ufffd \U0001f600",
    "word " * 20_000,
    "x" * 50_000,
    "漢" * 20_000,
]


class EmbedderContract:
    """The tests that all embedders inherit."""

    tolerance = 1e-5

    def test_name_fits_a_file_and_dimensions_fit_the_store(self, embedder: Embedder) -> None:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", embedder.name)
        assert str(embedder.dimensions) in embedder.name
        assert embedder.dimensions > 0
        assert embedder.dimensions % 64 == 0

    def test_one_row_per_text_of_length_one_or_zero(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32
        lengths = np.linalg.norm(vectors, axis=1)
        assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))
        assert lengths[0] > 0
        assert lengths[1] == 0
        assert lengths[3] == 0

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimensions)

    def test_a_row_does_not_depend_on_its_neighbours(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
        assert np.allclose(together, alone, atol=self.tolerance)

    def test_texts_that_share_words_are_nearer_than_texts_that_do_not(self, embedder: Embedder) -> None:
        asked, near, far = embedder.embed([TEXTS[0], TEXTS[2], "the harvest festival of a mountain village"])
        assert asked @ near > asked @ far

    def test_any_text_gives_finite_numbers(self, embedder: Embedder) -> None:
        @given(texts=st.lists(st.text(max_size=40), max_size=4))
        @settings(max_examples=25, deadline=None)
        def check(texts: list[str]) -> None:
            vectors = embedder.embed(texts)
            assert vectors.shape == (len(texts), embedder.dimensions)
            assert np.isfinite(vectors).all()

        check()
