"""The README shows what lith prints."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_tour_is_what_the_commands_print() -> None:
    done = subprocess.run([sys.executable, "tools/readme_tour.py", "--check"], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), "run: python tools/readme_tour.py"
