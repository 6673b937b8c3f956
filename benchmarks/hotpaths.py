"""The hot paths against their budgets: ratios taken in one run, on this machine, with a generated corpus.

    python -m benchmarks.hotpaths [--mb 80] [--messages 100000] [--skip-find] [--out benchmarks/results/hotpaths.json]

Every figure is a ratio to something measured in the same run (a bare interpreter, a bare reader), or a count. CPU seconds are user + system
of the whole child process.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.baseline import read_split_decode_pick
from benchmarks.corpus import Voice, write_corpus

PYTHON = sys.executable
RUNS = 11


class Run:
    """One finished child process: CPU seconds, wall seconds, peak memory in MB, and what it printed."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        output, errors = child.communicate()
        self.wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        self.output = output.decode()
        if child.returncode:
            raise SystemExit(f"{' '.join(argv)} failed:\n{errors.decode()}{self.output}")


class Lith:
    """The command line in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {
            **os.environ,
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "LITH_DATA_DIR"):
            self.environment.pop(name, None)

    def __call__(self, *words: str) -> Run:
        return Run([PYTHON, "-m", "lith", *words], self.environment)

    def json(self, *words: str) -> dict[str, Any]:
        """What a command answers under --json."""
        answer: dict[str, Any] = json.loads(self("--json", *words).output)
        return answer

    def peak_mb(self, *words: str) -> float:
        """Peak resident memory of a command."""
        code = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        run = Run([PYTHON, "-c", code, PYTHON, "-m", "lith", *words], self.environment)
        return int(run.output) / 1024

    @property
    def map(self) -> Path:
        """The map of this home."""
        return self.home / "state" / "lith" / "map.sqlite"


def median_cpu(argv: list[str], environment: dict[str, str]) -> float:
    """Median CPU seconds of a command over some runs, after one to warm up."""
    Run(argv, environment)
    return statistics.median(Run(argv, environment).cpu for _ in range(RUNS))


def measure_sync(base: Path, megabytes: float) -> dict[str, Any]:
    """Cold sync of one big session and of many, against a bare reader; then nothing changed; then one line more."""
    figures: dict[str, Any] = {}
    for name, session_megabytes in (("one session", megabytes), ("many sessions", 0.5)):
        lith = Lith(base / name.replace(" ", "-"))
        root = lith.home / ".claude" / "projects"
        paths = write_corpus(root, source="claude_code", megabytes=megabytes, session_megabytes=session_megabytes)
        size = sum(path.stat().st_size for path in paths)
        start = time.process_time()
        picked = read_split_decode_pick(paths)
        bare = time.process_time() - start
        empty = median_cpu([PYTHON, "-m", "lith", "config", "show"], lith.environment)
        cold = lith("sync")
        unchanged = lith.json("sync")["totals"]
        warm = median_cpu([PYTHON, "-m", "lith", "sync"], lith.environment)
        line = paths[0].read_bytes().split(b"\n")[0] + b"\n"
        with paths[0].open("ab") as file:
            file.write(line)
        appended = lith.json("sync")["totals"]
        figures[name] = {
            "files": len(paths),
            "bytes": size,
            "messages_picked_by_the_bare_reader": picked,
            "bare_mb_per_cpu_s": round(size / 1e6 / bare),
            "cold_cpu_s": round(cold.cpu, 2),
            "cold_wall_s": round(cold.wall, 2),
            "cold_mb_per_cpu_s": round(size / 1e6 / cold.cpu),
            "cold_share_of_bare": round(bare / cold.cpu, 3),
            "map_share_of_bytes": round(lith.map.stat().st_size / size, 3),
            "unchanged_bytes_read": unchanged["bytes_read"],
            "unchanged_rows_written": unchanged["rows_written"],
            "unchanged_cpu_s_over_start_up": round(warm - empty, 3),
            "appended_line_bytes": len(line),
            "appended_bytes_read": appended["bytes_read"],
        }
        second = Lith(base / f"{name.replace(' ', '-')}-memory")
        second.home.mkdir(parents=True, exist_ok=True)
        figures[name]["cold_peak_mb"] = round(second.peak_mb("sync", "--root", f"claude_code={root}"))
    return figures


def measure_find(base: Path, messages: int) -> dict[str, Any]:
    """find and read on a map of about `messages` messages, whole process, against a bare interpreter.

    The corpus has the talk of real sessions and none of their bulk, so that it is small on disk.
    """
    lith = Lith(base / "find")
    root = lith.home / ".claude" / "projects"
    write_corpus(root, source="claude_code", megabytes=messages / 165, session_megabytes=1.2, bulk=0.0)
    lith("sync")
    bare = median_cpu([PYTHON, "-c", "pass"], lith.environment)
    voice = Voice(1)
    queries = [
        ["find", *voice.words(3).split()],
        ["find", voice.vocabulary[40]],
        ["find", f"{voice.vocabulary[300]} {voice.paths[3]}"],
    ]
    figures: dict[str, Any] = {
        "messages": lith.json("stats")["total"]["messages"],
        "bare_interpreter_cpu_ms": round(bare * 1e3, 1),
        "version_ratio": round(median_cpu([PYTHON, "-m", "lith", "--version"], lith.environment) / bare, 2),
        "queries": [],
    }
    for query in queries:
        answer = lith.json(*query)
        figures["queries"].append(
            {
                "words": " ".join(query[1:]),
                "total": answer["total"],
                "process_ratio": round(median_cpu([PYTHON, "-m", "lith", *query], lith.environment) / bare, 2),
                "operation_ms": round(statistics.median(operation_ms(lith, query)), 1),
                "peak_mb": round(lith.peak_mb(*query)),
            }
        )
        if answer["results"] and "read_ratio" not in figures:
            first = answer["results"][0]["evidence"]["argv"][1:]
            figures["read_ratio"] = round(median_cpu([PYTHON, "-m", "lith", *first], lith.environment) / bare, 2)
    return figures


def operation_ms(lith: Lith, query: list[str]) -> list[float]:
    """CPU milliseconds of the operation alone, warm, in one process."""
    code = (
        "import sys, time; from pathlib import Path; from lith.retrieval import find; from lith.retrieval.requests import FindRequest;"
        "from lith.store.map.schema import open_for_reading; db = open_for_reading(Path(sys.argv[1]));"
        "request = FindRequest(query=sys.argv[2]);"
        "find(db, request)\nfor _ in range(9):\n"
        " start = time.process_time(); find(db, request); print((time.process_time() - start) * 1e3)"
    )
    run = Run([PYTHON, "-c", code, str(lith.map), " ".join(query[1:])], lith.environment)
    return [float(line) for line in run.output.split()]


def main() -> None:
    """Run everything and print it; with --out also keep it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=80)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--skip-find", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lith-bench-") as folder:
        figures: dict[str, Any] = {
            "python": platform.python_version(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "sync": measure_sync(Path(folder), options.mb),
        }
        if not options.skip_find:
            figures["find"] = measure_find(Path(folder), options.messages)
    text = json.dumps(figures, indent=2)
    print(text)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
