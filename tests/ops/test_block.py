"""The bytes of a record: exact, or not at all."""

import os
from pathlib import Path

import msgspec
import pytest
from backports import zstd

from lith.errors import LithError, StaleSource
from lith.kernel import ids
from lith.ops.block import BlockRequest, BlockResult, block
from lith.ops.runtime import Runtime
from lith.ops.sync import SyncRequest, sync

SESSION = "claude_code:3f0c61de-6a0b-4a4b-9a52-0f6d2c1b7e01"


def first(runtime: Runtime) -> BlockResult:
    return block(BlockRequest(f"{SESSION}#1"), runtime)


def transcript(runtime: Runtime) -> Path:
    return next(runtime.data_dir.rglob("3f0c61de*.jsonl"))


def test_a_message_and_a_record_give_the_same_bytes(synced: Runtime) -> None:
    by_message = first(synced)
    by_record = block(BlockRequest(f"rec:{by_message.record}"), synced)
    assert by_message == by_record
    raw = transcript(synced).read_bytes()
    assert by_message.data() == raw[by_message.offset : by_message.offset + by_message.length]
    assert by_message.hash == ids.digest(by_message.data()).hex()
    assert by_message.path == str(transcript(synced))
    assert by_message.type == "user"
    assert msgspec.json.decode(by_message.data())["message"]["content"].startswith("test_quote_expiry fails")


def test_a_session_that_only_grew_still_gives_its_records(synced: Runtime) -> None:
    before = first(synced)
    with transcript(synced).open("ab") as file:
        file.write(b'{"type":"user"}\n')
    assert first(synced) == before


def test_a_rewritten_file_is_stale(synced: Runtime) -> None:
    path = transcript(synced)
    path.write_bytes(path.read_bytes().replace(b"test_quote_expiry", b"test_quote_expirY"))
    with pytest.raises(StaleSource, match="changed after the last sync") as caught:
        first(synced)
    assert ["lith", "sync", "--data-dir", str(synced.data_dir)] in caught.value.next


def test_an_edit_that_hides_behind_size_and_time_is_found(synced: Runtime) -> None:
    path = transcript(synced)
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b"test_quote_expiry", b"test_quote_expirY"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(StaleSource, match="size and time are the same"):
        first(synced)


def test_a_vanished_file_is_stale(synced: Runtime) -> None:
    transcript(synced).unlink()
    with pytest.raises(StaleSource, match="No such file"):
        first(synced)


def test_a_link_that_leads_out_is_not_followed(synced: Runtime, tmp_path: Path) -> None:
    path = transcript(synced)
    path.rename(tmp_path / "moved.jsonl")
    path.symlink_to(tmp_path / "moved.jsonl")
    with pytest.raises(StaleSource, match="leads out"):
        first(synced)
    path.unlink()
    folder = path.parent
    folder.rename(tmp_path / "folder")
    (tmp_path / "moved.jsonl").rename(tmp_path / "folder" / path.name)
    folder.symlink_to(tmp_path / "folder")
    with pytest.raises(StaleSource, match="leads out"):
        first(synced)


def test_a_link_that_stays_inside_is(synced: Runtime) -> None:
    before = first(synced)
    path = transcript(synced)
    other = path.with_name("moved.jsonl")
    path.rename(other)
    path.symlink_to(other)
    assert first(synced) == before


def test_a_pipe_is_not_waited_on(synced: Runtime) -> None:
    path = transcript(synced)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StaleSource, match="regular"):
        first(synced)


def test_a_torn_file_is_stale_and_not_shorter(synced: Runtime) -> None:
    found = first(synced)
    os.truncate(transcript(synced), found.offset + found.length - 1)
    with pytest.raises(StaleSource):
        first(synced)


@pytest.mark.parametrize("address", ["rec:ffffffffffff", "rec:", f"{SESSION}#99", SESSION, "nonsense here", ""])
def test_an_address_that_leads_nowhere_is_an_error(synced: Runtime, address: str) -> None:
    with pytest.raises(LithError):
        block(BlockRequest(address), synced)


def test_a_compressed_session_gives_its_records(home: Path, outer: Runtime) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    line = (
        b'{"type":"user","message":{"role":"user","content":"compressed words"},"uuid":"0b7a4c9e-1111-4222-8333-444455556666",'
        b'"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work","sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}'
    )
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl.zst").write_bytes(zstd.compress(line + b"\n"))
    sync(SyncRequest(), outer)
    found = block(BlockRequest("rec:0b7a4c9e"), outer)
    assert found.data() == line
    assert found.path.endswith(".zst")


def test_bytes_that_are_no_text_are_base64(home: Path, outer: Runtime) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    line = (
        b'{"type":"user","message":{"role":"user","content":"broken \xff byte"},"uuid":"0b7a4c9e-1111-4222-8333-444455556666",'
        b'"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work","sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}'
    )
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").write_bytes(line + b"\n")
    sync(SyncRequest(), outer)
    found = block(BlockRequest("rec:0b7a4c9e"), outer)
    assert found.text is None
    assert found.data() == line
