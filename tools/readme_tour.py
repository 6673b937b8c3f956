"""Runs the commands of the README's tour on the demo and writes what they print into the README.

    python tools/readme_tour.py

A test runs it with `--check`, which writes nothing and fails where the README says something else.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- tour:begin -->", "<!-- tour:end -->"
SHOWN_HOME = "/home/you"

STEPS = (
    (
        "The demo has six sessions of two clients and a map of their own. With `--quiet` it says where that is, and nothing else.",
        "lith demo --quiet",
        None,
    ),
    (
        "Search in plain words. What has more of them comes first, and each result says how to read it.",
        "lith find retry storm -n 2",
        None,
    ),
    ("Read around a message. The beginning of an id will do.", "lith read codex:019cc1a4 --at 2 --before 0 --after 1", None),
    (
        "Any script, any spelling, and what tools were called with.",
        "lith find 文字化け --tool Bash --since 2026-04-01 -n 1",
        None,
    ),
    ("An empty answer says why.", "lith find retry --since 2026-04-01", None),
    ("Programs get JSON.", "lith list --source codex -n 1 --json --fields session_ref,title,messages", None),
    ("And the evidence itself, byte for byte, checked against its hash.", "lith block codex:019cc1a4#2 --json --quiet", None),
)


def render(home: Path) -> str:
    """The tour, run in an empty home."""
    data_dir = home / ".local" / "state" / "lith" / "demo"
    parts = []
    for number, (text, command, lines) in enumerate(STEPS):
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "C.UTF-8"}
        if number:
            environment["LITH_DATA_DIR"] = str(data_dir)
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", *command.split()], env=environment, capture_output=True, check=True, text=True, cwd="/"
        )
        shown = "\n".join(done.stdout.rstrip().splitlines()[:lines]).replace(str(home), SHOWN_HOME)
        shown = "\n".join(part for part in (_steady(shown), done.stderr.rstrip().replace(str(home), SHOWN_HOME)) if part)
        typed = f"export LITH_DATA_DIR=$({command}); echo $LITH_DATA_DIR" if number == 0 else command
        parts.append(f"{text}\n\n```console\n$ {typed}\n{shown}".rstrip() + "\n```\n")
    return "\n".join(parts)


def _steady(text: str) -> str:
    """The same text in every run: without how long it took, and a long line of JSON cut."""
    if not text.startswith("{"):
        return text
    before, _, after = text.partition('"elapsed_ms":')
    text = f'{before}"elapsed_ms":…,{after.partition(",")[2]}'
    return text if len(text) <= 400 else text[:397] + "…"


def main() -> int:
    """Write the tour into the README, or check that it is there."""
    old = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        tour = render(Path(folder).resolve())
    head, _, rest = old.partition(BEGIN)
    new = f"{head}{BEGIN}\n\n{tour}\n{END}{rest.partition(END)[2]}"
    if "--check" in sys.argv:
        return int(new != old)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
