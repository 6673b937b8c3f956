"""Which clients there are, without importing their adapters."""

import subprocess
import sys

import pytest

from lith.errors import UnknownSource
from lith.ops.known_clients import check_client, client_names, find_near
from lith.records.address import SOURCES as ADDRESSED
from lith.sources.registry import SOURCES


def test_clients_were_offered_that_have_no_adapter() -> None:
    assert set(client_names()) == set(SOURCES)


def test_asking_imports_no_adapter() -> None:
    program = "import sys; from lith.ops.known_clients import client_names; client_names(); print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert not [name for name in done.stdout.split() if name.startswith(("lith.sources.claude", "lith.sources.registry"))]


@pytest.mark.parametrize(
    ("typed", "near"),
    [("claude", "claude_code"), ("Claude-Code", "claude_code"), ("codx", "codex"), ("CODEX", "codex"), ("gem", "gemini")],
)
def test_a_client_that_is_mistyped_is_guessed(typed: str, near: str) -> None:
    with pytest.raises(UnknownSource, match="--source") as caught:
        check_client(typed, "--source")
    assert (caught.value.hint or "").startswith(f"did you mean {near}?")
    assert not any(name in (caught.value.hint or "") for name in set(ADDRESSED) - set(SOURCES))


def test_near_words_are_few() -> None:
    known = ["Bash", "BashOutput", "KillBash", "Read", "apply_patch"]
    assert find_near("bash", known, count=2) == ["Bash", "BashOutput"]
    assert find_near("reed", known) == ["Read"]
    assert find_near("", known) == []
    assert find_near("zzz", known) == []
