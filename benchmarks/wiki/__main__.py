"""The figures of the room `wiki`, each from a process of its own.

    python -m benchmarks.wiki [--pages 10000] [--vault FOLDER] [--out FILE]

Wall and CPU seconds and peak memory are those of the whole child process, interpreter start included. The embedder is a seeded stand-in
(hashed word counts, 256 dimensions): the figures of tiling are about everything around the model.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.wiki.vaults import write_vault

_PRELUDE = """
import sys, json, resource
from pathlib import Path
from lith.wiki.vault import find_vault
vault = find_vault(Path(sys.argv[1]))
NOW = 1798675200000
def done(**figures):
    figures['peak_mb'] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(figures))
"""
_EMBEDDER = """
import zlib
import numpy as np
class Embedder:
    name = 'word-counts-256'
    def embed(self, texts):
        matrix = np.zeros((len(texts), 256), dtype=np.float32)
        for row, text in enumerate(texts):
            np.add.at(matrix[row], [zlib.crc32(word.encode()) % 256 for word in text.split()], 1)
        return np.sqrt(matrix) - np.float32(0.8)
"""
_LINT = """
from lith.wiki import lint_vault
report = lint_vault(vault)
done(pages=report.pages, pages_read=report.pages_read, errors=report.errors)
"""
_FRONTIER = """
from lith.wiki import rank_frontier
best = rank_frontier(vault, now=NOW)
done(total=best.total, first=best.items[0].path)
"""
_FOLD = """
from lith.wiki import plan_fold
done(folds=len(plan_fold(vault, everything=True).folds))
"""
_TILING = (
    _EMBEDDER
    + """
from lith.wiki import compare_pages
report = compare_pages(vault, Embedder(), now=NOW)
done(compared=report.compared, embedded=report.embedded, near=report.near, review=report.review, groups=len(report.groups))
"""
)
STEPS: dict[str, str] = {
    "lint_first": _LINT,
    "lint_second": _LINT,
    "frontier_warm": _FRONTIER,
    "fold_plan": _FOLD,
    "tiling_embed": _TILING,
    "tiling_embedded": _TILING,
}
_BRUTE = (
    _EMBEDDER
    + """
from lith.wiki.snapshot import load
from lith.wiki.tiling.pairs import find_pairs
from lith.wiki.tiling.report import comparable_pages
from lith.wiki.tiling.vectors import page_vectors
snapshot = load(vault)
paths, _ = comparable_pages(snapshot)
matrix, _ = page_vectors(snapshot, paths, Embedder())
found = {(p.first, p.second) for p in find_pairs(matrix, error=0.9, review=0.8, cap=10**9).items}
exact, unsure = set(), set()
wide = matrix.astype(np.float64)
for row in range(0, len(wide), 500):
    full = wide[row:row + 500] @ wide.T
    for a, b in zip(*np.nonzero(full >= 0.8 - 1e-6)):
        if row + a < b:
            (exact if full[a, b] >= 0.8 + 1e-6 else unsure).add((row + int(a), int(b)))
done(pairs=len(found), brute_force=len(exact), at_the_limit=len(unsure), equal=exact <= found <= exact | unsure)
"""
)


def run_step(name: str, code: str, vault: Path) -> dict[str, Any]:
    """Run one step in a process of its own; its figures with wall and CPU seconds."""
    before = os.times()
    start = time.perf_counter()
    child = subprocess.run([sys.executable, "-c", _PRELUDE + code, str(vault)], capture_output=True, text=True, check=False)
    wall = time.perf_counter() - start
    after = os.times()
    if child.returncode:
        raise SystemExit(f"{name} failed:\n{child.stderr}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), **json.loads(child.stdout)}


def main() -> None:
    """Generate a vault (or take one), run every step, print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--vault", type=Path, help="a vault to measure instead of a generated one (it gets a cache)")
    parser.add_argument("--no-brute-force", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lith-wiki-") as folder:
        vault = options.vault or Path(folder)
        figures: dict[str, Any] = {"pages": options.pages, "seed": options.seed}
        if options.vault is None:
            start = time.perf_counter()
            write_vault(vault, options.pages, seed=options.seed)
            figures["generate_s"] = round(time.perf_counter() - start, 2)
        steps = STEPS if options.no_brute_force else {**STEPS, "tiling_brute_force": _BRUTE}
        for name, code in steps.items():
            figures[name] = run_step(name, code, vault)
            print(f"{name:20s} {json.dumps(figures[name])}", flush=True)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
