"""Calibration: label some pairs, find the bands that keep their promise on this vault, and store them with their figures.

Pairs are drawn from bins of similarity, most of them from the top, so that the rare similar ones are seen; every estimate weighs a
pair by how many pairs of the vault it stands for.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Any

import msgspec

from lith.errors import UsageError
from lith.wiki.dates import local_day
from lith.wiki.embedder import Embedder
from lith.wiki.errors import BadLabels
from lith.wiki.snapshot import load
from lith.wiki.tiling.bands import THRESHOLDS, read_thresholds
from lith.wiki.tiling.pairs import histogram, sample_pairs
from lith.wiki.tiling.report import comparable_pages
from lith.wiki.tiling.vectors import page_vectors
from lith.wiki.transaction import writing
from lith.wiki.vault import Vault

DUPLICATE = "duplicate"
RELATED = "related"
DISTINCT = "distinct"
LABELS = (DUPLICATE, RELATED, DISTINCT)
MIN_PAIRS = 50
MAX_PAIRS = 100
MAX_BINS = 30
TOP_BINS = 4
_TOP_SHARE = 0.6
"""The upper band lies among the most similar pairs, where a hundredth more or less decides: most questions are asked there.

On 200 real pages with planted duplicates, 80 to 100 labels so drawn gave a true precision of 0.95 on average and never below 0.90; drawn
evenly from bins of 0.05 they gave 0.91, and 0.63 at worst.
"""


class Question(msgspec.Struct, frozen=True):
    """A pair to label, with the weight of its bin: how many pairs of the vault it stands for."""

    id: str
    first: str
    second: str
    similarity: float
    weight: float
    label: str | None = None


class Questions(msgspec.Struct, frozen=True):
    """The pairs of a calibration; saved as JSON, labelled by hand, and read back."""

    model: str
    pages: int
    items: list[Question]


class Fit(msgspec.Struct, frozen=True):
    """One band: its threshold, and the precision and recall that the labels give it; `reached` tells whether the target was met."""

    threshold: float
    target: float
    precision: float
    recall: float
    pairs: int
    reached: bool


class Calibration(msgspec.Struct, frozen=True):
    """Both bands as fitted, on how many labels, for which model and corpus; `stored` only when both targets were reached."""

    model: str
    pages: int
    labeled: int
    error: Fit
    review: Fit
    stored: bool
    date: str


def draw_questions(vault: Vault, embedder: Embedder, *, count: int = 80, seed: int = 0) -> Questions:
    """Draw pairs for labelling, most of them from the most similar bins. Raises `UsageError`, `EmbedderFailed`."""
    if not MIN_PAIRS <= count <= MAX_PAIRS:
        raise UsageError(f"{count} pairs were asked for, but a calibration takes {MIN_PAIRS} to {MAX_PAIRS}")
    snapshot = load(vault)
    paths, _ = comparable_pages(snapshot)
    matrix, _ = page_vectors(snapshot, paths, embedder)
    counts = histogram(matrix)
    wanted = _allot({bin: size for bin, size in enumerate(counts) if size}, count)
    drawn = sample_pairs(matrix, wanted, seed)
    per_bin: dict[int, int] = {}
    for bin, _pair in drawn:
        per_bin[bin] = per_bin.get(bin, 0) + 1
    items = [
        Question(
            _pair_id(paths[pair.first], paths[pair.second]),
            paths[pair.first],
            paths[pair.second],
            pair.similarity,
            counts[bin] / per_bin[bin],
        )
        for bin, pair in drawn
    ]
    items.sort(key=lambda item: item.id)  # not by similarity, so that the order gives nothing away
    return Questions(model=embedder.name, pages=len(paths), items=items)


def _allot(bins: Mapping[int, int], count: int) -> dict[int, int]:
    """How many pairs each of the most similar bins gives: most from the very top, evenly within each part."""
    order = sorted(bins, reverse=True)[:MAX_BINS]
    top = _evenly({bin: bins[bin] for bin in order[:TOP_BINS]}, round(count * _TOP_SHARE))
    return top | _evenly({bin: bins[bin] for bin in order[TOP_BINS:]}, count - sum(top.values()))


def _evenly(bins: Mapping[int, int], count: int) -> dict[int, int]:
    """So many pairs from some bins; what a small bin lacks the others give."""
    wanted = dict.fromkeys(bins, 0)
    left = min(count, sum(bins.values()))
    while left:
        open_bins = [bin for bin in bins if wanted[bin] < bins[bin]]
        for bin in open_bins[:left]:
            wanted[bin] += 1
        left -= min(left, len(open_bins))
    return {bin: number for bin, number in wanted.items() if number}


def _pair_id(first: str, second: str) -> str:
    return hashlib.sha256(f"{first}\0{second}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def load_questions(data: bytes) -> Questions:
    """Questions that were saved as JSON, with the labels filled in since. Raises `BadLabels`."""
    try:
        questions = msgspec.json.decode(data, type=Questions)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadLabels(f"these are no saved questions: {error}") from error
    return with_labels(questions, {item.id: item.label for item in questions.items if item.label is not None})


def read_labels(data: bytes, questions: Questions) -> Questions:
    """Questions with labels from a file: either the questions themselves with `label` filled in, or `{id: label}`. Raises `BadLabels`."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadLabels(f"the labels are not JSON: {error}") from error
    given: dict[str, Any] = {}
    if isinstance(document, dict) and isinstance(document.get("items"), list):
        given = {str(item.get("id")): item.get("label") for item in document["items"] if isinstance(item, dict)}
    elif isinstance(document, dict):
        given = {str(key): value for key, value in document.items()}
    else:
        raise BadLabels("the labels are neither saved questions nor an object of ids and labels")
    return with_labels(questions, {key: value for key, value in given.items() if value is not None})


def with_labels(questions: Questions, labels: Mapping[str, str]) -> Questions:
    """Questions with labels put in. Raises `BadLabels` for an unknown pair or word."""
    known = {item.id for item in questions.items}
    for id, label in labels.items():
        if id not in known:
            raise BadLabels(f"{id} is no pair of this calibration", hint="draw the questions again with the same seed and model")
        if label not in LABELS:
            raise BadLabels(f"{label!r} is no label", hint=f"labels are {', '.join(LABELS)}")
    items = [msgspec.structs.replace(item, label=labels.get(item.id, item.label)) for item in questions.items]
    return msgspec.structs.replace(questions, items=items)


def fit(questions: Questions, *, target_error: float = 0.95, target_review: float = 0.80) -> tuple[Fit, Fit]:
    """The lowest thresholds at which the target precision holds: duplicates for the error band, duplicates or related for review."""
    labeled = [item for item in questions.items if item.label is not None]
    if len(labeled) < MIN_PAIRS and len(labeled) < len(questions.items):
        raise BadLabels(f"{len(labeled)} pairs are labelled, but a calibration needs {min(MIN_PAIRS, len(questions.items))}")
    error = _fit(labeled, {DUPLICATE}, target_error)
    review = _fit(labeled, {DUPLICATE, RELATED}, target_review)
    if review.threshold > error.threshold:
        review = _at(labeled, {DUPLICATE, RELATED}, error.threshold, target_review)
    return error, review


def _fit(items: Sequence[Question], positive: set[str], target: float) -> Fit:
    values = sorted({item.similarity for item in items}, reverse=True)
    best: Fit | None = None
    for number, value in enumerate(values):
        below = values[number + 1] if number + 1 < len(values) else value
        found = _at(items, positive, value, target)
        if found.reached:
            # halfway to the next pair: the labels say nothing about what lies between
            best = msgspec.structs.replace(
                found, threshold=round((value + below) / 2, 4) if below < value else round(value - 5e-5, 4)
            )
    return best or _at(items, positive, 1.0, target)


def _at(items: Sequence[Question], positive: set[str], threshold: float, target: float) -> Fit:
    above = [item for item in items if item.similarity >= threshold]
    total = sum(item.weight for item in above)
    right = sum(item.weight for item in above if item.label in positive)
    all_right = sum(item.weight for item in items if item.label in positive)
    precision = right / total if total else 0.0
    recall = right / all_right if all_right else 0.0
    return Fit(threshold, target, precision, recall, len(above), bool(above) and precision >= target)


def calibrate_bands(
    vault: Vault,
    questions: Questions,
    *,
    now: int,
    zone: tzinfo | None = None,
    target_error: float = 0.95,
    target_review: float = 0.80,
) -> Calibration:
    """Fit the bands on labelled pairs and store them, if both reach their target. Raises `BadLabels`."""
    error, review = fit(questions, target_error=target_error, target_review=target_review)
    labeled = sum(1 for item in questions.items if item.label is not None)
    day = local_day(now, zone).isoformat()
    reached = error.reached and review.reached
    if reached:
        with writing(vault, now=now) as writer:
            document = read_thresholds(vault) or {"version": 1}
            document |= {
                "model": questions.model,
                "bands": {"error": error.threshold, "review": review.threshold},
                "calibrated": True,
                "calibration_pairs_labeled": labeled,
                "calibrated_on": day,
                "corpus_pages": questions.pages,
                "target_precision": {"error": target_error, "review": target_review},
                "precision": {"error": round(error.precision, 4), "review": round(review.precision, 4)},
                "recall": {"error": round(error.recall, 4), "review": round(review.recall, 4)},
            }
            data = json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"
            writer.commit("tiling calibrate", [writer.change(THRESHOLDS, data)])
    return Calibration(questions.model, questions.pages, labeled, error, review, reached, day)
