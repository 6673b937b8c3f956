"""The handoff document: what a fresh session needs, without secrets and without recalled words."""

from pathlib import Path

import pytest
from tests.keep.transcripts import REAL, Writer, make
from tests.keep.world import KEY

from lith.archive import FileKey
from lith.errors import StorageError
from lith.keep import write_handoff
from lith.scrub import wrap_sentinel


def test_it_tells_what_was_asked_done_and_answered(live: Path) -> None:
    live.write_bytes(make(["title", "prompt", "call", "big_input", "prompt", "answer"]))
    text = write_handoff(KEY, live)
    assert text.startswith("# Handoff: title 0\n")
    assert f"`claude_code:{KEY.session}`" in text
    assert "1. please do 1," in text
    assert "2. please do" in text
    assert "- `/a`" in text
    assert "- `ls`" in text
    assert "## Last answer\n\nan answer" in text
    assert len(text) < len(live.read_bytes())


def test_secrets_and_recalled_words_stay_behind(live: Path) -> None:
    writer = Writer()
    recalled = wrap_sentinel("long ago", ["claude_code:x#1"])
    writer.add("user", message={"role": "user", "content": f"use the token ghp_{'a1B2' * 9} {recalled} now"})
    live.write_bytes(b"".join(writer.lines))
    text = write_handoff(KEY, live)
    assert "ghp_a1B2a1B2a1B2" not in text
    assert "long ago" not in text
    assert "use the token" in text


@pytest.mark.parametrize("path", REAL[::5], ids=lambda path: path.stem[:18])
def test_real_sessions_have_one(path: Path) -> None:
    text = write_handoff(FileKey("claude_code", path.stem, f"p/{path.name}"), path)
    assert text.startswith("# Handoff: ")


def test_a_missing_file_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        write_handoff(KEY, tmp_path / "none")
