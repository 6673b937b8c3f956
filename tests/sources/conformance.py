"""What every adapter must do, as a test class that the tests of each adapter inherit, and how to read a tree of fixtures with one."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lith.kernel import ids
from lith.records import address
from lith.records.arrangement import Arrangement, Outline, PieceOutline
from lith.records.record import Kind, Piece, Problem, Record, Role
from lith.sources.base import Candidate, FileContext, Source

ABSURD = (
    b"{}",
    b'{"type":null}',
    b'{"type":5}',
    b'{"type":""}',
    b'{"type":[],"uuid":{},"message":7,"payload":true}',
    b'{"type":"user","message":null,"payload":null}',
    b'{"type":"user","message":[[[]]],"payload":[{"type":{}}]}',
    b'{"type":"user","timestamp":1e308,"uuid":"","sessionId":"a/b c#d:e"}',
    b'{"type":"user","timestamp":"9999-99-99T99:99:99Z","cwd":"\\u0000"}',
    b'{"type":"user","timestamp":' + b"9" * 5000 + b"}",
    b'{"type":"user","text":"\\ud800"}',
    b'{"type":"user","text":"\xff\xfe"}',
    b'{"type":"user","deep":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    b'{"type":"user","deep":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_000 + b"}",
)
"""JSON objects as no client writes them."""

NOT_OBJECTS = (b"", b" ", b"null", b"5", b'"text"', b"[]", b"[1,2]", b"{", b'{"type":', b'{"a":1}{"b":2}', b"\x00", b"\xff")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)

MODEST = settings(
    max_examples=60,
    deadline=None,
    # Each adapter's class runs the same inherited test.
    suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow],
)


def outline_of(record: Record, at: int = 0) -> Outline:
    """What the map keeps of a record."""
    return Outline(
        record_id=record.record_id,
        type=record.type,
        at=at,
        timestamp=record.timestamp,
        parent=record.parent,
        logical_parent=record.logical_parent,
        prompt=None if record.prompt_id is None else ids.pack(record.prompt_id),
        message=None if record.message_id is None else ids.small_hash(record.message_id),
        tool_use_id=record.tool_use_id,
        target=record.target,
        flags=record.flags,
        usage=record.usage,
        attributes=record.attributes,
        pieces=tuple(
            PieceOutline(p.kind, p.role, p.label, p.tool, p.order, p.native, ids.small_hash(p.text), len(p.text))
            for p in record.pieces
        ),
    )


def outlines_of(records: Sequence[Record]) -> list[Outline]:
    """The outlines of a transcript's records, with the running maximum of their times."""
    outlines = []
    at = 0
    for record in records:
        at = max(at, record.timestamp or 0)
        outlines.append(outline_of(record, at))
    return outlines


def iter_lines(source: Source, root: Path) -> Iterator[tuple[Candidate, FileContext, bytes]]:
    """Every line of every transcript below `root`, with its file."""
    for candidate in source.iter_candidates(root):
        if candidate.skip is None:
            lines = candidate.path.read_bytes().splitlines()
            context = source.file_context(candidate.relative, lines[0] if lines else b"")
            for line in lines:
                yield candidate, context, line


def read_tree(source: Source, root: Path) -> dict[str, list[Record]]:
    """The records below `root`, by transcript; of several copies of one record the first."""
    transcripts: dict[str, dict[str, Record]] = {}
    for _, context, line in iter_lines(source, root):
        record = source.parse(line, context, ids.digest(line))
        assert isinstance(record, Record), record
        transcripts.setdefault(record.transcript, {}).setdefault(record.record_id, record)
    return {transcript: list(records.values()) for transcript, records in transcripts.items()}


def pieces_of(records: Sequence[Record], kind: Kind, role: Role | None = None) -> list[Piece]:
    """The pieces of one kind, in order."""
    return [p for record in records for p in record.pieces if p.kind == kind and (role is None or p.role == role)]


def assert_whole(arrangement: Arrangement, outlines: Sequence[Outline]) -> None:
    """Every record has its place, and what the arrangement names exists."""
    assert len(arrangement.session_of) == len(outlines)
    assert all(-1 <= session < len(arrangement.sessions) for session in arrangement.session_of)
    assert set(arrangement.session_of) - {-1} == set(range(len(arrangement.sessions)))
    assert len({plan.native_id for plan in arrangement.sessions}) == len(arrangement.sessions)
    assert all(0 <= i < len(outlines) for i in arrangement.abandoned)
    assert all(0 <= p < len(outlines[i].pieces) for i, p in arrangement.hidden)


class SourceConformance:
    """The tests that every adapter passes. A subclass names its adapter and at least one tree of fixtures."""

    source: ClassVar[Source]
    roots: ClassVar[Sequence[Path]]
    unknown: ClassVar[bytes] = (
        b'{"timestamp":"2026-01-31T12:00:00.000Z","type":"never-seen-before","payload":{"a":1},"uuid":"u-1"}'
    )
    """A whole record of a type that does not exist."""

    def test_its_name_is_one_of_the_clients(self) -> None:
        assert self.source.name in address.SOURCES

    def test_default_roots_are_below_the_home_and_need_not_exist(self, home: Path) -> None:
        roots = self.source.default_roots(home, {})
        assert roots
        assert all(root.is_relative_to(home) for root in roots)
        assert [list(self.source.iter_candidates(root)) for root in roots] == [[] for _ in roots]

    def test_candidates_come_in_one_order_under_their_own_names(self) -> None:
        for root in self.roots:
            found = list(self.source.iter_candidates(root))
            assert found == list(self.source.iter_candidates(root))
            assert any(candidate.skip is None for candidate in found)
            assert len({candidate.relative for candidate in found}) == len(found)
            assert all(candidate.path == root / candidate.relative for candidate in found)
            assert all(candidate.path.is_file() for candidate in found if candidate.skip is None)

    def test_records_are_the_same_however_the_root_is_spelled(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        root = self.roots[0].resolve()
        link = tmp_path / "link"
        link.symlink_to(root)
        monkeypatch.chdir(root.parent)
        expected = read_tree(self.source, root)
        for spelling in (Path(root.name), link, Path(f"{root}{os.sep}"), root / ".." / root.name):
            assert read_tree(self.source, spelling) == expected

    def test_candidates_never_leave_the_root(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret.jsonl").write_bytes(b"{}\n")
        root = tmp_path / "root"
        source_file = next(c for c in self.source.iter_candidates(self.roots[0]) if c.skip is None)
        inside = root / source_file.relative
        inside.parent.mkdir(parents=True)
        inside.write_bytes(source_file.path.read_bytes())
        beside = inside.parent
        name = inside.name
        (beside / f"{name}.link.jsonl").symlink_to(outside / "secret.jsonl")
        (beside / "linked-folder").symlink_to(outside)
        (beside / "round").symlink_to(root)
        (beside / f"{name}.broken.jsonl").symlink_to(outside / "nothing.jsonl")
        (beside / f"{name}.folder.jsonl").mkdir()
        os.mkfifo(beside / f"{name}.pipe.jsonl")
        found = list(self.source.iter_candidates(root))
        read = [candidate for candidate in found if candidate.skip is None]
        assert [candidate.relative for candidate in read] == [source_file.relative]
        skipped = {candidate.path.name for candidate in found if candidate.skip}
        assert skipped == {
            f"{name}.link.jsonl",
            "linked-folder",
            f"{name}.broken.jsonl",
            f"{name}.folder.jsonl",
            f"{name}.pipe.jsonl",
        }

    def test_a_link_inside_the_root_is_followed(self, tmp_path: Path) -> None:
        source_file = next(c for c in self.source.iter_candidates(self.roots[0]) if c.skip is None)
        original = tmp_path / source_file.relative
        original.parent.mkdir(parents=True)
        original.write_bytes(source_file.path.read_bytes())
        link = original.with_name(original.name.replace(".jsonl", "x.jsonl"))
        link.symlink_to(original)
        found = {candidate.path for candidate in self.source.iter_candidates(tmp_path) if candidate.skip is None}
        assert found == {original, link}

    def test_every_line_of_the_fixtures_is_a_record_of_a_known_type(self) -> None:
        for root in self.roots:
            for candidate, context, line in iter_lines(self.source, root):
                record = self.source.parse(line, context, ids.digest(line))
                assert isinstance(record, Record), (candidate.relative, line[:200])
                assert record.transcript
                assert record.record_id
                assert record.dropped == ()
                assert self.source.knows_type(record.type), record.type

    def test_a_record_depends_on_its_own_bytes_alone(self) -> None:
        for root in self.roots:
            read = [
                (line, context, self.source.parse(line, context, ids.digest(line)))
                for _, context, line in iter_lines(self.source, root)
            ]
            for line, context, record in reversed(read):
                assert self.source.parse(memoryview(line), context, ids.digest(line)) == record

    def test_an_unknown_type_is_kept_under_its_name(self) -> None:
        record = self.source.parse(self.unknown, FileContext(transcript="t"), b"0" * 16)
        assert isinstance(record, Record)
        assert record.type.startswith("never-seen-before")
        assert record.pieces == ()
        assert not self.source.knows_type(record.type)
        assert not self.source.is_transcript_text(record.type)

    def test_some_known_type_is_expected_to_give_text(self) -> None:
        types = {r.type for root in self.roots for records in read_tree(self.source, root).values() for r in records}
        assert any(self.source.is_transcript_text(type_) for type_ in types)
        assert all(self.source.knows_type(type_) for type_ in types if self.source.is_transcript_text(type_))

    @pytest.mark.parametrize("data", ABSURD, ids=range(len(ABSURD)))
    def test_an_absurd_object_is_a_record_or_a_problem(self, data: bytes) -> None:
        parsed = self.source.parse(data, FileContext(transcript="t"), b"0" * 16)
        assert isinstance(parsed, Record | Problem)
        msgspec.json.encode(parsed)  # what nothing could store would be refused here

    @pytest.mark.parametrize("data", NOT_OBJECTS, ids=range(len(NOT_OBJECTS)))
    def test_what_is_no_object_is_never_a_record(self, data: bytes) -> None:
        try:
            parsed = self.source.parse(data, FileContext(transcript="t"), b"0" * 16)
        except msgspec.DecodeError:
            return
        assert isinstance(parsed, Problem)

    @MODEST
    @given(st.binary(max_size=200))
    def test_arbitrary_bytes_raise_nothing_but_a_decode_error(self, data: bytes) -> None:
        try:
            self.source.parse(data, FileContext(transcript="t"), b"0" * 16)
        except msgspec.DecodeError:
            return

    @MODEST
    @given(st.data())
    def test_a_wrong_value_anywhere_in_a_real_record_is_taken(self, data: st.DataObject) -> None:
        lines = _some_lines(self)
        context, line = data.draw(st.sampled_from(lines))
        value = msgspec.json.decode(line)
        where: Any = value
        for _ in range(data.draw(st.integers(0, 5))):
            keys = [
                k for k, v in (where.items() if isinstance(where, dict) else enumerate(where)) if isinstance(v, dict | list) and v
            ]
            if not keys:
                break
            where = where[data.draw(st.sampled_from(keys))]
        key = data.draw(st.sampled_from(list(where) if isinstance(where, dict) else list(range(len(where)))))
        where[key] = data.draw(JSON)
        parsed = self.source.parse(msgspec.json.encode(value), context, b"0" * 16)
        assert isinstance(parsed, Record | Problem)
        msgspec.json.encode(parsed)

    @MODEST
    @given(st.text(max_size=30), st.binary(max_size=60))
    def test_the_context_of_any_file_can_be_had(self, relative: str, first: bytes) -> None:
        context = self.source.file_context(relative, first)
        assert context == self.source.file_context(relative, first)
        assert context.transcript

    def test_an_arrangement_covers_every_record(self) -> None:
        for root in self.roots:
            for transcript, records in read_tree(self.source, root).items():
                outlines = outlines_of(records)
                arrangement = self.source.arrange(transcript, outlines)
                assert_whole(arrangement, outlines)
                assert self.source.arrange(transcript, outlines) == arrangement

    def test_no_records_have_an_empty_arrangement(self) -> None:
        assert self.source.arrange("t", []) == Arrangement(sessions=(), session_of=())

    @MODEST
    @given(st.data())
    def test_no_parent_graph_loses_a_record(self, data: st.DataObject) -> None:
        records = [outline_of(r) for root in self.roots[:1] for rs in read_tree(self.source, root).values() for r in rs][:200]
        chosen = data.draw(st.lists(st.sampled_from(records), max_size=12))
        names = [f"r{i}" for i in range(len(chosen))]
        links = st.sampled_from([None, "phantom", *names])
        outlines = [
            msgspec.structs.replace(
                outline,
                record_id=name,
                parent=data.draw(links),
                logical_parent=data.draw(links),
                flags=data.draw(st.integers(0, 255)),
            )
            for name, outline in zip(names, chosen, strict=True)
        ]
        assert_whole(self.source.arrange("t", outlines), outlines)


_LINES: dict[str, list[tuple[FileContext, bytes]]] = {}


def _some_lines(tests: SourceConformance) -> list[tuple[FileContext, bytes]]:
    """One line of each shape that the fixtures hold, the short ones."""
    name = tests.source.name
    if name not in _LINES:
        shapes: dict[tuple[str, tuple[str, ...]], tuple[FileContext, bytes]] = {}
        for root in tests.roots:
            for _, context, line in iter_lines(tests.source, root):
                record = tests.source.parse(line, context, b"0" * 16)
                if isinstance(record, Record) and len(line) < 20_000:
                    shapes.setdefault((record.type, tuple(p.kind.value for p in record.pieces)), (context, line))
        _LINES[name] = list(shapes.values())
    return _LINES[name]
