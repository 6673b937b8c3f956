"""Small maps for tests of reading: rows put into the tables as the schema describes them, without raw files."""

from collections.abc import Iterable
from pathlib import Path

import apsw
import msgspec

from lith.kernel.ids import derive, digest, pack, small_hash
from lith.kernel.text import index_text
from lith.records.address import session_ref
from lith.store.map import schema

START = 1_760_000_000_000
MINUTE = 60_000
DAY = 86_400_000


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One document to be. `texts` are its pieces; `at` is milliseconds (None: one minute after the one before)."""

    kind: str
    texts: tuple[str, ...]
    role: str | None = None
    label: str | None = None
    tool: str | None = None
    at: int | None = None
    timed: bool = True
    record: str | None = None
    abandoned: bool = False


def user(*texts: str, at: int | None = None, record: str | None = None, abandoned: bool = False, timed: bool = True) -> Said:
    """A message of a person."""
    return Said(kind="message", role="user", texts=texts, at=at, record=record, abandoned=abandoned, timed=timed)


def assistant(*texts: str, at: int | None = None, record: str | None = None, abandoned: bool = False) -> Said:
    """A message of a model."""
    return Said(kind="message", role="assistant", texts=texts, at=at, record=record, abandoned=abandoned)


def call(tool: str, *, at: int | None = None, record: str | None = None, **fields: str) -> Said:
    """A tool call with its allow-listed fields."""
    return Said(kind="call", tool=tool, texts=(msgspec.json.encode(fields).decode(),), at=at, record=record)


def profile(label: str, text: str, *, at: int | None = None) -> Said:
    """A text about the session."""
    return Said(kind="profile", label=label, texts=(text,), at=at)


class MapBuilder:
    """A map in the making; `connection` can read it at any time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection: apsw.Connection = schema.create(path, projection="calls")
        self._sessions = 0

    def add(
        self,
        native_id: str,
        said: Iterable[Said],
        *,
        source: str = "claude_code",
        kind: str = "main",
        parent: str | None = None,
        cwd: str | None = "/home/u/app",
        project: str | None = None,
        title: str | None = None,
        state: str = "live",
        start: int = START,
    ) -> str:
        """Add a session with all that was said in it; returns its address."""
        self._sessions += 1
        number = self._sessions
        ref = session_ref(source, native_id)
        execute = self.connection.execute
        execute("BEGIN")
        execute(
            "INSERT INTO source_files (file_id, source, root, path, state, dev, inode, size, mtime_ns, ctime_ns)"
            " VALUES (?, ?, '/r', ?, ?, 1, ?, 1000, 5, 6)",
            (number, source, f"{native_id}.jsonl", state, number),
        )
        execute("INSERT INTO transcripts VALUES (?, ?, ?)", (number, source, native_id))
        execute("INSERT INTO transcript_files VALUES (?, ?)", (number, number))
        rows = list(self._rows(number, native_id, said, start))
        times = [row[1] for row in rows if row[1] is not None]
        counts = [sum(1 for one, _ in rows if one.kind == "message" and role in {None, one.role}) for role in (None, "user")]
        calls = sum(1 for one, _ in rows if one.kind == "call")
        execute(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'main', '2.1', 'model-x', NULL, NULL, ?, NULL, ?, ?, ?, ?, ?, ?, 10, 20, 30, 40)",
            (
                number, number, ref, source, native_id, session_ref(source, parent) if parent else None, kind, state, cwd, title,
                min(times, default=None), max(times, default=None), *counts, calls, len(rows),
            ),
        )  # fmt: skip
        if cwd is not None:
            execute("INSERT OR IGNORE INTO projects (cwd, key) VALUES (?, ?)", (cwd, project or cwd))
        execute("COMMIT")
        return ref

    def set_meta(self, key: str, value: str) -> None:
        """Set a value of `meta`."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def cover(self, source: str = "claude_code", *, pending: int = 0, failed: int = 0) -> None:
        """Claim that a sync covered a client."""
        self.connection.execute(
            "INSERT OR REPLACE INTO coverage VALUES (?, 'complete', ?, 1, ?, ?, NULL)", (f"{source}:/r", START, pending, failed)
        )

    def _rows(self, number: int, native_id: str, said: Iterable[Said], start: int) -> Iterable[tuple[Said, int | None]]:
        clock = start
        seq = others = 0
        offset = 0
        for order, one in enumerate(said):
            clock = one.at if one.at is not None else clock + MINUTE
            moment = clock if one.timed else None
            if one.kind == "message":
                seq += 1
                doc_id = (number << schema.DOCUMENT_SHIFT) + seq
            else:
                doc_id = (number << schema.DOCUMENT_SHIFT) + schema.OTHER_DOCUMENTS + others
                others += 1
            own_seq = None if one.kind == "profile" or not seq else seq
            place = seq or None
            record = pack(one.record or derive(native_id, f"{order}".encode()))
            copy_id = (number << schema.COPY_SHIFT) + order
            self._put_copy(copy_id, number, record, offset, one, moment)
            offset += 100
            self.connection.execute(
                "INSERT OR REPLACE INTO records (record_id, transcript_id, copy_id, session_id, seq, abandoned) VALUES (?, ?, ?, ?, ?, ?)",
                (record, number, copy_id, number, place, int(one.abandoned)),
            )
            self._put_document(doc_id, copy_id, record, one, own_seq, moment)
            yield one, moment

    def _put_copy(self, copy_id: int, number: int, record: object, offset: int, one: Said, moment: int | None) -> None:
        self.connection.execute(
            "INSERT INTO copies (copy_id, transcript_id, record_id, line, offset, length, hash, type, at, timestamp, flags)"
            " VALUES (?, ?, ?, ?, ?, 99, ?, ?, 0, ?, 0)",
            (
                copy_id,
                number,
                record,
                offset // 100 + 1,
                offset,
                digest("".join(one.texts).encode()),
                one.role or one.kind,
                moment,
            ),
        )

    def _put_document(self, doc_id: int, copy_id: int, record: object, one: Said, seq: int | None, moment: int | None) -> None:
        pieces = [(copy_id << schema.PIECE_SHIFT) + i for i in range(len(one.texts))]
        for piece_id, text in zip(pieces, one.texts, strict=True):
            self.connection.execute(
                "INSERT INTO pieces (piece_id, kind, role, label, tool, position, native, hash, length, text)"
                " VALUES (?, ?, ?, ?, ?, 0, 1, ?, ?, ?)",
                (piece_id, one.kind, one.role, one.label, one.tool, small_hash(text), len(text), text),
            )
        text_hash = small_hash("\n".join(one.texts))
        twin = small_hash(f"{one.role or one.tool} {text_hash} {moment}")
        more = msgspec.json.encode(pieces[1:]).decode() if len(pieces) > 1 else None
        self.connection.execute(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                doc_id, one.kind, one.role, one.label, one.tool, seq, moment, record, pieces[0], more, text_hash, twin,
                sum(map(len, one.texts)), int(one.abandoned),
            ),
        )  # fmt: skip
        self.connection.execute("INSERT INTO documents_fts (rowid, body) VALUES (?, ?)", (doc_id, index_text(_searchable(one))))


def _searchable(one: Said) -> str:
    if one.kind != "call":
        return "\n".join(one.texts)
    return "\n".join((one.tool or "", *msgspec.json.decode(one.texts[0], type=dict[str, str]).values()))
