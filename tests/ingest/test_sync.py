"""What a sync does, reports, and costs."""

import os
import threading
from pathlib import Path

import apsw
import pytest
from tests.ingest import world as w
from tests.ingest.canonical import dump

from lith.errors import Locked, MapTooNew
from lith.ingest import Progress, RootSpec, SyncRequest, sync
from lith.kernel import locks
from lith.sources.registry import SOURCES
from lith.store.map import schema

SESSION = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
FILE = f"-a/{SESSION}.jsonl"


@pytest.fixture
def world(tmp_path: Path) -> w.World:
    return w.World(tmp_path, "claude_code")


def texts(world: w.World, kind: str = "message") -> list[str]:
    db = schema.open_for_reading(world.map)
    rows = db.execute(
        "SELECT text FROM documents d JOIN pieces p USING (piece_id) WHERE d.kind = ? ORDER BY d.doc_id", (kind,)
    ).fetchall()
    db.close()
    return [str(row[0]) for row in rows]


def test_a_second_sync_reads_no_content_and_writes_no_row(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.write(f"-a/{SESSION}/tool-results/x.txt", b"spilled output")
    first = world.sync().totals
    assert (first.files, first.added, first.skipped, first.records, first.messages) == (2, 1, 1, 1, 1)
    stamp = world.map.stat()
    second = world.sync().totals
    assert (second.unchanged, second.bytes_read, second.rows_written) == (1, 0, 0)
    assert world.map.stat().st_mtime_ns == stamp.st_mtime_ns


def test_one_appended_line_reads_that_line_and_a_bounded_proof(world: w.World) -> None:
    world.write(FILE, b"".join(w.claude_user(n, SESSION, f"prompt {n} " + "filler " * 300) for n in range(200)))
    world.sync()
    more = w.claude_user(300, SESSION, "the appended one")
    world.append(FILE, more)
    totals = world.sync().totals
    assert totals.appended == 1
    assert totals.messages == 1
    assert len(more) <= totals.bytes_read <= len(more) + 4 * 4096
    assert texts(world)[-1] == "the appended one"


def test_a_torn_tail_is_pending_and_taken_in_once_complete(world: w.World) -> None:
    line = w.claude_user(2, SESSION, "second prompt")
    world.write(FILE, w.claude_user(1, SESSION, "first prompt") + line[:60])
    totals = world.sync().totals
    assert (totals.pending, totals.problems, totals.messages) == (1, 0, 1)
    world.append(FILE, line[60:])
    assert world.sync().totals.messages == 1
    assert texts(world) == ["first prompt", "second prompt"]


def test_a_last_line_without_newline_is_found_and_not_doubled_when_the_newline_comes(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "first") + w.claude_user(2, SESSION, "second").rstrip(b"\n"))
    world.sync()
    assert texts(world) == ["first", "second"]
    world.append(FILE, b"\n" + w.claude_user(3, SESSION, "third"))
    world.sync()
    assert texts(world) == ["first", "second", "third"]


def test_message_numbers_stay_when_a_session_grows_in_a_second_file(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "one") + w.claude_user(5, SESSION, "two"))
    world.sync()
    world.write(f"-a/{OTHER}.jsonl", w.claude_user(5, SESSION, "two") + w.claude_user(9, SESSION, "three"))
    world.append(FILE, w.claude_user(12, SESSION, "four"))
    world.sync()
    assert texts(world) == ["one", "two", "three", "four"]


def test_a_vanished_file_keeps_its_session_until_forgotten(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "precious"))
    world.sync()
    world.path(FILE).unlink()
    assert world.sync().totals.gone == 1
    assert texts(world) == ["precious"]
    assert world.sync().totals.rows_written == 0
    world.sync(forget_gone=True)
    assert texts(world) == []


def test_a_missing_root_is_unreachable_and_not_vanished(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "precious"))
    world.sync()
    world.root.rename(world.base / "unmounted")
    totals = world.sync(forget_gone=True).totals
    assert (totals.gone, totals.rows_written) == (0, 0)
    assert texts(world) == ["precious"]


def test_a_moved_file_is_not_a_gone_one(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "precious"))
    world.sync()
    world.path(FILE).rename(world.path(f"-moved/{SESSION}.jsonl"))
    assert world.sync().totals.gone == 0
    assert texts(world) == ["precious"]


def test_a_shortened_copy_never_wins_over_the_longer_one(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "short"))
    world.write(f"-b/{SESSION}.jsonl", w.claude_user(1, SESSION, "short, but much longer in this copy"))
    world.sync()
    assert texts(world) == ["short, but much longer in this copy"]
    world.path(f"-b/{SESSION}.jsonl").write_bytes(b"")
    world.sync()
    assert texts(world) == ["short"]


def test_a_summary_in_another_file_titles_the_session(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "fix it"))
    world.sync()
    world.write(f"-a/{OTHER}.jsonl", w.line({"type": "summary", "summary": "Fixing the port", "leafUuid": w.record_uuid(1)}))
    world.sync()
    assert [row[10] for row in dump(world.map)["sessions"]] == ["Fixing the port"]
    world.path(f"-a/{OTHER}.jsonl").write_bytes(b"")
    world.sync()
    assert [row[10] for row in dump(world.map)["sessions"]] == ["fix it"]


def test_a_file_with_conversation_and_no_message_raises_the_alarm(world: w.World) -> None:
    world.write(
        FILE,
        w.line(
            {
                "type": "user",
                "uuid": w.record_uuid(1),
                "sessionId": SESSION,
                "message": {"role": "user", "content": {"novel": "form"}},
            }
        ),
    )
    report = world.sync()
    assert report.totals.yield_alarms == 1
    assert [problem.reason for problem in report.problems if problem.reason == "yield_alarm"]


def test_unknown_types_are_counted_by_name_and_kept_as_records(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "x") + w.line({"type": "brand-new", "sessionId": SESSION}) * 2)
    totals = world.sync().totals
    assert totals.unknown_types == {"brand-new": 2}
    assert totals.records == 3


@pytest.mark.parametrize(
    "absurd",
    [
        b"null\n",
        b"17\n",
        b"[1,2]\n",
        b'"text"\n',
        b'{"type":17}\n',
        b'{"type":"user","message":%d}\n' % 2**65,
        b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n",
        b"\xff\xfe\x00\n",
        b'{"type":"user","message":{"role":[],"content":{"a":1}},"uuid":7,"timestamp":{},"cwd":[]}\n',
    ],
)
def test_one_absurd_record_costs_no_more_than_itself(world: w.World, absurd: bytes) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "before") + absurd + w.claude_user(2, SESSION, "after"))
    assert world.sync().totals.failed == 0
    assert texts(world) == ["before", "after"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_reported_and_keeps_what_was_read(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "kept"))
    world.sync()
    world.append(FILE, w.claude_user(2, SESSION, "later"))
    world.path(FILE).chmod(0)
    report = world.sync()
    assert report.totals.failed == 1
    assert texts(world) == ["kept"]
    world.path(FILE).chmod(0o600)
    world.sync()
    assert texts(world) == ["kept", "later"]


def test_a_broken_zst_file_is_reported_and_keeps_what_was_read(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "kept") * 2)
    name = world.compress(FILE)
    world.sync()
    world.path(name).write_bytes(b"this is no zstandard frame")
    report = world.sync()
    assert (report.totals.failed, report.problems[0].reason) == (1, "unreadable")
    assert texts(world) == ["kept"]
    assert world.sync().totals.rows_written == 0


def test_two_syncs_at_once_do_not_disturb_each_other(world: w.World) -> None:
    for n in range(40):
        world.write(f"-a/{w.record_uuid(n)}.jsonl", w.claude_user(n, w.record_uuid(n), f"prompt {n}"))
    threads = [threading.Thread(target=world.sync) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts(world)) == 40


def test_a_held_lock_names_its_holder(world: w.World) -> None:
    with locks.exclusive(world.data / "map.lock", wait_seconds=0, now=1), pytest.raises(Locked, match=f"pid {os.getpid()}"):
        world.sync(lock_wait_seconds=0.1)


def test_readers_see_whole_sessions_while_a_sync_runs(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.sync()
    for n in range(300):
        world.write(
            f"-a/{w.record_uuid(n)}.jsonl", b"".join(w.claude_user(n * 10 + i, w.record_uuid(n), f"prompt {i}") for i in range(5))
        )
    seen: set[int] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            db = schema.open_for_reading(world.map)
            seen.update(row[0] for row in db.execute("SELECT count(*) FROM documents d GROUP BY doc_id >> 22"))
            db.close()

    reader = threading.Thread(target=read)
    reader.start()
    world.sync()
    done.set()
    reader.join()
    assert seen <= {1, 5}


def test_another_projection_makes_the_map_anew_and_keeps_what_is_gone(world: w.World) -> None:
    world.write(FILE, w.claude_assistant(1, SESSION, w.text_block("running it"), w.bash_block(1, "make test")))
    world.write(f"-a/{OTHER}.jsonl", w.claude_user(2, OTHER, "soon gone"))
    world.sync()
    world.path(f"-a/{OTHER}.jsonl").unlink()
    world.sync()
    assert len(texts(world, "call")) == 1
    report = world.sync(projection="talk")
    assert report.rebuilt
    assert sorted(texts(world)) == ["running it", "soon gone"]
    assert texts(world, "call") == []
    assert world.sync(projection="talk").totals.rows_written == 0


def test_a_map_of_another_analyzer_is_made_anew(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.sync()
    expected = dump(world.map)
    db = apsw.Connection(str(world.map))
    db.execute("UPDATE meta SET value = '0' WHERE key = 'analyzer'; DELETE FROM documents_fts")
    db.close()
    assert world.sync().rebuilt
    assert dump(world.map) == expected


def test_a_map_of_a_newer_schema_is_refused_and_left_alone(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.sync()
    db = apsw.Connection(str(world.map))
    db.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    db.close()
    before = world.map.read_bytes()
    with pytest.raises(MapTooNew):
        world.sync()
    with pytest.raises(MapTooNew):
        schema.open_for_reading(world.map)
    assert world.map.read_bytes() == before


def test_something_that_is_no_map_is_set_aside_and_not_destroyed(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.data.mkdir()
    world.map.write_bytes(b"somebody's own file, certainly no database")
    report = world.sync()
    assert report.warnings
    assert (world.data / "map.sqlite.damaged-1").read_bytes() == b"somebody's own file, certainly no database"
    assert texts(world) == ["hello"]


def test_a_rebuild_takes_in_roots_that_are_not_asked_for_this_time(world: w.World, tmp_path: Path) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "in the first root"))
    second = tmp_path / "second"
    (second / "-b").mkdir(parents=True)
    (second / "-b" / f"{OTHER}.jsonl").write_bytes(w.claude_user(2, OTHER, "in the second root"))
    roots = (RootSpec("claude_code", world.root), RootSpec("claude_code", second))
    sync(SyncRequest(roots=roots), data_dir=world.data, sources=SOURCES, clock=lambda: 1)
    world.sync(projection="talk")
    assert sorted(texts(world)) == ["in the first root", "in the second root"]


def test_the_map_and_its_directory_are_private(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello"))
    world.sync()
    assert world.map.stat().st_mode & 0o777 == 0o600
    assert world.data.stat().st_mode & 0o777 == 0o700


def test_several_workers_give_the_same_map_as_one(world: w.World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lith.ingest.publish.PARALLEL_BYTES", 1)
    monkeypatch.setattr("lith.ingest.parallel.SEGMENT_BYTES", 5_000)
    monkeypatch.setattr("lith.ingest.project.CHUNK_BYTES", 2_000)
    for n in range(1, 5):
        world.write(
            f"-a/{w.record_uuid(n)}.jsonl",
            b"".join(w.claude_user(n * 1000 + i, w.record_uuid(n), f"prompt {i}") for i in range(60)),
        )
    world.sync(workers=2)
    world.sync(world.base / "alone")
    assert dump(world.map) == dump(world.base / "alone" / "map.sqlite")


def test_secrets_never_reach_the_map(world: w.World) -> None:
    secret = "sk-ant-" + "api03-" + "Zx9" * 20
    world.write(
        FILE,
        w.claude_user(1, SESSION, f"my key is {secret}")
        + w.claude_assistant(2, SESSION, w.bash_block(2, f"export ANTHROPIC_API_KEY={secret}")),
    )
    world.sync()
    assert secret.encode() not in world.map.read_bytes()
    assert b"Zx9Zx9Zx9" not in world.map.read_bytes().lower().replace(b"zx9", b"Zx9")


def test_recalled_text_is_not_indexed_as_new_text(world: w.World) -> None:
    world.write(
        FILE,
        w.claude_user(
            1, SESSION, 'see <historical_context source="lith" arcs="t1">an old decision</historical_context> and go on'
        ),
    )
    world.sync()
    assert "old decision" not in texts(world)[0]
    assert "go on" in texts(world)[0]


def test_ids_that_look_like_numbers_stay_what_they_are(world: w.World) -> None:
    lines = [
        w.claude_user(n, SESSION, f"prompt {n}").replace(w.record_uuid(n).encode(), name.encode())
        for n, name in ((1, "00123"), (2, "1e5"))
    ]
    world.write(FILE, b"".join(lines))
    world.sync()
    assert [row[2] for row in dump(world.map)["records"]] == ["00123", "1e5"]


def test_a_file_of_unknown_types_only_raises_the_alarm(world: w.World) -> None:
    world.write(FILE, w.line({"type": "user2", "sessionId": SESSION, "message": {"role": "user", "content": "hello"}}) * 3)
    assert world.sync().totals.yield_alarms == 1


def test_a_nul_in_a_text_hides_nothing_after_it(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "before \0 after"))
    world.sync()
    assert texts(world) == ["before \u2400 after"]


def test_a_sync_that_loses_messages_reports_no_negative_number(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "one") + w.claude_user(2, SESSION, "two"))
    world.sync()
    world.write(FILE, w.claude_user(1, SESSION, "one"))
    assert world.sync().totals.messages == 0


def coverage(world: w.World) -> list[tuple[str, str, int, int, int]]:
    db = schema.open_for_reading(world.map)
    rows = db.execute("SELECT selector, state, files, pending, failed FROM coverage").fetchall()
    db.close()
    return rows  # type: ignore[return-value]


def test_a_rebuild_keeps_what_vanished_since_the_last_sync(world: w.World) -> None:
    world.write(FILE, w.claude_assistant(1, SESSION, w.text_block("precious"), w.bash_block(1, "make it")))
    world.sync()
    world.path(FILE).unlink()
    report = world.sync(projection="talk")
    assert (report.rebuilt, report.totals.gone) == (True, 1)
    assert texts(world) == ["precious"]
    assert texts(world, "call") == []


def test_a_transcript_that_gives_way_to_a_link_is_gone_and_not_forgotten(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "one"))
    world.sync()
    path = world.path(FILE)
    elsewhere = world.base / "elsewhere.jsonl"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert world.sync().totals.skipped == 1
    assert texts(world) == ["one"]
    assert [row[3] for row in dump(world.map)["sessions"]] == ["gone"]
    assert world.sync().totals.rows_written == 0
    path.unlink()
    elsewhere.rename(path)
    world.sync()
    assert texts(world) == ["one"]


def test_a_new_file_that_goes_away_under_the_sync_is_failed_and_costs_no_other(world: w.World) -> None:
    names = [f"-a/{w.record_uuid(n)}.jsonl" for n in range(1, 4)]
    for n, name in enumerate(names, 1):
        world.write(
            name, w.claude_user(n, w.record_uuid(n), f"prompt {n}") + w.line({"type": f"odd{n}", "sessionId": w.record_uuid(n)})
        )

    def remove_the_last(progress: Progress) -> None:
        world.path(names[-1]).unlink(missing_ok=True)

    report = world.sync(progress=remove_the_last)
    assert (report.totals.failed, report.totals.added) == (1, 2)
    assert report.totals.unknown_types == {"odd1": 1, "odd2": 1}
    assert texts(world) == ["prompt 1", "prompt 2"]
    assert coverage(world)[0][1] == "partial"


def test_a_root_behind_a_symlink_is_covered_like_any_other(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "hello") + b'{"torn')
    link = world.base / "link"
    link.symlink_to(world.root)
    for root in (link, world.root, Path(f"{world.root}/")):
        sync(SyncRequest(roots=(RootSpec("claude_code", root),)), data_dir=world.data, sources=SOURCES, clock=lambda: 1)
    assert coverage(world) == [(f"claude_code:{world.root}", "complete", 1, 1, 0)]


def test_what_an_interrupted_first_sync_published_stays(world: w.World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lith.ingest.publish.BATCH_FILES", 1)
    for n in range(1, 6):
        world.write(f"-a/{w.record_uuid(n)}.jsonl", w.claude_user(n, w.record_uuid(n), f"prompt {n}"))

    def interrupt(progress: Progress) -> None:
        if progress.files_done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.sync(progress=interrupt)
    assert texts(world) == ["prompt 1", "prompt 2", "prompt 3"]
    assert coverage(world) == []
    assert world.sync().totals.added == 2
    assert [row[1] for row in coverage(world)] == ["complete"]


def test_a_file_that_cannot_be_read_now_has_not_gone(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "kept") * 2)
    name = world.compress(FILE)
    world.sync()
    world.path(name).write_bytes(b"this is no zstandard frame")
    world.write(f"-a/{OTHER}.jsonl", w.line({"type": "summary", "summary": "touches it", "leafUuid": w.record_uuid(1)}))
    world.sync()
    assert [row[3] for row in dump(world.map)["sessions"]] == ["live"]


def test_message_numbers_do_not_depend_on_the_order_in_which_roots_came(tmp_path: Path) -> None:
    roots = [tmp_path / "r1", tmp_path / "r2"]
    for n, root in enumerate(roots):
        (root / "-a").mkdir(parents=True)
        (root / FILE).write_bytes(
            w.claude_user(1, SESSION, f"said in root {n}").replace(w.record_uuid(1).encode(), w.record_uuid(50 + n).encode())
        )
    found: list[object] = []
    for order in (roots, roots[::-1]):
        data = tmp_path / f"data{len(found)}"
        for count in (1, 2):
            specs = tuple(RootSpec("claude_code", root) for root in order[:count])
            sync(SyncRequest(roots=specs), data_dir=data, sources=SOURCES, clock=lambda: 1)
        found.append(dump(data / "map.sqlite")["documents"])
    assert found[0] == found[1]


def test_no_column_of_the_map_holds_a_secret(world: w.World) -> None:
    secret = "sk-ant-" + "api03-" + "Qw7" * 20
    record = {
        "type": f"user {secret}",
        "uuid": w.record_uuid(1),
        "sessionId": SESSION,
        "cwd": f"/home/dev/{secret}",
        "gitBranch": f"try-{secret}",
        "version": secret,
        "message": {"role": "user", "content": "x"},
    }
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": f"tool_{secret}",
        "input": {"command": f"curl -H 'Authorization: Bearer {secret}'", "file_path": f"/x/{secret}"},
    }
    named = w.line({"type": "custom-title", "customTitle": f"about {secret}", "sessionId": SESSION})
    world.write(FILE, w.line(record) + w.line({**record, "type": "user"}) + w.claude_assistant(2, SESSION, call) + named)
    world.sync()
    assert secret.encode() not in world.map.read_bytes()


def test_texts_beyond_what_one_record_may_hold_are_counted(world: w.World) -> None:
    blocks = [w.text_block(f"block {n}") for n in range(5000)]
    world.write(FILE, w.claude_assistant(1, SESSION, *blocks))
    report = world.sync()
    assert [problem.reason for problem in report.problems] == ["truncated"]


def test_forgetting_leaves_nothing_behind(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "secret plan").replace(b"/home/dev/shop", b"/home/dev/unlikely-name"))
    world.sync()
    world.path(FILE).unlink()
    world.sync(forget_gone=True)
    db = schema.open_for_reading(world.map)
    for table in (
        "transcripts",
        "transcript_files",
        "attribute_sets",
        "copies",
        "pieces",
        "records",
        "sessions",
        "documents",
        "projects",
    ):
        assert db.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table
    db.close()


def test_absurd_numbers_in_the_right_fields_do_no_harm(world: w.World) -> None:
    def huge(n: int) -> bytes:
        answer = w.claude_assistant(n, SESSION, w.text_block(f"answer {n}"))
        return answer.replace(b'"input_tokens":10', b'"input_tokens":%d' % (2**53 - 1)).replace(b"2026-03-01", b"9999-12-31")

    world.write(FILE, b"".join(huge(n) for n in range(1, 1200)) + w.claude_user(5000, SESSION, "after"))
    assert world.sync().totals.failed == 0
    assert texts(world)[-1] == "after"


def test_a_session_behind_a_link_out_of_the_root_is_named_once(world: w.World) -> None:
    elsewhere = world.base / "elsewhere.jsonl"
    elsewhere.write_bytes(w.claude_user(1, SESSION, "not taken in"))
    world.path(FILE).symlink_to(elsewhere)
    world.path(f"-a/{OTHER}.jsonl").symlink_to(world.base / "nowhere.jsonl")
    first = world.sync()
    assert sorted(problem.reason for problem in first.problems) == ["broken_link", "outside_root"]
    second = world.sync()
    assert (second.problems, second.totals.rows_written, second.totals.skipped) == ([], 0, 2)


def test_very_many_objects_on_one_line_are_handed_on_in_chunks(world: w.World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lith.ingest.project.CHUNK_COPIES", 10)
    objects = b"".join(w.claude_user(n, SESSION, f"prompt {n}").rstrip(b"\n") for n in range(1, 60))
    world.write(FILE, w.claude_user(100, SESSION, "before") + objects + b"\n" + w.claude_user(200, SESSION, "after"))
    world.sync()
    world.append(FILE, w.claude_user(201, SESSION, "later"))
    world.sync()
    world.sync(world.base / "fresh")
    assert dump(world.map) == dump(world.base / "fresh" / "map.sqlite")
    assert len(texts(world)) == 62


def test_what_stands_on_an_unfinished_line_is_counted_once(world: w.World) -> None:
    odd = w.line({"type": "odd", "sessionId": SESSION})
    world.write(FILE, w.claude_user(1, SESSION, "x") + odd.rstrip(b"\n"))
    world.sync()
    world.append(FILE, b"\n" + w.claude_user(2, SESSION, "y"))
    world.sync()
    world.sync(world.base / "fresh")
    assert dump(world.map) == dump(world.base / "fresh" / "map.sqlite")


def test_the_problems_that_are_kept_do_not_depend_on_how_a_file_grew(world: w.World) -> None:
    for _ in range(15):
        world.append(FILE, b"{bad\n" * 10)
        world.sync()
    world.sync(world.base / "fresh")
    assert dump(world.map)["problems"] == dump(world.base / "fresh" / "map.sqlite")["problems"]
    assert len(dump(world.map)["problems"]) == 100


def test_a_file_of_many_sessions_is_read_once_for_all_of_them(world: w.World) -> None:
    world.write(FILE, b"".join(w.claude_user(n, w.record_uuid(n % 40 + 1000), f"prompt {n}") for n in range(400)))
    world.sync()
    db = schema.open_for_reading(world.map)
    plan = db.execute(
        "EXPLAIN QUERY PLAN SELECT copy_id FROM copies INDEXED BY copies_transcript WHERE copy_id >= 1 AND copy_id < 9 AND transcript_id = 2"
    ).fetchall()
    db.close()
    assert "transcript_id=? AND rowid>? AND rowid<?" in str(plan)
    assert sum(1 for _ in texts(world)) == 400
