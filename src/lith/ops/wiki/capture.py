"""`wiki capture`: sessions and threads of the map become pages whose every claim links its evidence; the plan first.

The only operation of the wiki that needs the map. It works without a model. A page is known by the session (or thread) in its
frontmatter, wherever it was moved to; it is written anew only when the session has grown and nobody edited it, and one that was deleted
stays deleted unless `restore` is asked for.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from lith import retrieval
from lith.errors import UsageError
from lith.kernel.ids import unpack
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.ops.wiki.captured_page import GENERATOR, Portion, body_hash, make_draft
from lith.ops.wiki.claims import KINDS, find_claims
from lith.ops.wiki.mentions import Mentions
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.records.address import parse_address
from lith.retrieval.answers import Message
from lith.retrieval.requests import ListRequest, ReadRequest
from lith.retrieval.threads import load_thread, thread_address
from lith.wiki import Draft, Vault, add_pages
from lith.wiki.drafts import draft_path
from lith.wiki.frontmatter import read_front
from lith.wiki.journal import link_name
from lith.wiki.manifest import Manifest, read_manifest
from lith.wiki.page import first_text
from lith.wiki.snapshot import Snapshot, load, read_bytes
from lith.wiki.vault import fold_name

if TYPE_CHECKING:
    import apsw

DEFAULT_LIMIT = 20
FOLDER = "sessions"
NEW = "new"
GROWN = "grown"
RESTORED = "restored"
WRITTEN = (NEW, GROWN, RESTORED)
"""The statuses of pages that are written."""


class CaptureRequest(VaultRequest, frozen=True, kw_only=True):
    """Sessions, messages (the arc around one) or threads by address; without any, the latest sessions of the selection."""

    addresses: tuple[str, ...] = ()
    selection: Selection = Selection()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    folder: str = FOLDER
    restore: bool = False
    show: bool = False
    apply: bool = False


class Captured(msgspec.Struct, frozen=True):
    """One page: what it is of, its status, its place, and how many claims of each kind it makes; its address once it has one.

    `new`, `grown` (written anew), `restored`; or left alone: `unchanged`, `edited` (grown, but somebody edited the page), `deleted` (on
    purpose), `empty` (nothing was said).
    """

    source: str
    status: str
    path: str | None = None
    title: str | None = None
    claims: dict[str, int] = {}
    related: int = 0
    address: str | None = None
    text: str | None = None


class CaptureResult(VaultResult, frozen=True, kw_only=True):
    """The pages, planned or written; `total` counts the sessions in scope."""

    applied: bool
    items: list[Captured]
    total: int
    next_cursor: str | None = None
    next: list[list[str]] | None = None


class _Known(msgspec.Struct, frozen=True):
    """A page that was captured before."""

    path: str
    digest: str
    through: int
    edited: bool


class _Ground(msgspec.Struct, frozen=True):
    """What a plan stands on."""

    vault: Vault
    snapshot: Snapshot
    manifest: Manifest
    mentions: Mentions
    known: dict[str, _Known]
    taken: set[str]
    request: CaptureRequest


def capture(request: CaptureRequest, runtime: Runtime) -> CaptureResult:
    """Plan pages, and write them if asked to. Raises `NoMap`, what resolving an address raises, `PlanStale`, `Locked`."""
    with opened(request, runtime) as vault:
        snapshot = load(vault)
        taken = {fold_name(path) for path in snapshot.pages}
        ground = _Ground(vault, snapshot, read_manifest(vault), Mentions(snapshot), _find_known(snapshot), taken, request)
        with runtime.reading() as connection:
            portions, total, cursor = _portions(connection, request, runtime)
            planned = [_plan(ground, portion) for portion in portions]
        items = [item for item, _ in planned]
        drafts = [draft for _, draft in planned if draft is not None]
        if request.apply and drafts:
            title = drafts[0].title if len(drafts) == 1 else f"{len(drafts)} sessions"
            done = add_pages(vault, drafts, op="capture", title=title, now=runtime.clock())
            addresses = {item.path: item.address for item in done.items}
            items = [msgspec.structs.replace(item, address=addresses.get(item.path or "", item.address)) for item in items]
    return CaptureResult(
        vault=str(vault.root),
        applied=request.apply,
        items=items,
        total=total,
        next_cursor=cursor,
        next=[_apply_command(request, runtime)] if drafts and not request.apply else None,
    )


def _portions(connection: "apsw.Connection", request: CaptureRequest, runtime: Runtime) -> tuple[list[Portion], int, str | None]:
    """What is to be captured, how much there is of it, and where the rest begins."""
    if request.addresses:
        if request.selection != Selection() or request.cursor is not None:
            raise UsageError("name sessions, or narrow them by options, not both")
        found = {(portion.ref, portion.thread): portion for portion in (_named(connection, word) for word in request.addresses)}
        return list(found.values()), len(found), None
    scope = msgspec.structs.replace(to_scope(request.selection, runtime), subagents=False)
    listed = retrieval.list_sessions(connection, ListRequest(scope=scope, limit=request.limit, cursor=request.cursor))
    refs = [session.session_ref for session in listed.items if session.session_ref]
    return [_whole(connection, ref) for ref in refs], listed.total, listed.next_cursor


def _named(connection: "apsw.Connection", word: str) -> Portion:
    kind = parse_address(word).kind
    if kind == "session":
        return _whole(connection, word)
    view = load_thread(connection, word)
    if view.session is None:
        raise UsageError(f"{word} is in no session", hint="name a session, a message of one, or a thread")
    records = {unpack(record.record_id) for record in view.records}
    whole = _whole(connection, view.session.ref)
    messages = [message for message in whole.messages if message.record in records]
    return Portion(whole.session, messages, view.thread.title or whole.title, thread_address(view.thread.thread_id))


def _whole(connection: "apsw.Connection", address: str) -> Portion:
    """All messages of a session."""
    messages: list[Message] = []
    offset: int | None = 0
    while offset is not None:
        part = retrieval.read_session(connection, ReadRequest(address=address, offset=offset, limit=10_000))
        messages += part.messages
        offset = part.next_offset
    return Portion(part.session, messages, part.session.title or "")


def _plan(ground: _Ground, portion: Portion) -> tuple[Captured, Draft | None]:
    """What becomes of one session: the item of the result, and the draft of a page that is to be written."""
    source = portion.thread or portion.ref
    known = ground.known.get(source)
    claims = find_claims(portion.messages)
    if not claims and known is None:
        return Captured(source, "empty"), None
    counts = {kind: sum(claim.kind == kind for claim in claims) for kind in KINDS}
    named = {
        path: numbers for path, numbers in ground.mentions.find(portion.messages).items() if known is None or path != known.path
    }
    related = [(link_name(ground.snapshot, path), numbers) for path, numbers in named.items()]
    draft = make_draft(portion, claims, related, folder=ground.request.folder)
    if known is not None:
        status = "unchanged" if known.through >= portion.through else "edited" if known.edited else GROWN
        draft = msgspec.structs.replace(draft, page=known.path, before=known.digest)
    else:
        draft = _placed(ground, draft, portion)
        gone = draft_path(ground.vault, draft) in ground.manifest.address_map
        status = RESTORED if gone and ground.request.restore else "deleted" if gone else NEW
    path = draft.page or draft_path(ground.vault, draft)
    text = draft.body if ground.request.show else None
    item = Captured(
        source, status, path, draft.title, {kind: count for kind, count in counts.items() if count}, len(related), text=text
    )
    return item, draft if status in WRITTEN else None


def _placed(ground: _Ground, draft: Draft, portion: Portion) -> Draft:
    """The draft under a name that nobody has: its own, else with the beginning of the session's id."""
    if fold_name(draft_path(ground.vault, draft)) in ground.taken:
        mark = (portion.thread or portion.ref).rpartition("/")[2].rpartition(":")[2][:13]
        draft = msgspec.structs.replace(draft, title=f"{draft.title} ({mark})")
    ground.taken.add(fold_name(draft_path(ground.vault, draft)))
    return draft


def _find_known(snapshot: Snapshot) -> dict[str, _Known]:
    """The captured pages of a vault, by the thread or session that they are of."""
    return dict(_iter_known(snapshot))


def _iter_known(snapshot: Snapshot) -> Iterator[tuple[str, _Known]]:
    for path, facts in snapshot.pages.items():
        if not facts.generator.startswith(GENERATOR.rpartition(" ")[0]):
            continue
        data = read_bytes(snapshot.vault, path)
        front = read_front(data)
        source = first_text(front.values.get("thread")) or first_text(front.values.get("session"))
        through = first_text(front.values.get("through"))
        body = data[front.body :].decode("utf-8", "replace").replace("\r\n", "\n")
        edited = body_hash(body) != first_text(front.values.get("body_hash"))
        yield source, _Known(path, facts.digest, int(through) if through.isdigit() else 0, edited)


def _apply_command(request: CaptureRequest, runtime: Runtime) -> list[str]:
    """The command that does what was planned."""
    words = list(request.addresses)
    selection = request.selection
    for option, value in (
        ("--project", selection.project), ("--cwd", selection.cwd), ("--since", selection.since), ("--until", selection.until),
        ("--cursor", request.cursor), ("--folder", None if request.folder == FOLDER else request.folder),
    ):  # fmt: skip
        words += [] if value is None else [option, value]
    for source in selection.sources:
        words += ["--source", source]
    words += [] if request.limit == DEFAULT_LIMIT else ["--limit", str(request.limit)]
    words += ["--restore"] if request.restore else []
    return command(request, runtime, "capture", *words, "--apply")
