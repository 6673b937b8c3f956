"""Tiling: all pairs equal brute force, vectors are made once, bands are measured, and nothing leaves the vault."""

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from lith.errors import UsageError
from lith.wiki.errors import BadLabels, EmbedderFailed, OutsideVault, VaultDamaged
from lith.wiki.snapshot import load
from lith.wiki.tiling.bands import THRESHOLDS, choose_bands
from lith.wiki.tiling.calibrate import (
    DISTINCT,
    DUPLICATE,
    RELATED,
    calibrate_bands,
    draw_questions,
    fit,
    load_questions,
    read_labels,
    with_labels,
)
from lith.wiki.tiling.ollama import OllamaEmbedder, is_loopback
from lith.wiki.tiling.pairs import BLOCK, find_pairs, histogram, sample_pairs
from lith.wiki.tiling.prepare import WINDOW, page_windows
from lith.wiki.tiling.report import compare_pages, render_markdown, write_report
from lith.wiki.tiling.vectors import page_vectors
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
Matrix = NDArray[np.float32]


class WordCounts:
    """A deterministic embedder: hashed word counts."""

    def __init__(self, name: str = "word-counts-1", width: int = 512) -> None:
        self.name = name
        self.width = width
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        matrix = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                matrix[row, int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % self.width] += 1
        return matrix


def random_matrix(rows: int, seed: int, width: int = 12) -> Matrix:
    made = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    unit: Matrix = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def words(seed: int, count: int = 80) -> list[str]:
    generator = random.Random(seed)
    return [f"w{generator.randrange(3000)}" for _ in range(count)]


def corpus() -> tuple[dict[str, str | bytes], dict[frozenset[str], str]]:
    """Pages with planted near-duplicates and related pages, and what each planted pair is."""
    files: dict[str, str | bytes] = {}
    planted: dict[frozenset[str], str] = {}
    for number in range(60):
        base = words(number)
        files[f"wiki/Base {number}.md"] = f"# Topic {number}\n{' '.join(base)}"
        if number < 25:
            changed = base[:76] + words(1000 + number, 4)
            files[f"wiki/Twin {number}.md"] = f"# Topic {number}\n{' '.join(changed)}"
            planted[frozenset((f"wiki/Base {number}.md", f"wiki/Twin {number}.md"))] = DUPLICATE
        elif number < 50:
            changed = base[:56] + words(2000 + number, 24)
            files[f"wiki/Kin {number}.md"] = f"# Kin {number}\n{' '.join(changed)}"
            planted[frozenset((f"wiki/Base {number}.md", f"wiki/Kin {number}.md"))] = RELATED
    return files, planted


@pytest.mark.parametrize(("rows", "seed"), [(0, 1), (1, 1), (2, 1), (300, 2), (BLOCK + 37, 3)])
def test_blocks_find_what_brute_force_finds(rows: int, seed: int) -> None:
    matrix = random_matrix(rows, seed)
    found = find_pairs(matrix, error=0.9, review=0.8, cap=10**7)
    full = matrix.astype(np.float64) @ matrix.astype(np.float64).T
    got = {(pair.first, pair.second): pair.similarity for pair in found.items}
    expected = {(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(full, 1) >= 0.8 - 1e-5), strict=True)}
    unsure = {(int(a), int(b)) for a, b in zip(*np.nonzero(np.abs(full - 0.8) < 1e-5), strict=True)}
    assert expected - unsure <= set(got) <= expected
    assert all(abs(similarity - full[pair]) < 1e-5 for pair, similarity in got.items())
    values = [pair.similarity for pair in found.items]
    assert values == sorted(values, reverse=True)
    assert found.near + found.review == len(found.items)
    assert sum(histogram(matrix)) == rows * (rows - 1) // 2


def test_the_cap_keeps_the_most_similar() -> None:
    matrix = random_matrix(400, 5)
    every = find_pairs(matrix, error=0.9, review=0.7, cap=10**7)
    few = find_pairs(matrix, error=0.9, review=0.7, cap=50)
    assert few.items == every.items[:50]
    assert (few.near, few.review, few.groups) == (every.near, every.review, every.groups)


def test_groups_are_connected_components() -> None:
    matrix = np.eye(9, dtype=np.float32)
    for row, to in ((1, 0), (2, 1), (5, 4), (8, 2)):
        matrix[row] = matrix[to]
    assert find_pairs(matrix, error=0.9, review=0.8, cap=100).groups == [[0, 1, 2, 8], [4, 5]]
    chain = np.zeros((40, 41), dtype=np.float32)
    for row in range(40):
        chain[row, row : row + 2] = (0.6, 0.8)
    assert find_pairs(chain, error=0.47, review=0.4, cap=100).groups == [list(range(40))]


def test_a_vault_of_one_text_is_one_group_and_stays_capped() -> None:
    same = np.tile(random_matrix(1, 1), (3000, 1))
    found = find_pairs(same, error=0.9, review=0.8, cap=100)
    assert (found.near, len(found.items), len(found.groups)) == (3000 * 2999 // 2, 100, 1)
    assert len(found.groups[0]) == 3000


def test_samples_are_stratified_and_repeatable() -> None:
    matrix = random_matrix(300, 9)
    counts = histogram(matrix)
    wanted = {bin: 5 for bin, count in enumerate(counts) if count and bin > 25}
    drawn = sample_pairs(matrix, wanted, 3)
    assert drawn == sample_pairs(matrix, wanted, 3)
    assert {bin: sum(1 for b, _ in drawn if b == bin) for bin in wanted} == {bin: min(5, counts[bin]) for bin in wanted}
    assert len({(pair.first, pair.second) for _, pair in drawn}) == len(drawn)


def test_a_vault_is_embedded_once(make_vault: MakeVault, now: int) -> None:
    files, _ = corpus()
    vault = make_vault({**files, "wiki/Short.md": "a few words", "wiki/index.md": "word " * 60})
    embedder = WordCounts()
    first = compare_pages(vault, embedder, now=now)
    assert (first.compared, first.embedded, first.short) == (110, 110, ["wiki/Short.md"])
    again = compare_pages(vault, embedder, now=now)
    assert again.embedded == 0
    assert again.items == first.items
    (vault.root / "wiki/Base 0.md").write_text("# Topic 0\n" + " ".join(words(77)))
    assert compare_pages(vault, embedder, now=now).embedded == 1
    assert compare_pages(vault, WordCounts("word-counts-2"), now=now).embedded == 110
    page = vault.root / "wiki/Base 1.md"
    page.write_text(f"---\ntype: concept\n---\n{page.read_text()}")
    assert compare_pages(vault, embedder, now=now).embedded == 0


def test_planted_duplicates_are_reported_with_their_headings(make_vault: MakeVault, now: int) -> None:
    files, planted = corpus()
    report = compare_pages(make_vault(files), WordCounts(), now=now, bands=(0.85, 0.6))
    near = {frozenset((item.first, item.second)) for item in report.items if item.band == "error"}
    assert near == {pair for pair, label in planted.items() if label == DUPLICATE}
    assert report.exit_status == 1
    assert all(item.shared and not item.only_first for item in report.items if item.band == "error")
    assert len(report.groups) == 25
    assert report.items[0].similarity == max(item.similarity for item in report.items)


def test_long_pages_are_embedded_in_windows(make_vault: MakeVault) -> None:
    body = " ".join(f"word{number}" for number in range(4000))
    windows = page_windows("T", body)
    assert len(windows) > 3
    assert all(len(window) <= WINDOW + 2 for window in windows)
    assert " ".join(window.removeprefix("T\n") for window in windows).split() == body.split()
    vault = make_vault({"a.md": body, "b.md": body + " tail"})
    embedder = WordCounts()
    matrix, _ = page_vectors(load(vault), ["a.md", "b.md"], embedder)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert [len(text) for text in embedder.texts] == sorted(len(text) for text in embedder.texts)
    assert page_windows("T", "x" * 20_000) != []
    assert page_windows("T", "[[Page|words]] %%hidden%% ![[x]]") == ["T\nwords   x"]


def test_a_model_that_answers_with_nonsense_is_an_error(make_vault: MakeVault, now: int) -> None:
    class Wrong(WordCounts):
        def embed(self, texts: Sequence[str]) -> Matrix:
            return np.full((len(texts), 4), np.nan, dtype=np.float32)

    class Uneven(WordCounts):
        def embed(self, texts: Sequence[str]) -> Matrix:
            return np.ones((max(0, len(texts) - 1), 4), dtype=np.float32)

    vault = make_vault({"a.md": "word " * 60, "b.md": "other " * 60})
    for embedder in (Wrong(), Uneven()):
        with pytest.raises(EmbedderFailed):
            compare_pages(vault, embedder, now=now)


def test_a_model_that_changed_its_size_is_embedded_anew(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "word " * 60, "b.md": "other " * 60})
    compare_pages(vault, WordCounts(width=64), now=now)
    (vault.root / "c.md").write_text("third " * 60)
    assert compare_pages(vault, WordCounts(width=128), now=now).compared == 3


def test_bands_come_from_the_vault_the_model_or_another_model(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": ""})
    today = load(vault).updated("a.md", UTC)
    assert choose_bands(vault, "nomic-embed-text:latest", 5, today).source == "shipped"
    other = choose_bands(vault, "other", 5, today, {"other": (0.7, 0.6)})
    assert (other.error, other.review, other.source) == (0.7, 0.6, "shipped")
    unknown = choose_bands(vault, "unknown", 5, today)
    assert (unknown.error, unknown.source, len(unknown.warnings)) == (0.9, "default", 2)
    place = vault.root / THRESHOLDS
    seed = {"version": 1, "model": "nomic-embed-text", "bands": {"error": 0.9, "review": 0.8}, "calibrated": False}
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(seed))
    assert choose_bands(vault, "nomic-embed-text", 5, today).source == "shipped"
    place.write_text(
        json.dumps(
            {
                **seed,
                "calibrated": True,
                "corpus_pages": 100,
                "calibrated_on": "2020-01-01",
                "bands": {"error": 0.95, "review": 0.7},
            }
        )
    )
    used = choose_bands(vault, "nomic-embed-text", 5, today)
    assert (used.error, used.source, len(used.warnings)) == (0.95, "calibrated", 2)
    assert "calibrated for the model nomic-embed-text" in choose_bands(vault, "unknown", 5, today).warnings[0]
    for bad in ("{", "[]", '{"bands": {"error": 0.5, "review": 0.9}}', '{"bands": {"error": "x"}}'):
        place.write_text(bad)
        with pytest.raises(VaultDamaged):
            choose_bands(vault, "unknown", 5, today)


def test_calibration_reaches_its_target_on_planted_pairs(make_vault: MakeVault, now: int) -> None:
    files, planted = corpus()
    vault = make_vault(files)
    embedder = WordCounts()
    questions = draw_questions(vault, embedder, count=100, seed=4)
    assert 50 <= len(questions.items) <= 100
    assert draw_questions(vault, embedder, count=100, seed=4) == questions
    labels = {item.id: planted.get(frozenset((item.first, item.second)), DISTINCT) for item in questions.items}
    done = calibrate_bands(vault, with_labels(questions, labels), now=now, zone=UTC)
    assert done.stored
    assert done.error.precision >= 0.95
    assert done.review.precision >= 0.80
    report = compare_pages(vault, embedder, now=now)
    assert report.bands.source == "calibrated"
    near = [frozenset((item.first, item.second)) for item in report.items if item.band == "error"]
    assert sum(planted.get(pair) == DUPLICATE for pair in near) / len(near) >= 0.95
    assert len(near) >= 20
    stored = json.loads((vault.root / THRESHOLDS).read_text())
    assert (stored["model"], stored["corpus_pages"], stored["calibrated_on"]) == ("word-counts-1", 110, "2026-06-30")
    assert stored["precision"]["error"] >= 0.95


def test_calibration_that_cannot_reach_its_target_stores_nothing(make_vault: MakeVault, now: int) -> None:
    files, _ = corpus()
    vault = make_vault(
        {**files, THRESHOLDS: '{"version": 1, "model": "x", "bands": {"error": 0.9, "review": 0.8}, "notes": "mine"}'}
    )
    questions = draw_questions(vault, WordCounts(), count=60)
    done = calibrate_bands(vault, with_labels(questions, {item.id: DISTINCT for item in questions.items}), now=now)
    assert (done.stored, done.error.reached) == (False, False)
    assert json.loads((vault.root / THRESHOLDS).read_text())["notes"] == "mine"


def test_labels_are_read_from_either_form_and_checked(make_vault: MakeVault) -> None:
    files, _ = corpus()
    vault = make_vault(files)
    questions = draw_questions(vault, WordCounts(), count=50)
    some = questions.items[0].id
    assert read_labels(json.dumps({some: "related"}).encode(), questions).items[0].label == "related"
    saved = {"items": [{"id": item.id, "label": "distinct"} for item in questions.items]}
    assert {item.label for item in read_labels(json.dumps(saved).encode(), questions).items} == {"distinct"}
    for bad in (b"{", b"[1]", b'{"nope": "related"}', json.dumps({some: "maybe"}).encode()):
        with pytest.raises(BadLabels):
            read_labels(bad, questions)
    with pytest.raises(BadLabels):
        fit(read_labels(json.dumps({some: "related"}).encode(), questions))
    with pytest.raises(UsageError):
        draw_questions(vault, WordCounts(), count=10)
    labelled = with_labels(questions, {some: "related"})
    assert load_questions(msgspec.json.encode(labelled)) == labelled
    for text in (b"{}", b"\xff", msgspec.json.encode(labelled).replace(b"related", b"perhaps")):
        with pytest.raises(BadLabels):
            load_questions(text)


def test_reports_stay_inside_the_vault_and_spare_pages(make_vault: MakeVault, now: int) -> None:
    files, _ = corpus()
    vault = make_vault({**files, "wiki/mine.md": "my page"})
    report = compare_pages(vault, WordCounts(), now=now)
    write_report(vault, report, "wiki/meta/tiling.md", now=now)
    write_report(vault, report, "wiki/meta/tiling.md", now=now)
    assert (vault.root / "wiki/meta/tiling.md").read_text() == render_markdown(report)
    write_report(vault, report, "wiki/meta/tiling.json", now=now)
    assert json.loads((vault.root / "wiki/meta/tiling.json").read_text())["compared"] == 110
    for path, error in (("../out.md", OutsideVault), ("wiki/mine.md", UsageError), ("x.txt", UsageError)):
        with pytest.raises(error):
            write_report(vault, report, path, now=now)
    assert compare_pages(vault, WordCounts(), now=now).compared == 110


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org:11434",
        "http://127.0.0.1.example.org",
        "http://0.0.0.0:1",
        "http://user@evil.test/",
        "ftp://localhost",
        "http://localhost:x",
    ],
)
def test_ollama_stays_on_this_machine(url: str) -> None:
    with pytest.raises(UsageError):
        OllamaEmbedder(url=url)


def test_ollama_may_leave_only_when_told() -> None:
    assert OllamaEmbedder(url="http://example.org:11434", allow_remote=True).name == "nomic-embed-text"
    assert [is_loopback(host) for host in ("127.0.0.9", "::1", "localhost", "10.0.0.1", "localhost.example")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_an_absent_ollama_is_an_error_with_advice() -> None:
    with pytest.raises(EmbedderFailed) as caught:
        OllamaEmbedder(url="http://127.0.0.1:9").embed(["x"])
    assert "ollama serve" in str(caught.value.hint)
