"""`archive list`: what the archive holds, by session, or the states of one session's files."""

import msgspec

from lith.archive import Generation, iter_generations
from lith.kernel.clock import format_iso
from lith.ops.keep.targets import find_archived, resolve
from lith.ops.known_clients import check_client
from lith.ops.runtime import Runtime
from lith.records.address import session_ref


class ArchiveListRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything, the part of one client, or with `session` each state of each file of that session."""

    session: str | None = None
    source: tuple[str, ...] = ()


class HeldSession(msgspec.Struct, frozen=True, kw_only=True):
    """What is held of one session with its sub-agents: raw bytes, bytes on the disk, when the last of it was archived."""

    session_ref: str
    files: int
    generations: int
    length: int
    stored: int
    archived_at: str


class HeldState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One generation of one file. `problems` says why it cannot be trusted."""

    session_ref: str
    path: str
    generation: int
    length: int
    stored: int
    segments: int
    archived_at: str
    origin: str = "live"
    sha256: str | None = None
    problems: list[str] = []


class ArchiveListResult(msgspec.Struct, frozen=True, kw_only=True):
    """`items` are `HeldSession`s, or `HeldState`s of one session; the sums are over all of them."""

    items: list[HeldSession | HeldState] = msgspec.field(default_factory=list)
    total: int
    length: int
    stored: int
    data: str


def archive_list(request: ArchiveListRequest, runtime: Runtime) -> ArchiveListResult:
    """What the archive holds. Raises `NotArchived`, `SessionNotFound`, `UnknownSource`, `ArchiveRefused`."""
    items: list[HeldSession | HeldState] = []
    if request.session is not None:
        items += [_state(one) for one in find_archived(runtime, resolve(runtime, request.session))]
    else:
        sources = [check_client(name, "--source") for name in request.source]
        by_session: dict[str, list[Generation]] = {}
        for one in iter_generations(runtime.archive_dir):
            if not sources or one.key.source in sources:
                by_session.setdefault(session_ref(one.key.source, one.key.main_session), []).append(one)
        items += [_session(ref, own) for ref, own in by_session.items()]
    return ArchiveListResult(
        items=items,
        total=len(items),
        length=sum(one.length for one in items),
        stored=sum(one.stored for one in items),
        data=str(runtime.archive_dir),
    )


def _session(ref: str, own: list[Generation]) -> HeldSession:
    return HeldSession(
        session_ref=ref,
        files=len({one.key.path for one in own}),
        generations=len(own),
        length=sum(one.length for one in own),
        stored=sum(one.stored for one in own),
        archived_at=format_iso(max(one.at for one in own)),
    )


def _state(one: Generation) -> HeldState:
    return HeldState(
        session_ref=session_ref(one.key.source, one.key.session),
        path=one.key.path,
        generation=one.number,
        length=one.length,
        stored=one.stored,
        segments=len(one.segments),
        archived_at=format_iso(one.at),
        origin=one.segments[-1].facts.origin if one.segments else "live",
        sha256=one.whole,
        problems=list(one.problems),
    )
