import numpy as np
import pytest

from lith.embed import StaticEmbedder


@pytest.fixture(scope="module")
def model() -> StaticEmbedder:
    return StaticEmbedder()


PARAPHRASES = [
    ("the server keeps running out of memory", "the process was killed because RAM was exhausted"),
    ("how do I undo my last commit", "git reset HEAD~1 reverts the most recent change"),
    ("speed up the slow database query", "adding an index makes the SQL select faster"),
    ("the unit tests fail on Windows", "pytest errors only occur on Microsoft systems"),
    ("parse dates with a time zone", "convert timestamps to the user's local timezone"),
    ("we moved the config to a TOML file", "settings are now read from pyproject.toml"),
]


@pytest.mark.parametrize("dimensions", [64, 128, 256])
def test_a_paraphrase_without_a_common_word_is_the_nearest(dimensions: int) -> None:
    model = StaticEmbedder(dimensions)
    asked = model.embed([left for left, _ in PARAPHRASES])
    known = model.embed([right for _, right in PARAPHRASES])
    assert (asked @ known.T).argmax(axis=1).tolist() == list(range(len(PARAPHRASES)))


def test_code_is_near_the_words_of_its_names(model: StaticEmbedder) -> None:
    asked, near, far = model.embed(["get the user name", "getUserName()", "closeSocketTimeout()"])
    assert asked @ near > asked @ far + 0.2


def test_many_texts_are_what_each_is_alone(model: StaticEmbedder) -> None:
    texts = [f"message {number} about {'tables and chairs ' * (number % 40)}" for number in range(1500)]
    together = model.embed(texts)
    assert np.allclose(together[::97], np.concatenate([model.embed([text]) for text in texts[::97]]), atol=1e-6)


def test_the_end_of_a_very_long_text_is_cut(model: StaticEmbedder) -> None:
    head = "the migration of the database " * 200
    first, second = model.embed([head, head + "violins " * 5000])
    assert np.array_equal(first, second)


@pytest.mark.parametrize("dimensions", [0, 100, 320, -64])
def test_dimensions_that_the_table_does_not_have(dimensions: int) -> None:
    with pytest.raises(ValueError, match="multiple of 64"):
        StaticEmbedder(dimensions)


def test_names_of_different_sizes_differ() -> None:
    assert StaticEmbedder(64).name != StaticEmbedder(256).name
