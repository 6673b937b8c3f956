"""Bands of tiling for a model, measured on a labelled set made from real pages.

    python -m benchmarks.wiki.bands --vault FOLDER [--model static] [--seed 7]

Every page of the vault gets a planted duplicate (15 % of its sentences gone, some moved) and a planted relative (60 % gone). Duplicates
against everything else fit the upper band, duplicates and relatives against the pairs of different pages the lower one. The figures
are what `lith.wiki.tiling.bands.SHIPPED` holds for a model.
"""

import argparse
import importlib
import json
import random
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lith.wiki.snapshot import load
from lith.wiki.tiling.calibrate import DISTINCT, DUPLICATE, RELATED, Question, Questions, fit
from lith.wiki.tiling.pairs import find_pairs
from lith.wiki.tiling.report import comparable_pages
from lith.wiki.tiling.vectors import page_vectors
from lith.wiki.vault import Vault, find_vault

if TYPE_CHECKING:
    from lith.wiki.embedder import Embedder

FLOOR = 0.3
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}")


def plant(source: Vault, root: Path, seed: int) -> dict[frozenset[str], str]:
    """Write the pages of a vault with their variants under `root`; what each planted pair is."""
    generator = random.Random(seed)
    snapshot = load(source, use_cache=False)
    paths, _ = comparable_pages(snapshot)
    (root / ".obsidian").mkdir(parents=True)
    planted: dict[frozenset[str], str] = {}
    for number, path in enumerate(paths):
        body = source.at(path).read_bytes()[snapshot.pages[path].body :].decode("utf-8", "replace")
        title = snapshot.pages[path].title
        names = {kind: f"{number}-{kind}.md" for kind in ("base", DUPLICATE, RELATED)}
        for kind, share in (("base", 0.0), (DUPLICATE, 0.15), (RELATED, 0.60)):
            front = f"---\ntitle: {json.dumps(title if kind != RELATED else 'Notes')}\n---\n"
            (root / names[kind]).write_text(front + _variant(generator, body, share), encoding="utf-8")
        planted[frozenset((names["base"], names[DUPLICATE]))] = DUPLICATE
        planted[frozenset((names["base"], names[RELATED]))] = RELATED
        planted[frozenset((names[DUPLICATE], names[RELATED]))] = RELATED
    return planted


def _variant(generator: random.Random, body: str, gone: float) -> str:
    """A text without a share of its sentences, a tenth of the rest moved elsewhere."""
    if not gone:
        return body
    kept = [part for part in _SENTENCE.split(body) if generator.random() >= gone]
    for _ in range(len(kept) // 10):
        one, other = generator.randrange(len(kept)), generator.randrange(len(kept))
        kept[one], kept[other] = kept[other], kept[one]
    return "\n\n".join(kept)


def measure(vault: Vault, planted: dict[frozenset[str], str], embedder: "Embedder") -> Questions:
    """Every pair above `FLOOR` with its label; a planted pair below it counts as missed, by its own weight of one."""
    snapshot = load(vault)
    paths, _ = comparable_pages(snapshot)
    matrix, _ = page_vectors(snapshot, paths, embedder)
    items: list[Question] = []
    for pair in find_pairs(matrix, error=1.0, review=FLOOR, cap=10**8).items:
        first, second = paths[pair.first], paths[pair.second]
        label = planted.get(frozenset((first, second)), DISTINCT)
        if label == DISTINCT and not (first.endswith("-base.md") and second.endswith("-base.md")):
            continue  # a variant of one page and another page: the same question as that of the pages themselves
        items.append(Question(str(len(items)), first, second, pair.similarity, 1.0, label))
    return Questions(model=embedder.name, pages=len(paths), items=items)


def main() -> None:
    """Plant, measure, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--model", default="static")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    embedder = importlib.import_module("lith.embed").get_embedder(options.model)
    with tempfile.TemporaryDirectory(prefix="lith-bands-") as folder:
        root = Path(folder)
        planted = plant(find_vault(options.vault, options.vault), root, options.seed)
        questions = measure(find_vault(root), planted, embedder)
    error, review = fit(questions)
    for name, band in (("error", error), ("review", review)):
        print(
            f"{name:6s} >= {band.threshold:.3f}  precision {band.precision:.3f}  recall {band.recall:.3f}  reached {band.reached}"
        )


if __name__ == "__main__":
    main()
