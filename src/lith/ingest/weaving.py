"""From the threads of a transcript to their rows: what they say together, their terms, and what they recalled.

`derive` calls it inside the transaction of a sync. The texts of a thread are read only where they are other texts than those that its row
was made from, so that a session that grows costs the thread that grows.
"""

from collections.abc import Iterable, Sequence

import apsw
import msgspec

from lith.ingest.compose import Composition, Document
from lith.ingest.terms import VERSION, Text, find_terms
from lith.ingest.threads import Thread, Threads
from lith.kernel.ids import Packed, small_hash, unpack
from lith.kernel.tokens import estimate_tokens
from lith.records.record import Kind, Role
from lith.store.map import threads as store

TITLE_LENGTH = 120

_SAID = frozenset({Kind.MESSAGE, Kind.CALL, Kind.RESULT})
_FIELDS = msgspec.json.Decoder(dict[str, str])


def weave(
    connection: apsw.Connection,
    transcript_id: int,
    woven: Threads,
    record_ids: Sequence[Packed],
    composition: Composition,
    session_ids: Sequence[int | None],
) -> list[int]:
    """Make the threads of a transcript exactly these; returns their numbers in the map, parallel to `woven.threads`.

    `record_ids` are the records that `woven.thread_of` speaks of, `session_ids` the numbers of the sessions by index (-1: none).
    """
    documents = _gather(woven, record_ids, composition)
    old = store.load_transcript(connection, transcript_id)
    numbers = []
    for thread, own in zip(woven.threads, documents, strict=True):
        known = old.pop(thread.thread_id, None)
        numbers.append(_put(connection, transcript_id, thread, own, session_ids[thread.session], known))
    store.delete_threads(connection, (number for number, _ in old.values()))
    return numbers


def cite(connection: apsw.Connection, transcript_id: int, numbers: Sequence[int]) -> None:
    """Make the citations of a transcript's threads exactly what its records recall; of one arc in a thread the first record counts."""
    wanted: dict[tuple[int, str], store.Row] = {}
    recalled = store.iter_recalled(connection, transcript_id)
    recalled.sort(key=lambda row: (row[3] is None, row[3], unpack(row[1])))
    for thread, record_id, seq, timestamp, arcs in recalled:
        for arc in arcs.split():
            wanted.setdefault((thread, arc), (record_id, seq, timestamp))
    store.put_citations(connection, numbers, wanted)


def _gather(woven: Threads, record_ids: Sequence[Packed], composition: Composition) -> list[list[Document]]:
    """What was said and done in each thread, in order."""
    thread_of = dict(zip(record_ids, woven.thread_of, strict=True))
    documents: list[list[Document]] = [[] for _ in woven.threads]
    for session in composition.sessions:
        for document in (*session.messages, *session.others):
            number = thread_of.get(document.record_id)  # a text from another session's file stands in no thread of this one
            if number is not None and document.kind in _SAID:
                documents[number].append(document)
    return documents


def _put(
    connection: apsw.Connection,
    transcript_id: int,
    thread: Thread,
    documents: Sequence[Document],
    session_id: int | None,
    known: tuple[int, store.Row] | None,
) -> int:
    fingerprint = small_hash(f"{VERSION} {' '.join(str(one.hash) for one in documents)}")
    same = known is not None and known[1][store.FINGERPRINT] == fingerprint
    texts: list[Text] = []
    title: object
    tokens: object
    if known is not None and same:
        title, tokens = known[1][store.TITLE], known[1][store.TOKENS]
    else:
        texts = _load_texts(connection, documents)
        title, tokens = _title(documents, texts), estimate_tokens("\n".join(one.text for one in texts))
    turns = sum(1 for one in documents if one.kind is Kind.MESSAGE)
    row = (
        thread.thread_id, transcript_id, session_id, thread.kind, title, thread.first_at, thread.last_at, thread.records, turns, tokens,
        thread.first, thread.leaf, fingerprint,
    )  # fmt: skip
    number = store.put_thread(connection, known, row)
    if not same:
        store.put_terms(connection, number, known is not None, ((one.kind, one.term, one.count) for one in find_terms(texts)))
    return number


def _load_texts(connection: apsw.Connection, documents: Sequence[Document]) -> list[Text]:
    pieces = store.load_texts(connection, [piece_id for one in documents for piece_id in one.piece_ids])
    return [
        Text(one.kind.value, one.tool, "\n\n".join([pieces.get(piece_id, "") for piece_id in one.piece_ids])) for one in documents
    ]


def _title(documents: Iterable[Document], texts: Iterable[Text]) -> str | None:
    """The head of the prompt, or the command that stands in its place."""
    for document, text in zip(documents, texts, strict=True):
        if document.role is Role.USER:
            words = (
                text.text
                if document.kind is Kind.MESSAGE
                else " ".join((document.tool or "", *_FIELDS.decode(text.text).values()))
            )
            line = " ".join(words[: 8 * TITLE_LENGTH].split())
            return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"
    return None
