"""The committed reference of the command line is what the commands say."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_reference_is_up_to_date() -> None:
    made = subprocess.run([sys.executable, "tools/cli_reference.py"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    committed = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert committed == made, "run: python tools/cli_reference.py > docs/cli.md"
