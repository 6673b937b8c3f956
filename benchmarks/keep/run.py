"""Archive and prune, measured on generated sessions.

    python -m benchmarks.keep.run [--mb 40] [--steps 100] [--out benchmarks/keep/results.json]

Prints, as JSON: archive MB/s and bytes against `zstd -3` on the same file, the cost of a hundred runs over a growing file, of a run over
unchanged files, of one record read back, of a whole restore, and of a prune. Times are wall clock, or CPU seconds where it says `cpu`.
"""

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from benchmarks.corpus import write_corpus
from lith.archive import ArchiveItem, Generation, get_generation, read_range, restore_to, run, verify
from lith.keep import House, Receipt, apply_prune, iter_records, plan_prune

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

NOW = 1_900_000_000_000


class NoMap:
    """Answers as a map would that has indexed everything: only the archive is measured here."""

    def index_generation(self, generation: Generation) -> None:
        """Nothing to do."""

    def find_unindexed(self, generation: Generation, hashes: Collection[bytes]) -> Collection[bytes]:  # noqa: ARG002
        """Nothing is missing."""
        return ()

    def note_receipt(self, receipt: Receipt) -> None:
        """Nothing to do."""

    def resync(self, path: Path) -> None:
        """Nothing to do."""


class Nobody:
    """Holds nothing."""

    def find_holders(self, path: Path, session: str) -> tuple[str, ...]:  # noqa: ARG002
        """Nobody."""
        return ()


def timed(action: Callable[[], Any]) -> tuple[float, float, Any]:
    """Wall seconds, CPU seconds, result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = action()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def zstd_cost(path: Path) -> tuple[int, float]:
    """Bytes and seconds of `zstd -3` on a file: the program's, or the library's where there is none."""
    if program := shutil.which("zstd"):
        wall = time.perf_counter()
        size = len(
            subprocess.run([program, "-3", "-c", "--single-thread", "-q", str(path)], check=True, capture_output=True).stdout
        )
        return size, time.perf_counter() - wall
    wall = time.perf_counter()
    return len(zstd.compress(path.read_bytes(), 3)), time.perf_counter() - wall


def measure_archive(base: Path, path: Path) -> dict[str, Any]:
    """One run, one more run, one record, one restore, one verify."""
    item = ArchiveItem("claude_code", path.stem, f"p/{path.name}", path)
    root = base / "archive"
    size = path.stat().st_size
    wall, cpu, _ = timed(lambda: run(root, [item], clock=lambda: NOW))
    generation = get_generation(root, item.key)
    unchanged, _, report = timed(lambda: run(root, [item], clock=lambda: NOW))
    assert report.unchanged == 1
    with path.open("rb") as file:
        places = list(iter_records(file, size))
    sample = places[:: max(1, len(places) // 50)]
    record, _, _ = timed(lambda: [read_range(get_generation(root, item.key), one.offset, one.length) for one in sample])
    restore, _, restored = timed(lambda: restore_to(generation, base / "restored.jsonl"))
    assert restored.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    deep, _, report = timed(lambda: verify(root, deep=True))
    assert report.sound
    reference, reference_seconds = zstd_cost(path)
    return {
        "megabytes": round(size / 1e6, 1),
        "archive_mb_per_s": round(size / 1e6 / wall),
        "archive_mb_per_cpu_s": round(size / 1e6 / cpu),
        "archive_share_of_bytes": round(generation.stored / size, 4),
        "zstd_3_share_of_bytes": round(reference / size, 4),
        "zstd_3_mb_per_s": round(size / 1e6 / reference_seconds),
        "unchanged_run_ms": round(unchanged * 1e3, 1),
        "one_record_ms": round(record / len(sample) * 1e3, 2),
        "restore_mb_per_s": round(size / 1e6 / restore),
        "verify_deep_mb_per_s": round(size / 1e6 / deep),
    }


def measure_growth(base: Path, path: Path, steps: int) -> dict[str, Any]:
    """The same file in `steps` runs while it grows, against one run at its end."""
    data = path.read_bytes()
    live = base / "growing.jsonl"
    live.write_bytes(b"")
    item = ArchiveItem("claude_code", path.stem, f"p/{path.name}", live)
    written = 0
    cpu = time.process_time()
    for step in range(1, steps + 1):
        with live.open("ab") as file:
            file.write(data[len(data) * (step - 1) // steps : len(data) * step // steps])
        written += run(base / "many", [item], clock=lambda: NOW).bytes_written
    cpu = time.process_time() - cpu
    once_cpu = time.process_time()
    run(base / "once", [item], clock=lambda: NOW)
    once_cpu = time.process_time() - once_cpu
    many, once = (get_generation(base / name, item.key).stored for name in ("many", "once"))
    return {
        "steps": steps,
        "stored_against_one_run": round(many / once, 3),
        "segments": len(get_generation(base / "many", item.key).segments),
        "written_against_one_run": round(written / once, 2),
        "cpu_s": round(cpu, 2),
        "one_run_cpu_s": round(once_cpu, 2),
    }


def measure_prune(base: Path, path: Path) -> dict[str, Any]:
    """A preview and a prune, archive, gate and validation included."""
    live = base / "projects" / path.name
    live.parent.mkdir()
    shutil.copy(path, live)
    item = ArchiveItem("claude_code", path.stem, f"p/{path.name}", live)
    house = House(archive=base / "pruned", roots=(live.parent,), map=NoMap(), holders=Nobody(), clock=lambda: NOW)
    preview, _, plan = timed(lambda: plan_prune(item.key, live, now=NOW))
    wall, _, result = timed(lambda: apply_prune(plan, house))
    return {
        "removed_share": round(1 - result.size_after / result.size_before, 3),
        "records": plan.records,
        "preview_mb_per_s": round(plan.size / 1e6 / preview),
        "apply_mb_per_s": round(plan.size / 1e6 / (wall - house.timing.grace)),
    }


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=40)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (path,) = write_corpus(
            base / "corpus", source="claude_code", megabytes=options.mb, session_megabytes=options.mb, seed=options.seed
        )
        results = {
            "archive": measure_archive(base, path),
            "growth": measure_growth(base, path, options.steps),
            "prune": measure_prune(base, path),
        }
    results["memory"] = {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    text = json.dumps(results, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
