"""The page of a captured session: every line that claims something links the message and names the record that it is from. Pure.

The links are addresses, `lith:REF#12`: `lith read` and `lith block` take what stands after `lith:`.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from lith.kernel.clock import parse_iso
from lith.ops.wiki.claims import DECISION, MAX_OF_A_KIND, OUTCOME, PROMPT, QUESTION, Claim
from lith.retrieval.answers import Message, SessionInfo
from lith.wiki import Draft
from lith.wiki.drafts import plain
from lith.wiki.fold.extract import clip

GENERATOR = "lith wiki capture 1"
MAX_PAGES = 30
_MAX_CITES = 4
_TITLE = 90
_HEADINGS = {PROMPT: "Prompts", DECISION: "Decisions", OUTCOME: "Outcomes", QUESTION: "Open questions"}


class Portion(msgspec.Struct, frozen=True):
    """What is captured on one page: a session, or with `thread` one arc of it; `title` is the arc's or the session's."""

    session: SessionInfo
    messages: list[Message]
    title: str
    thread: str | None = None

    @property
    def ref(self) -> str:
        """The address of the session."""
        return self.session.session_ref or ""

    @property
    def through(self) -> int:
        """The number of its last message."""
        return max((message.seq or 0 for message in self.messages), default=0)


def make_draft(portion: Portion, claims: Sequence[Claim], related: Sequence[tuple[str, Sequence[int]]], *, folder: str) -> Draft:
    """The page as a draft; `related` are link names of pages with the messages that name them."""
    records = {message.seq: message.record or "" for message in portion.messages}
    lines = [f"# {_title(portion)}", "", *_about(portion)]
    for kind, heading in _HEADINGS.items():
        mine = [claim for claim in claims if claim.kind == kind]
        if mine:
            lines += ["", f"## {heading}", ""]
            lines += [f"- {claim.text} ({cite(portion.ref, claim.seq, claim.record)})" for claim in mine[:MAX_OF_A_KIND]]
    if related:
        lines += ["", "## Pages it talks about", ""]
        for name, numbers in related[:MAX_PAGES]:
            cites = ", ".join(cite(portion.ref, seq, records.get(seq, "")) for seq in numbers[:_MAX_CITES])
            lines.append(f"- [[{name}]] ({cites})")
    body = "\n".join(lines)
    fields: dict[str, str | list[str]] = {"session": portion.ref}
    if portion.thread is not None:
        fields["thread"] = portion.thread
    if portion.session.project:
        fields["project"] = portion.session.project
    fields |= {"through": str(portion.through), "body_hash": body_hash(body), "generator": GENERATOR}
    day = (_first(portion) or "")[:10]
    return Draft(title=f"{day} {_title(portion)}".strip(), body=body, type="session", folder=folder, fields=fields)


def cite(ref: str, seq: int, record: str) -> str:
    """A link to a message, which names its record too."""
    return f'[#{seq}](<lith:{ref}#{seq}> "rec:{record}")' if record else f"[#{seq}](<lith:{ref}#{seq}>)"


def body_hash(body: str) -> str:
    """By what a page is known to be as it was written."""
    return hashlib.sha256(body.strip().encode("utf-8", "replace")).hexdigest()[:16]


def _title(portion: Portion) -> str:
    text = plain(portion.title or portion.session.title or "") or portion.ref
    return text if len(text) <= _TITLE else text[:_TITLE].rsplit(" ", 1)[0].rstrip(" ,;:-(") + "…"


def _about(portion: Portion) -> list[str]:
    session = portion.session
    first, last = _first(portion), portion.messages[-1].timestamp if portion.messages else None
    facts = [
        f"{len(portion.messages)} messages",
        clip(plain(session.project or session.cwd or "")),
        session.model or "",
        _span(first, last),
    ]
    what = "One arc of the session" if portion.thread else "The session"
    lines = [f"{what} `{portion.ref}` ({', '.join(fact for fact in facts if fact)}), quoted word for word."]
    if portion.thread:
        lines.append(f"All of it: `lith thread {portion.thread}`.")
    else:
        lines.append(f"All of it: `lith read {portion.ref}`.")
    return lines


def _first(portion: Portion) -> str | None:
    return next((message.timestamp for message in portion.messages if message.timestamp), portion.session.started_at)


def _span(first: str | None, last: str | None) -> str:
    """From when to when, in UTC, so that the page is the same on every machine."""
    if first is None or parse_iso(first) is None:
        return ""
    start = first[:16].replace("T", " ")
    if last is None or last[:16] == first[:16]:
        return f"{start} UTC"
    end = last[11:16] if last[:10] == first[:10] else last[:16].replace("T", " ")
    return f"{start} to {end} UTC"
