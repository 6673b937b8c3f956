"""The handoff: a short document of a session, for a fresh one to begin with. It changes no transcript.

`ops` calls it for `prune --mode handoff`. All text goes through `scrub`, because the document is meant to be given to a model.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from lith.archive import FileKey
from lith.errors import StorageError
from lith.keep.identity import iter_named
from lith.kernel.clock import format_local
from lith.records.address import session_ref
from lith.records.record import Flag, Kind, Label, Record, Role
from lith.scrub import scrub, strip_sentinels

_PROMPT = 600
_ANSWER = 4_000
_MOST_PROMPTS = 40
_MOST_COMMANDS = 15
_WRITERS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"})


class _Story(msgspec.Struct):
    prompts: list[str] = []
    answer: str = ""
    summary: str = ""
    title: str = ""
    files: dict[str, None] = {}
    commands: list[str] = []
    facts: dict[str, str] = {}
    first: int | None = None
    last: int | None = None
    records: int = 0


def write_handoff(key: FileKey, path: Path) -> str:
    """The handoff document of a session, as markdown. Raises `StorageError`, `UnknownSource`."""
    story = _Story()
    try:
        with path.open("rb") as file:
            for _, record in iter_named(key.source, key.path, file):
                if record is not None:
                    _take(story, record)
    except OSError as error:
        raise StorageError(f"could not read {path}: {error.strerror}") from error
    return _render(key, story)


def _take(story: _Story, record: Record) -> None:
    story.records += 1
    if record.timestamp is not None:
        story.first = record.timestamp if story.first is None else min(story.first, record.timestamp)
        story.last = record.timestamp if story.last is None else max(story.last, record.timestamp)
    story.facts.update(record.attributes)
    if record.flags & Flag.SIDECHAIN or "/" in record.transcript:
        return
    for piece in record.pieces:
        if piece.kind is Kind.MESSAGE and piece.role is Role.USER:
            story.prompts.append(piece.text)
        elif piece.kind is Kind.MESSAGE:
            story.answer = piece.text
        elif piece.kind is Kind.PROFILE and piece.label is Label.COMPACTION:
            story.summary = piece.text
        elif piece.kind is Kind.PROFILE and piece.label in {Label.TITLE, Label.AI_TITLE}:
            story.title = piece.text
        elif piece.kind is Kind.CALL:
            fields = dict(piece.fields)
            if piece.tool in _WRITERS and "path" in fields:
                story.files[fields["path"]] = None
            if "command" in fields:
                story.commands.append(fields["command"])


def _render(key: FileKey, story: _Story) -> str:
    ref = session_ref(key.source, key.session)
    lines = [f"# Handoff: {_clean(story.title, 120) or ref}", ""]
    lines += [f"- session: `{ref}` ({story.records} records; `lith read {ref}` shows it)"]
    lines += [f"- {name}: `{_clean(story.facts[name], 300)}`" for name in ("cwd", "branch", "model") if story.facts.get(name)]
    if story.first is not None and story.last is not None:
        lines.append(f"- from {format_local(story.first)} to {format_local(story.last)}")
    if story.summary:
        lines += ["", "## Last summary", "", _clean(story.summary, _ANSWER)]
    shown = story.prompts[-_MOST_PROMPTS:]
    if shown:
        lines += ["", "## What was asked", ""]
        if len(shown) < len(story.prompts):
            lines.append(f"({len(story.prompts) - len(shown)} earlier prompts are left out)")
        lines += [f"{number}. {_clean(text, _PROMPT)}" for number, text in enumerate(shown, len(story.prompts) - len(shown) + 1)]
    lines += _section("Files that were written", story.files)
    lines += _section("Last commands", story.commands[-_MOST_COMMANDS:])
    if story.answer:
        lines += ["", "## Last answer", "", _clean(story.answer, _ANSWER)]
    return "\n".join(lines) + "\n"


def _section(title: str, values: Iterable[str]) -> list[str]:
    listed = [f"- `{_clean(value, 300)}`" for value in values]
    return ["", f"## {title}", "", *listed] if listed else []


def _clean(text: str, limit: int) -> str:
    """A text without recalled words and secrets, cut at `limit` characters."""
    clean = str(scrub(strip_sentinels(text)[0])).strip()
    return clean if len(clean) <= limit else f"{clean[: limit - 1].rstrip()}…"
