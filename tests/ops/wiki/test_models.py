"""Which embedding model is meant."""

import pytest

from lith.embed import EMBEDDERS
from lith.errors import UsageError
from lith.ops.wiki.models import ModelChoice, find_model, get_model
from lith.wiki import OllamaEmbedder
from lith.wiki.errors import EmbedderFailed


def test_without_a_word_it_is_the_one_that_is_built_in() -> None:
    assert get_model(ModelChoice()).name.startswith("lith-static")
    assert get_model(ModelChoice(model="hashed")).name.startswith("hashed")


def test_another_name_or_a_url_is_a_model_of_an_ollama_server() -> None:
    assert isinstance(get_model(ModelChoice(model="nomic-embed-text")), OllamaEmbedder)
    assert isinstance(get_model(ModelChoice(ollama_url="http://127.0.0.1:1")), OllamaEmbedder)
    assert isinstance(get_model(ModelChoice(model="static", ollama_url="http://localhost:1")), OllamaEmbedder)


def test_a_server_elsewhere_is_refused_unless_that_is_said() -> None:
    elsewhere = "http://192.0.2.1:11434"
    with pytest.raises(UsageError, match="not this machine"):
        get_model(ModelChoice(ollama_url=elsewhere))
    assert isinstance(get_model(ModelChoice(ollama_url=elsewhere, allow_remote=True)), OllamaEmbedder)


def test_a_typo_in_the_name_of_a_built_in_model_is_no_ollama_model() -> None:
    with pytest.raises(UsageError) as raised:
        get_model(ModelChoice(model="statik"))
    assert all(name in (raised.value.hint or "") for name in EMBEDDERS)


def test_a_model_that_nobody_asked_for_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise FileNotFoundError(2, "No such file or directory", "rows.i8")

    monkeypatch.setitem(EMBEDDERS, "static", gone)
    assert find_model(ModelChoice()) is None
    with pytest.raises(EmbedderFailed, match="No such file"):
        get_model(ModelChoice())
    with pytest.raises(EmbedderFailed):
        find_model(ModelChoice(model="static"))
