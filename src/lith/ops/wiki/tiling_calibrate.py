"""`wiki tiling calibrate`: pairs to label, and the bands that reach the target precision on this vault.

Labels come from a file or from a person at a terminal; what a person labelled is kept between two sittings.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from lith.errors import UsageError
from lith.kernel.files import storage_errors, write_atomic
from lith.ops.runtime import Runtime
from lith.ops.wiki.models import ModelChoice, get_model
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened, typed_path
from lith.wiki import Vault, calibrate_bands, draw_questions, load_questions, read_labels, with_labels
from lith.wiki.cache import local_dir
from lith.wiki.fold.extract import bullets
from lith.wiki.snapshot import Snapshot, load, read_bytes
from lith.wiki.tiling.calibrate import MIN_PAIRS, Calibration, Question, Questions

DEFAULT_PAIRS = 80
TARGETS = (0.95, 0.80)
_OPENING = 600
_SITTING = "calibration.json"
"""Where a person's labels are kept between two sittings, among the files of this machine."""


class TilingCalibrateRequest(VaultRequest, frozen=True, kw_only=True):
    """How many pairs, drawn how; files of questions and labels; `target` is the precision of both bands as typed, `0.95,0.80`."""

    model: ModelChoice = ModelChoice()
    pairs: int = DEFAULT_PAIRS
    seed: int = 0
    questions: str | None = None
    labels: str | None = None
    target: str | None = None


class Sketch(msgspec.Struct, frozen=True):
    """What a person needs to see of a page to judge a pair."""

    path: str
    title: str
    headings: list[str]
    opening: str


Ask = Callable[[int, int, Sketch, Sketch], str | None]
"""Asks a person for the label of one pair (its number, how many there are, both pages); empty skips it, None ends the sitting."""


class TilingCalibrateResult(VaultResult, frozen=True, kw_only=True):
    """The pairs while labels are missing; once fitted, the bands with what they reach on the labels."""

    model: str
    pages: int
    items: list[Question]
    total: int
    labeled: int
    questions: str | None = None
    calibration: Calibration | None = None
    next: list[list[str]] | None = None


def tiling_calibrate(request: TilingCalibrateRequest, runtime: Runtime, *, ask: Ask | None = None) -> TilingCalibrateResult:
    """Draw, label, fit. Raises `UsageError`, `BadLabels`, `EmbedderFailed`, `MissingExtra`, `StorageError`."""
    targets = _targets(request.target)
    place = None if request.questions is None else typed_path(request.questions, runtime)
    with opened(request, runtime) as vault:
        if request.labels is not None:
            questions, place = _labelled(request, vault, typed_path(request.labels, runtime), place), None
        elif ask is not None:
            place = place or local_dir(vault) / _SITTING
            questions = _sitting(vault, _continued(request, vault, place), place, ask)
        else:
            questions = _drawn(request, vault)
            if place is not None:
                _save_new(place, questions)
        calibration = None
        if request.labels is not None or (ask is not None and _labeled(questions) >= min(MIN_PAIRS, len(questions.items))):
            calibration = calibrate_bands(
                vault, questions, now=runtime.clock(), target_error=targets[0], target_review=targets[1]
            )
            if calibration.stored and ask is not None and request.questions is None:
                _forget(vault)
    words = ("--labels", request.questions) if request.questions else ("--questions", "pairs.json")
    following = [command(request, runtime, "tiling", "calibrate", *words)]
    return TilingCalibrateResult(
        vault=str(vault.root),
        model=questions.model,
        pages=questions.pages,
        items=questions.items if calibration is None else [],
        total=len(questions.items),
        labeled=_labeled(questions),
        questions=None if place is None else str(place),
        calibration=calibration,
        next=following if calibration is None and ask is None else None,
    )


def _targets(text: str | None) -> tuple[float, float]:
    if text is None:
        return TARGETS
    try:
        error, review = (float(word) for word in text.split(","))
    except ValueError:
        error = review = 0.0
    if not (0.0 < error <= 1.0 and 0.0 < review <= 1.0):
        raise UsageError(f"{text!r} are no targets", hint="write two precisions above 0 and up to 1: 0.95,0.80")
    return error, review


def _labeled(questions: Questions) -> int:
    return sum(item.label is not None for item in questions.items)


def _drawn(request: TilingCalibrateRequest, vault: Vault) -> Questions:
    questions = draw_questions(vault, get_model(request.model), count=request.pairs, seed=request.seed)
    if not questions.items:
        raise UsageError(
            "there are no two pages to compare in this vault", hint="pages with fewer than 40 words are not compared"
        )
    return questions


def _labelled(request: TilingCalibrateRequest, vault: Vault, file: Path, questions: Path | None) -> Questions:
    """The labels of a file: of saved questions, or of ids alone; then the questions come from their file, or are drawn again."""
    data = _read(file)
    if questions is not None:
        return read_labels(data, load_questions(_read(questions)))
    try:
        saved = isinstance(msgspec.json.decode(data, type=Mapping[str, msgspec.Raw]).get("items"), msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        saved = False
    return load_questions(data) if saved else read_labels(data, _drawn(request, vault))


def _continued(request: TilingCalibrateRequest, vault: Vault, place: Path) -> Questions:
    """The questions of an earlier sitting, or new ones."""
    return load_questions(_read(place)) if place.exists() else _drawn(request, vault)


def _sitting(vault: Vault, questions: Questions, place: Path, ask: Ask) -> Questions:
    """Ask about every pair without a label; what was labelled is kept, however the sitting ends."""
    snapshot = load(vault)
    labels: dict[str, str] = {}
    waiting = [item for item in questions.items if item.label is None]
    done = len(questions.items) - len(waiting)
    try:
        for number, item in enumerate(waiting, done + 1):
            if item.first not in snapshot.pages or item.second not in snapshot.pages:
                continue
            label = ask(number, len(questions.items), _sketch(snapshot, item.first), _sketch(snapshot, item.second))
            if label is None:
                break
            if label:
                labels[item.id] = label
    finally:
        questions = with_labels(questions, labels)
        _save(place, questions)
    return questions


def _forget(vault: Vault) -> None:
    """Drop the labels of a calibration that is done, so that the next one draws its own pairs."""
    place = local_dir(vault) / _SITTING
    with storage_errors(f"remove {place}"):
        place.unlink(missing_ok=True)


def _sketch(snapshot: Snapshot, path: str) -> Sketch:
    facts = snapshot.pages[path]
    body = read_bytes(snapshot.vault, path)[facts.body :].decode("utf-8", "replace")
    opening = " ".join(bullets(body[: 8 * _OPENING]))[:_OPENING]
    return Sketch(path, facts.title, [heading.text for heading in facts.headings], opening)


def _read(file: Path) -> bytes:
    if not file.is_file():
        raise UsageError(f"there is no file {file}", hint="--questions FILE makes one")
    with storage_errors(f"read {file}"):
        return file.read_bytes()


def _save_new(place: Path, questions: Questions) -> None:
    if place.exists():
        raise UsageError(f"{place} is there already", hint="--labels takes the labels in it; or name another file")
    _save(place, questions)


def _save(place: Path, questions: Questions) -> None:
    with storage_errors(f"write {place}"):
        write_atomic(place, msgspec.json.format(msgspec.json.encode(questions), indent=1) + b"\n")
