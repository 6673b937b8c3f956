"""What a transcript says twice: pairs up the forms of one message, one reasoning summary, one call, and picks the one to show.

Only `sources.codex.arrange` uses it. Pure; it sees hashes, not texts. A client writes a message as a response item (what the model gets),
as an event (what the person sees), and in newer versions as a completed item; a session can have any of these forms, also in turns.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from lith.kernel.ids import small_hash
from lith.records.arrangement import Outline, PieceOutline
from lith.records.record import Kind, Label, Role
from lith.sources.codex.calls import PATCH_TOOL

Place = tuple[int, int]
"""A piece: the index of its record and its index in the record."""

RESPONSE_ITEM, EVENT, ITEM = 0, 1, 2
"""The forms, in rising order of preference for messages."""

# How many records two forms of one text are apart at most: of an answer (all events of a response come before its items), of an answer
# with a person's words between, and of a prompt (hooks may have something to say between).
_FAR, _NEAR, _APART = 200, 8, 40
_COMPACTED = "compacted"
_BARE = frozenset({small_hash(""), small_hash("{}")})  # what the text of a call without arguments hashes to


class Group:
    """The forms of one text, at most one of each form."""

    __slots__ = ("forms", "last", "places", "turn")

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.forms: list[int] = []
        self.places: list[Place] = []
        self.last = -1

    def add(self, form: int, place: Place) -> None:
        """Take in one more form."""
        self.forms.append(form)
        self.places.append(place)
        self.last = place[0]

    @property
    def only_response_item(self) -> bool:
        """Whether the text stands in no event."""
        return self.forms == [RESPONSE_ITEM]

    @property
    def start(self) -> int:
        """The first record of the group."""
        return min(place[0] for place in self.places)

    def spare(self) -> list[Place]:
        """All places but the one to show."""
        best = max(range(len(self.forms)), key=self.forms.__getitem__)
        return [place for k, place in enumerate(self.places) if k != best]


def form_of(type_: str) -> int:
    """The form that a record type is."""
    if type_.startswith("event_msg/"):
        return ITEM if type_.startswith("event_msg/item_completed/") else EVENT
    return RESPONSE_ITEM


def group_texts(outlines: Sequence[Outline]) -> list[Group]:
    """The messages and reasoning summaries, with their forms together, in order of first appearance."""
    groups: list[Group] = []
    latest: defaultdict[Hashable, list[Group]] = defaultdict(list)
    turn = 0
    for i, outline in enumerate(outlines):
        for j, piece in enumerate(outline.pieces):
            if not _is_text(piece):
                continue
            form = form_of(outline.type)
            known = latest[piece.role, piece.text_hash, piece.length]
            group = next((g for g in reversed(known[-4:]) if _joins(g, form, i, turn, piece.role)), None)
            if group is None:
                turn += piece.role == Role.USER
                group = Group(turn)
                groups.append(group)
                known.append(group)
            group.add(form, (i, j))
    return groups


def _is_text(piece: PieceOutline) -> bool:
    return piece.kind == Kind.MESSAGE or (piece.kind == Kind.PROFILE and piece.label == Label.REASONING)


def _joins(group: Group, form: int, at: int, turn: int, role: Role | None) -> bool:
    """Whether a text at record `at` is one more form of a group: near enough, and nobody has gone on in between.

    Only the item of an answer may come after a person's next words, when they were typed while it was being written.
    """
    if form in group.forms or any(at == place[0] for place in group.places):
        return False
    distance = at - group.last
    if role == Role.USER:
        return distance <= _APART
    late = form == RESPONSE_ITEM and distance <= _NEAR
    return late or (group.turn == turn and distance <= _FAR)


def find_injected(outlines: Sequence[Outline], groups: Sequence[Group], kept: frozenset[int]) -> set[Place]:
    """Texts that only the model got, in a client that tells the person all that was said: they are the client's own.

    For role user: everything without an event, once events are written (and before the first one, as long as no model has answered).
    For role assistant: what was said last before a compaction, which is its summary. Records in `kept` are left alone.
    """
    lone = {group.places[0] for group in groups if group.only_response_item and group.start not in kept}
    hidden: set[Place] = set()
    waiting: list[Place] = []
    tells: set[Role] = set()
    said: Place | None = None
    for i, outline in enumerate(outlines):
        if outline.type == _COMPACTED and said in lone and Role.ASSISTANT in tells:
            hidden.add(said)
        told = form_of(outline.type) != RESPONSE_ITEM
        for place, piece in _talk(i, outline):
            said = place if piece.kind == Kind.MESSAGE and piece.role == Role.ASSISTANT else None
            if piece.kind == Kind.MESSAGE and piece.role is not None and told:
                tells.add(piece.role)
            if piece.kind != Kind.MESSAGE or piece.role != Role.USER:
                waiting.clear()
            elif told:
                hidden.update(waiting)
                waiting.clear()
            elif place in lone:
                (hidden.add if Role.USER in tells else waiting.append)(place)
    return hidden


def _talk(i: int, outline: Outline) -> Iterator[tuple[Place, PieceOutline]]:
    """The messages and calls of a record, with their places."""
    return (((i, j), piece) for j, piece in enumerate(outline.pieces) if piece.kind in {Kind.MESSAGE, Kind.CALL})


def find_repeated_calls(outlines: Sequence[Outline]) -> set[Place]:
    """Calls that are told again when they end: joined by the call's id, or by what they say where a script made them."""
    told = list(_iter_calls(outlines))
    ranks: defaultdict[str | None, dict[int, tuple[bool, bool, int]]] = defaultdict(dict)
    for call in told:
        by_form = ranks[call.id]
        by_form[call.form] = max(call.rank, by_form.get(call.form, call.rank))
    hidden: set[Place] = set()
    loose: list[_Told] = []
    for call in told:
        by_form = ranks[call.id]
        if call.id is None or len(by_form) < 2:
            loose.append(call)
        elif call.form != max(by_form, key=by_form.__getitem__):
            hidden.add(call.place)
    return hidden | _match_loose(loose)


class _Told(NamedTuple):
    """A call in one of its forms. `rank` says which form to show: one with arguments, and of those the model's own."""

    place: Place
    form: int
    id: str | None
    piece: PieceOutline
    rank: tuple[bool, bool, int]


def _iter_calls(outlines: Sequence[Outline]) -> Iterator[_Told]:
    for i, outline in enumerate(outlines):
        form = form_of(outline.type)
        for j, piece in enumerate(outline.pieces):
            if piece.kind == Kind.CALL:
                rank = (piece.text_hash not in _BARE, form == RESPONSE_ITEM, form)
                yield _Told((i, j), form, outline.tool_use_id, piece, rank)


def _match_loose(calls: Sequence[_Told]) -> set[Place]:
    """Calls whose id stands in one form only: the latest unmatched one of another form that says the same is the same call.

    Of a patch the paths may be spelled differently, and a script may compute what it runs: there the tool alone has to do.
    """
    open_: defaultdict[Hashable, list[_Told]] = defaultdict(list)
    hidden: set[Place] = set()
    for call in calls:
        tool = call.piece.tool
        key: Hashable = tool if tool == PATCH_TOOL else (tool, call.piece.text_hash)
        other = _take(open_[key], call.form)
        if other is None and call.form != RESPONSE_ITEM and key != tool:
            other = _take(open_[tool, None], call.form)
        if other is None:
            open_[key].append(call)
            if call.form == RESPONSE_ITEM and call.piece.text_hash in _BARE and key != tool:
                open_[tool, None].append(call)
        else:
            hidden.add(min(call, other, key=lambda told: told.rank).place)
    return hidden


def _take(calls: list[_Told], form: int) -> _Told | None:
    """The latest call of another form, taken out of the list."""
    if calls and calls[-1].form != form:
        return calls.pop()
    return None
