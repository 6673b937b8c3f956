"""The tiling report: pairs of pages in bands, groups of near-duplicates, and what was not compared. Never merges anything."""

from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path

import msgspec

from lith.errors import UsageError
from lith.wiki.dates import local_day
from lith.wiki.embedder import Embedder
from lith.wiki.snapshot import Snapshot, load
from lith.wiki.tiling.bands import SHIPPED, Bands, check_bands, choose_bands
from lith.wiki.tiling.pairs import find_pairs
from lith.wiki.tiling.prepare import MIN_WORDS, is_short
from lith.wiki.tiling.vectors import page_vectors
from lith.wiki.transaction import Written, writing
from lith.wiki.vault import Vault, confine

MAX_PAIRS = 500
MAX_GROUPS = 50
MAX_MEMBERS = 20


class Duplicate(msgspec.Struct, frozen=True):
    """A pair of pages, its similarity and band (`error` or `review`), and the headings they share or have alone."""

    first: str
    second: str
    similarity: float
    band: str
    shared: list[str]
    only_first: list[str]
    only_second: list[str]


class TilingReport(msgspec.Struct, frozen=True):
    """What a comparison found. `near` and `review` count all pairs; `items` and `groups` are capped, most similar first."""

    model: str
    bands: Bands
    pages: int
    compared: int
    embedded: int
    near: int
    review: int
    items: list[Duplicate]
    groups: list[list[str]]
    short: list[str]

    @property
    def exit_status(self) -> int:
        """1 when there are near-duplicates, else 0."""
        return 1 if self.near else 0


def comparable_pages(snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """Pages that are compared, and pages that say too little; pages about the wiki itself and broken bytes are in neither."""
    wanted = [
        path
        for path in snapshot.content
        if not any(p.rule in {"not-utf8", "page-too-large"} for p in snapshot.pages[path].problems)
    ]
    short = [path for path in wanted if is_short(snapshot.pages[path])]
    return [path for path in wanted if not is_short(snapshot.pages[path])], short


def compare_pages(
    vault: Vault,
    embedder: Embedder,
    *,
    now: int,
    zone: tzinfo | None = None,
    bands: tuple[float, float] | None = None,
    shipped: Mapping[str, tuple[float, float]] = SHIPPED,
    limit: int = MAX_PAIRS,
) -> TilingReport:
    """Compare all pages of a vault. `bands` (error, review) overrides the vault's. Raises `EmbedderFailed`, `UsageError`."""
    if limit < 1:
        raise UsageError(f"the limit is {limit}, but must be at least 1")
    snapshot = load(vault)
    paths, short = comparable_pages(snapshot)
    if bands is not None:
        check_bands(*bands)
        used = Bands(bands[0], bands[1], embedder.name, "given")
    else:
        used = choose_bands(vault, embedder.name, len(paths), local_day(now, zone), shipped)
    matrix, embedded = page_vectors(snapshot, paths, embedder)
    found = find_pairs(matrix, error=used.error, review=used.review, cap=limit)
    items = [_duplicate(snapshot, paths[pair.first], paths[pair.second], pair.similarity, used) for pair in found.items]
    rank = {path: number for number, item in reversed(list(enumerate(items))) for path in (item.first, item.second)}
    groups = [[paths[row] for row in rows[:MAX_MEMBERS]] for rows in found.groups]
    groups.sort(key=lambda group: min(rank.get(path, len(items)) for path in group))
    return TilingReport(
        model=embedder.name, bands=used, pages=len(snapshot.pages), compared=len(paths), embedded=embedded, near=found.near,
        review=found.review, items=items, groups=groups[:MAX_GROUPS], short=short,
    )  # fmt: skip


def _duplicate(snapshot: Snapshot, first: str, second: str, similarity: float, bands: Bands) -> Duplicate:
    one = list(dict.fromkeys(heading.text for heading in snapshot.pages[first].headings))
    two = list(dict.fromkeys(heading.text for heading in snapshot.pages[second].headings))
    keys_one, keys_two = {text.casefold() for text in one}, {text.casefold() for text in two}
    return Duplicate(
        first=first,
        second=second,
        similarity=similarity,
        band="error" if similarity >= bands.error else "review",
        shared=[text for text in one if text.casefold() in keys_two],
        only_first=[text for text in one if text.casefold() not in keys_two],
        only_second=[text for text in two if text.casefold() not in keys_one],
    )


def render_markdown(report: TilingReport) -> str:
    """The report as a page about the wiki itself. The same report gives the same text."""
    lines = ["---", "type: meta", 'title: "Tiling report"', "generator: lith wiki tiling 1", "---", "", "# Tiling report", ""]
    lines.append(
        f"Model {report.model}; bands: near-duplicate from {report.bands.error:.2f}, review from {report.bands.review:.2f} "
        f"({report.bands.source}). {report.compared} pages compared, {len(report.short)} with fewer than {MIN_WORDS} words left out; "
        f"{report.near} near-duplicate pairs, {report.review} to review."
    )
    lines += [f"\n> [!warning] {warning}" for warning in report.bands.warnings]
    for band, title in (("error", "Near-duplicates"), ("review", "To review")):
        pairs = [item for item in report.items if item.band == band]
        if pairs:
            lines += ["", f"## {title}", ""]
            for item in pairs:
                lines.append(f"- {item.similarity:.3f} [[{item.first[:-3]}]] and [[{item.second[:-3]}]]")
                lines += [
                    f"  - {name}: {'; '.join(_plain(text) for text in texts[:8])}"
                    for name, texts in (
                        ("shared", item.shared),
                        ("only the first", item.only_first),
                        ("only the second", item.only_second),
                    )
                    if texts
                ]
    if report.groups:
        lines += ["", "## Groups", "", *(f"- {', '.join(f'[[{path[:-3]}]]' for path in group)}" for group in report.groups)]
    if report.short:
        lines += ["", "## Too short to compare", "", *(f"- [[{path[:-3]}]]" for path in report.short)]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return text.replace("[[", "").replace("]]", "").replace("`", "'")


def write_report(vault: Vault, report: TilingReport, path: str | Path, *, now: int) -> Written:
    """Write the report inside the vault, as Markdown or JSON by its suffix. Raises `OutsideVault`, `UsageError`."""
    target = confine(vault, path)
    if target.endswith(".json"):
        data = msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"
    elif target.endswith(".md"):
        data = render_markdown(report).encode()
    else:
        raise UsageError(f"{target} is neither .md nor .json")
    with writing(vault, now=now) as writer:
        old = writer.read(target)
        if old is not None and target.endswith(".md") and b"generator: lith wiki tiling" not in old[:4096]:
            raise UsageError(f"{target} is a page that is no tiling report", hint="choose another name")
        return writer.commit("tiling report", [writer.change(target, data)])
